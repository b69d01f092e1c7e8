//! Flow lists and mappings over several lines: comments that stand apart stay apart (M30).
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod program;

use program::run;
use std::fs;

fn edited(text: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.rig"), text).unwrap();
    let output = run(folder.path(), &[&["edit", "a.rig"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{text}\n{output:?}");
    fs::read_to_string(folder.path().join("a.rig")).unwrap()
}

const LIST: &str = "\
name: R
nodes: [ # head
  {id: a, kind: joint}, # beside a

  # apart

  # above b
  {id: b, kind: joint},
  {id: c, kind: joint} # before the comma
  , # behind it


  # apart too

  {id: d, kind: joint},

  # the last
]
end: 1
";

#[test]
fn what_stands_apart_stays_apart_and_in_its_place() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["--delete", "nodes[1]"],
            "nodes: [ # head\n  {id: a, kind: joint}, # beside a\n\n  # apart\n\n  {id: c, kind: \
             joint} # before the comma\n  , # behind it\n\n\n  # apart too\n\n  {id: d, kind: \
             joint},\n\n  # the last\n]\n",
        ),
        (
            &["--delete", "nodes[0]"],
            "nodes: [ # head\n\n  # apart\n\n  # above b\n  {id: b, kind: joint},\n  {id: c, kind: \
             joint} # before the comma\n  , # behind it\n\n\n  # apart too\n\n  {id: d, kind: \
             joint},\n\n  # the last\n]\n",
        ),
        (
            &["--move", "nodes[3]", "0"],
            "nodes: [ # head\n  {id: d, kind: joint},\n  {id: a, kind: joint}, # beside a\n\n  # \
             apart\n\n  # above b\n  {id: b, kind: joint},\n  {id: c, kind: joint} # before the \
             comma\n  , # behind it\n\n\n  # apart too\n\n\n  # the last\n]\n",
        ),
        (
            &["--duplicate", "nodes[0]"],
            "nodes: [ # head\n  {id: a, kind: joint}, # beside a\n  {id: a2, kind: joint},\n\n  # \
             apart\n\n  # above b\n  {id: b, kind: joint},\n  {id: c, kind: joint} # before the \
             comma\n  , # behind it\n\n\n  # apart too\n\n  {id: d, kind: joint},\n\n  # the \
             last\n]\n",
        ),
    ];
    for (arguments, list) in cases {
        for eol in ["\n", "\r\n"] {
            let now = edited(&LIST.replace('\n', eol), arguments);
            let wanted = format!("name: R\n{list}end: 1\n").replace('\n', eol);
            assert_eq!(now, wanted, "{arguments:?}");
        }
    }
}

#[test]
fn a_comment_apart_is_not_deleted_with_what_comes_to_stand_behind_it() {
    let now =
        edited(LIST, &["--delete", "nodes[1]", "--delete", "nodes[1]", "--delete", "nodes[1]"]);
    for comment in ["# head", "# beside a", "# apart\n", "# apart too", "# the last"] {
        assert_eq!(now.matches(comment).count(), 1, "{comment}\n{now}");
    }
}

#[test]
fn flow_mappings_keep_what_stands_apart() {
    let text = "\
name: R
nodes:
  - {
      id: a, # beside

      # apart

      # above kind
      kind: joint,

      model: gun,
      # at the end
    }
";
    let now = edited(text, &["--delete", "nodes[0].model"]);
    assert_eq!(now, text.replace("      model: gun,\n", ""));
    let now = edited(text, &["--set", "nodes[0].parent=null", "--set", "nodes[0].x=1"]);
    for comment in ["# beside", "# apart\n\n", "# above kind\n      kind", "# at the end\n"] {
        assert_eq!(now.matches(comment).count(), 1, "{comment}\n{now}");
    }
}
