//! What edits of rigs do, rule by rule, and what they carry to the clips that use them.
#![allow(clippy::unwrap_used)] // A test may stop where something is not as it says.

mod documents;

use documents::*;
use glam::DVec3;
use posewright::edit::{ClipEdit, Clipboard, Edit, Keep, NewNode, RestEdit, RigEdit};
use posewright::format::FileKind;
use posewright::math::Trs;
use posewright::model::{Node, NodeKind, check, messages};
use posewright::sample::{Hierarchy, rest_pose};
use std::sync::Arc;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn worlds(nodes: &[Arc<Node>]) -> Vec<(String, Trs)> {
    let parts = nodes.iter().map(|n| (n.id.as_str(), n.parent.as_deref()));
    let mut poses: Vec<Trs> = nodes.iter().map(|n| rest_pose(n)).collect();
    Hierarchy::new(parts).unwrap().local_to_world(&mut poses);
    nodes.iter().map(|n| n.id.clone()).zip(poses).collect()
}

fn world_of(editor: &posewright::edit::Editor, doc: posewright::edit::DocId, id: &str) -> Trs {
    worlds(&rig(editor, doc).nodes).into_iter().find(|(n, _)| n == id).unwrap().1
}

fn close(a: &Trs, b: &Trs) -> bool {
    (a.position - b.position).length() < 1e-9
        && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-12
        && (a.scale - b.scale).length() < 1e-9
}

#[test]
fn a_rename_carries_to_children_and_to_every_bound_clip_as_one_step() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    let model_clip = CLIP.replace("binding: data/weapon.rig", "format:\n  version: 1.0.0");
    let other = open(&mut editor, FileKind::Motion, "/p/model.motion", &model_clip);
    let rename = |editor: &posewright::edit::Editor, from: &str, to: &str| RigEdit::Rename {
        node: node(editor, rig_doc, from),
        id: to.to_owned(),
    };
    let edit = rename(&editor, "shoulder", "clavicle");
    let label = edit_rig(&mut editor, rig_doc, edit).unwrap();
    assert_eq!(label, "Rename shoulder → clavicle, also in 1 clip");
    assert_eq!(
        text(&editor, rig_doc),
        RIG.replace("id: shoulder ", "id: clavicle ")
            .replace("parent: shoulder", "parent: clavicle")
    );
    assert_eq!(text(&editor, clip_doc), CLIP.replace("part: shoulder", "part: clavicle"));
    assert_eq!(text(&editor, other), model_clip, "a model clip has parts of its own");
    assert!(editor.is_dirty(rig_doc) && editor.is_dirty(clip_doc) && !editor.is_dirty(other));
    // It stands in both lines and is undone whole from either.
    assert_eq!(editor.history().undo_label(clip_doc), Some(label.as_str()));
    editor.undo(clip_doc).unwrap();
    assert_eq!(
        (text(&editor, rig_doc), text(&editor, clip_doc)),
        (RIG.to_owned(), CLIP.to_owned())
    );
    editor.redo(rig_doc).unwrap();
    assert_eq!(text(&editor, clip_doc), CLIP.replace("part: shoulder", "part: clavicle"));
    // What changed since blocks it by name.
    documents::edit(&mut editor, clip_doc, ClipEdit::SetLoop { looping: false }).unwrap();
    let blocked = editor.undo(rig_doc).unwrap_err();
    assert!(blocked.to_string().contains("wave.motion"), "{blocked}");
    editor.undo(clip_doc).unwrap();
    editor.undo(rig_doc).unwrap();
    assert_eq!(text(&editor, clip_doc), CLIP);
}

#[test]
fn a_rename_that_a_clip_cannot_follow_changes_nothing() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    let other =
        CLIP.replace("part: hand", "part: weapon").replace("property: rotation", "property: scale");
    let other = other.replace("[0, 0, 0]", "[1, 1, 1]").replace("[0, 0, 1.5]", "[1, 1, 1]");
    let other = other.replace("[0, 0, 3]", "[1, 1, 1]").replace("part: shoulder", "part: old");
    let second = open(&mut editor, FileKind::Motion, "/p/other.motion", &other);
    let with_ghost = text(&editor, clip_doc);
    for (id, sentence) in [
        ("", messages::NODE_ID.to_owned()),
        ("a/b", messages::NODE_ID.to_owned()),
        ("a:b", messages::NODE_ID.to_owned()),
        ("hand", messages::duplicate_part("hand")),
        // The clip has a track for a part `old` already.
        ("old", format!("other.motion: {}", messages::DUPLICATE_TRACK)),
    ] {
        let rename = RigEdit::Rename { node: node(&editor, rig_doc, "weapon"), id: id.to_owned() };
        assert_eq!(edit_rig(&mut editor, rig_doc, rename).unwrap_err().message, sentence);
        assert_eq!(text(&editor, rig_doc), RIG);
        assert_eq!(text(&editor, clip_doc), with_ghost);
        assert_eq!(text(&editor, second), other);
        assert!(editor.undo(rig_doc).is_err());
    }
}

#[test]
fn deleting_takes_what_is_below_and_the_tracks_or_hands_the_children_on() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    let hand = vec![node(&editor, rig_doc, "hand")];
    let all = RigEdit::DeleteNodes { nodes: hand.clone(), with_children: true };
    assert_eq!(edit_rig(&mut editor, rig_doc, all).unwrap(), "Delete 2 nodes and track");
    assert_eq!(ids(&editor, rig_doc), ["shoulder"]);
    assert_eq!(clip(&editor, clip_doc).tracks.len(), 2);
    assert!(!text(&editor, rig_doc).contains("holds it"));
    editor.undo(rig_doc).unwrap();
    assert_eq!(text(&editor, clip_doc), CLIP);
    let before = world_of(&editor, rig_doc, "weapon");
    let one = RigEdit::DeleteNodes { nodes: hand, with_children: false };
    assert_eq!(edit_rig(&mut editor, rig_doc, one).unwrap(), "Delete hand and track");
    assert_eq!(rig(&editor, rig_doc).nodes[1].parent.as_deref(), Some("shoulder"));
    assert!(close(&world_of(&editor, rig_doc, "weapon"), &before));
    let all = rig(&editor, rig_doc).nodes.iter().map(|n| n.uid).collect();
    edit_rig(&mut editor, rig_doc, RigEdit::DeleteNodes { nodes: all, with_children: false })
        .unwrap();
    assert!(rig(&editor, rig_doc).nodes.is_empty(), "an empty rig is a draft");
    editor.undo(rig_doc).unwrap();
    editor.undo(rig_doc).unwrap();
    assert_eq!(text(&editor, rig_doc), RIG);
}

const UNEVEN: &str = "\
name: R
nodes:
  - {id: a, kind: joint, rotation: [0.3, -0.2, 1], scale: [2, 1, 0.5], position: [1, 2, 3]}
  - {id: b, kind: joint, parent: a, rotation: [0, 0.7, 0.1], position: [0, 1, 0]}
  - {id: c, kind: joint, parent: b, position: [0.5, 0, 0], scale: [1, 3, 1]}
  - {id: d, kind: joint, parent: c, rotation: [7, 0, -4]}
  - {id: far, kind: joint, scale: [0.001, 1, 1]}
";

#[test]
fn reparenting_keeps_the_place_in_the_world_or_the_local_rest() {
    for target in [None, Some("a"), Some("far")] {
        let (mut editor, doc) = open_rig(UNEVEN);
        let before = worlds(&rig(&editor, doc).nodes);
        let edit = RigEdit::Reparent {
            nodes: vec![node(&editor, doc, "c")],
            parent: target.map(|id| node(&editor, doc, id)),
            keep: Keep::World,
        };
        let step = editor.perform(&Edit::Rig { doc, edit }).unwrap().unwrap();
        assert!(step.notes.is_empty(), "{:?}", step.notes);
        for ((id, a), (_, b)) in before.iter().zip(worlds(&rig(&editor, doc).nodes)) {
            assert!(close(a, &b), "{id} under {target:?}: {a:?} {b:?}");
        }
        assert_eq!(rig(&editor, doc).nodes[3].rotation, v(7.0, 0.0, -4.0));
        editor.undo(doc).unwrap();
        assert_eq!(text(&editor, doc), UNEVEN);
        let edit = RigEdit::Reparent {
            nodes: vec![node(&editor, doc, "c")],
            parent: target.map(|id| node(&editor, doc, id)),
            keep: Keep::Local,
        };
        let label = edit_rig(&mut editor, doc, edit).unwrap();
        assert_eq!(label, target.map_or("Unparent c".to_owned(), |id| format!("Parent c to {id}")));
        assert_eq!(rig(&editor, doc).nodes[2].position, v(0.5, 0.0, 0.0));
    }
}

#[test]
fn a_place_that_cannot_be_kept_is_told() {
    let source =
        UNEVEN.replace("parent: c, rotation", "parent: c, position: [5000000, 0, 0], rotation");
    let source = source.replace("5000000", "900000");
    let (mut editor, doc) = open_rig(&source);
    let edit = RigEdit::Reparent {
        nodes: vec![node(&editor, doc, "d")],
        parent: Some(node(&editor, doc, "far")),
        keep: Keep::World,
    };
    let step = editor.perform(&Edit::Rig { doc, edit }).unwrap().unwrap();
    assert_eq!(step.notes.len(), 1, "a thousandth of a size needs a position out of range");
    assert_eq!(rig(&editor, doc).nodes[3].position.abs().max_element(), 1e6);
    check::rig(rig(&editor, doc)).unwrap();
}

#[test]
fn a_node_dropped_on_its_own_descendant_is_refused_without_a_step() {
    let (mut editor, doc) = open_rig(UNEVEN);
    for target in ["a", "b", "d"] {
        for keep in [Keep::World, Keep::Local] {
            let edit = RigEdit::Reparent {
                nodes: vec![node(&editor, doc, "a"), node(&editor, doc, "c")],
                parent: Some(node(&editor, doc, target)),
                keep,
            };
            assert_eq!(edit_rig(&mut editor, doc, edit).unwrap_err().message, messages::CYCLE);
            assert!(editor.undo(doc).is_err());
            assert_eq!(text(&editor, doc), UNEVEN);
        }
    }
}

#[test]
fn levels_and_counts_have_limits() {
    let mut source = "name: R\nnodes:\n  - {id: n0, kind: joint}\n".to_owned();
    for i in 1..128 {
        source += &format!("  - {{id: n{i}, kind: joint, parent: n{}}}\n", i - 1);
    }
    let (mut editor, doc) = open_rig(&source);
    let new = |parent| NewNode {
        id: "x".to_owned(),
        kind: NodeKind::Joint,
        parent,
        position: DVec3::ZERO,
        model: None,
    };
    let add = |parent| RigEdit::AddNode { node: new(parent) };
    let deepest = node(&editor, doc, "n127");
    assert_eq!(
        edit_rig(&mut editor, doc, add(Some(deepest))).unwrap_err().message,
        messages::DEPTH
    );
    for _ in 128..512 {
        edit_rig(&mut editor, doc, add(None)).unwrap();
    }
    assert_eq!(edit_rig(&mut editor, doc, add(None)).unwrap_err().message, messages::NODE_COUNT);
}

#[test]
fn new_nodes_come_behind_their_siblings_under_ids_of_their_own() {
    let (mut editor, doc) = open_rig(RIG);
    let shoulder = Some(node(&editor, doc, "shoulder"));
    let new = |id: &str, parent| NewNode {
        id: id.to_owned(),
        kind: NodeKind::Joint,
        parent,
        position: v(0.0, -0.3, 0.0),
        model: None,
    };
    let add = |editor: &mut posewright::edit::Editor, id: &str, parent| {
        edit_rig(editor, doc, RigEdit::AddNode { node: new(id, parent) }).unwrap()
    };
    assert_eq!(add(&mut editor, "hand", shoulder), "Add joint hand2");
    assert_eq!(ids(&editor, doc), ["shoulder", "hand", "weapon", "hand2"]);
    assert_eq!(editor.selection().nodes_of(doc), [node(&editor, doc, "hand2")]);
    add(&mut editor, "hand2", None);
    add(&mut editor, "", None);
    add(&mut editor, "", None);
    add(&mut editor, "arm_01", None);
    add(&mut editor, "arm_01", None);
    assert_eq!(ids(&editor, doc)[4..], ["hand3", "joint", "joint2", "arm_01", "arm_02"]);
    let line = "  - id: hand2\n    kind: joint\n    parent: shoulder\n    position: [0, -0.3, 0]\n";
    assert!(text(&editor, doc).contains(line));
}

#[test]
fn subtrees_are_copied_with_unknown_fields_and_without_comments() {
    let (mut editor, doc) = open_rig(RIG);
    let nodes = vec![node(&editor, doc, "shoulder"), node(&editor, doc, "weapon")];
    let label = edit_rig(&mut editor, doc, RigEdit::DuplicateSubtrees { nodes }).unwrap();
    assert_eq!(label, "Duplicate shoulder");
    assert_eq!(ids(&editor, doc)[3..], ["shoulder2", "hand2", "weapon2"]);
    assert_eq!(rig(&editor, doc).nodes[5].parent.as_deref(), Some("hand2"));
    let now = text(&editor, doc);
    assert_eq!((now.matches("colour: red").count(), now.matches("# top").count()), (2, 1));
    assert!(now.starts_with(RIG), "{now}");
    editor.undo(doc).unwrap();
    assert_eq!(text(&editor, doc), RIG);
}

#[test]
fn cut_nodes_take_their_comments_once() {
    let (mut editor, doc) = open_rig(RIG);
    let hand = vec![node(&editor, doc, "hand")];
    let board = Clipboard::of_nodes(editor.workspace(), doc, &hand, true).unwrap();
    let many = |editor: &posewright::edit::Editor| text(editor, doc).matches("# The hand").count();
    let delete = RigEdit::DeleteNodes { nodes: hand, with_children: true };
    edit_rig(&mut editor, doc, delete).unwrap();
    assert_eq!(many(&editor), 0);
    for _ in 0..2 {
        edit_rig(&mut editor, doc, board.paste_nodes(None).unwrap()).unwrap();
        assert_eq!(many(&editor), 1);
    }
    for _ in 0..3 {
        editor.undo(doc).unwrap();
    }
    assert_eq!(text(&editor, doc), RIG);
    edit_rig(&mut editor, doc, board.paste_nodes(None).unwrap()).unwrap();
    assert_eq!(many(&editor), 1);
}

#[test]
fn copies_stand_behind_what_was_copied() {
    let (mut editor, doc) = open_rig(
        "name: R\nnodes:\n  - {id: a, kind: joint}\n  - {id: b, kind: joint, parent: a}\n  \
         - {id: c, kind: joint, parent: b}\n  - {id: d, kind: joint, parent: a}\n",
    );
    let nodes = vec![node(&editor, doc, "b"), node(&editor, doc, "d")];
    edit_rig(&mut editor, doc, RigEdit::DuplicateSubtrees { nodes }).unwrap();
    assert_eq!(ids(&editor, doc), ["a", "b", "c", "b2", "c2", "d", "d2"]);
}

#[test]
fn nodes_are_pasted_into_another_rig_also_as_text() {
    let (mut editor, from, _) = open_both();
    let board =
        Clipboard::of_nodes(editor.workspace(), from, &[node(&editor, from, "hand")], false);
    let board = board.unwrap();
    editor.close(from);
    let to = open(&mut editor, FileKind::Rig, "/p/b.rig", UNEVEN);
    let read = Clipboard::parse(&board.text()).unwrap();
    for (board, names) in [(board, ["hand", "weapon"]), (read, ["hand2", "weapon2"])] {
        let parent = Some(node(&editor, to, "a"));
        let paste = board.paste_nodes(parent).unwrap();
        assert_eq!(edit_rig(&mut editor, to, paste).unwrap(), "Paste 2 nodes");
        let nodes = &rig(&editor, to).nodes;
        let pasted: Vec<&Arc<Node>> =
            nodes.iter().filter(|n| names.contains(&n.id.as_str())).collect();
        assert_eq!(pasted[0].parent.as_deref(), Some("a"));
        assert_eq!(pasted[1].parent.as_deref(), Some(names[0]));
        assert_eq!(pasted[1].model.as_deref(), Some("gun"));
    }
    assert!(text(&editor, to).starts_with(UNEVEN.split("  - {id: far").next().unwrap()));
}

#[test]
fn rests_kinds_models_names_and_order_change() {
    let (mut editor, doc) = open_rig(RIG);
    let hand = node(&editor, doc, "hand");
    let rest = RestEdit { position: [None, Some(2.0), None], ..RestEdit::default() };
    let mut labels = Vec::new();
    let edits = [
        RigEdit::SetRest { nodes: vec![(hand, rest)] },
        RigEdit::SetRestFromPose {
            nodes: vec![(hand, [v(1.0, 0.0, 0.0), v(0.0, 0.5, 0.0), DVec3::ONE])],
        },
        RigEdit::SetKind { nodes: vec![hand], kind: NodeKind::Entity },
        RigEdit::SetModel { nodes: vec![hand], model: Some("glove".to_owned()) },
        RigEdit::SetDisplayName { node: hand, name: Some("Main hand".to_owned()) },
        RigEdit::MoveNode { node: hand, index: 0 },
    ];
    for edit in edits {
        labels.push(edit_rig(&mut editor, doc, edit).unwrap());
    }
    assert_eq!(
        labels,
        [
            "Set rest of hand",
            "Set rest from pose of hand",
            "Make hand an entity",
            "Hang glove on hand",
            "Show hand as Main hand",
            "Move hand",
        ]
    );
    let expected = "  # The hand holds it\n  - id: hand\n    name: Main hand\n    kind: entity\n    \
                    parent: shoulder\n    model: glove\n    position: [1, 0, 0]\n    rotation: [0, \
                    0.5, 0]\n  - id: shoulder   # top\n";
    assert!(text(&editor, doc).contains(expected), "{}", text(&editor, doc));
    let flat = RestEdit { scale: [Some(0.0), None, None], ..RestEdit::default() };
    let error =
        edit_rig(&mut editor, doc, RigEdit::SetRest { nodes: vec![(hand, flat)] }).unwrap_err();
    assert_eq!(error.message, messages::NODE_SCALE);
    for _ in 0..6 {
        editor.undo(doc).unwrap();
    }
    assert_eq!(text(&editor, doc), RIG);
}

#[test]
fn the_rigs_name_carries_to_the_clips() {
    let (mut editor, rig_doc, clip_doc) = open_both();
    let name = |name: &str| RigEdit::SetName { name: name.to_owned() };
    let label = edit_rig(&mut editor, rig_doc, name("Gun")).unwrap();
    assert_eq!(label, "Rename rig Weapon display → Gun");
    assert_eq!(text(&editor, clip_doc), CLIP.replace("model: Weapon display", "model: Gun"));
    assert_eq!(edit_rig(&mut editor, rig_doc, name("")).unwrap_err().message, messages::RIG_NAME);
}

const ARMS: &str = "\
name: R
nodes:
  - {id: spine, kind: joint, position: [0, 1, 0]}
  - {id: arm.L, kind: joint, parent: spine, position: [0.2, 0.4, 0], rotation: [0.1, 0.2, -0.3]}
  - {id: elbow, kind: joint, parent: arm.L, position: [0.3, 0, 0.1], rotation: [0, 1, 0]}
  - {id: hand.L, kind: attachment, parent: elbow, position: [0.25, 0, 0], note: x}
";

#[test]
fn mirroring_makes_the_other_side_or_brings_it_in_line() {
    let (mut editor, doc) = open_rig(ARMS);
    let mirror = |editor: &posewright::edit::Editor, id: &str| RigEdit::Mirror {
        nodes: vec![node(editor, doc, id)],
    };
    let edit = mirror(&editor, "arm.L");
    assert_eq!(edit_rig(&mut editor, doc, edit).unwrap(), "Mirror arm.L");
    assert_eq!(ids(&editor, doc)[4..], ["arm.R", "elbow2", "hand.R"]);
    let nodes = &rig(&editor, doc).nodes;
    assert_eq!(nodes[4].position, v(-0.2, 0.4, 0.0));
    assert_eq!(nodes[4].rotation, v(0.1, -0.2, 0.3));
    assert_eq!(nodes[6].parent.as_deref(), Some("elbow2"));
    let is_mirrored = |editor: &posewright::edit::Editor| {
        for (left, right) in [("arm.L", "arm.R"), ("elbow", "elbow2"), ("hand.L", "hand.R")] {
            let (left, right) = (world_of(editor, doc, left), world_of(editor, doc, right));
            let across = |p: DVec3| v(-p.x, p.y, p.z);
            // Where a point of one comes to, its mirror image of the other comes to the mirrored.
            for point in [DVec3::ZERO, v(1.0, 2.0, -0.5)] {
                let (a, b) = (left.transform_point(point), right.transform_point(across(point)));
                assert!((across(a) - b).length() < 1e-9, "{a} {b}");
            }
        }
    };
    is_mirrored(&editor);
    // Again: nothing to make, nothing to change.
    let edit = mirror(&editor, "arm.L");
    assert_eq!(edit_rig(&mut editor, doc, edit).unwrap(), "");
    let rest = RestEdit { rotation: [Some(1.0), None, Some(0.2)], ..RestEdit::default() };
    let right = node(&editor, doc, "arm.R");
    edit_rig(&mut editor, doc, RigEdit::SetRest { nodes: vec![(right, rest)] }).unwrap();
    let edit = mirror(&editor, "arm.R");
    edit_rig(&mut editor, doc, edit).unwrap();
    assert_eq!(rig(&editor, doc).nodes[1].rotation, v(1.0, 0.2, -0.2));
    is_mirrored(&editor);
    assert_eq!(rig(&editor, doc).nodes.len(), 7);
}

#[test]
fn mirroring_the_middle_swaps_both_sides() {
    let (mut editor, doc) = open_rig(ARMS);
    let left = vec![node(&editor, doc, "arm.L")];
    edit_rig(&mut editor, doc, RigEdit::Mirror { nodes: left }).unwrap();
    let right = node(&editor, doc, "arm.R");
    let rest = RestEdit { position: [None, Some(0.9), None], ..RestEdit::default() };
    edit_rig(&mut editor, doc, RigEdit::SetRest { nodes: vec![(right, rest)] }).unwrap();
    let spine = vec![node(&editor, doc, "spine")];
    edit_rig(&mut editor, doc, RigEdit::Mirror { nodes: spine }).unwrap();
    let at = |id: &str| rig(&editor, doc).nodes.iter().find(|n| n.id == id).unwrap().position;
    assert_eq!((at("arm.L"), at("arm.R")), (v(0.2, 0.9, 0.0), v(-0.2, 0.4, 0.0)));
    assert_eq!(rig(&editor, doc).nodes.len(), 7);
}

#[test]
fn a_scene_has_entities_only_and_keeps_everything_else() {
    let scene = "\
animation_name: Stage
sun: [1, 2, 3]
entities:
  - id: cam
    kind: camera
  - id: crate
    kind: entity
    name: Big crate
    position: [1, 0, 0]
  - id: lid
    kind: entity
    parent: crate
";
    let mut editor = posewright::edit::Editor::default();
    let doc = open(&mut editor, FileKind::Scene, "/p/s.yaml", scene);
    let crate_uid = node(&editor, doc, "crate");
    let kind = RigEdit::SetKind { nodes: vec![crate_uid], kind: NodeKind::Joint };
    assert_eq!(edit_rig(&mut editor, doc, kind).unwrap_err().message, check::SCENE_KIND);
    let name = RigEdit::SetDisplayName { node: crate_uid, name: Some("x".to_owned()) };
    assert_eq!(edit_rig(&mut editor, doc, name).unwrap_err().message, check::SCENE_NAME);
    edit_rig(&mut editor, doc, RigEdit::Rename { node: crate_uid, id: "box".to_owned() }).unwrap();
    let expected = scene.replace("id: crate", "id: box").replace("parent: crate", "parent: box");
    assert_eq!(text(&editor, doc), expected);
    edit_rig(&mut editor, doc, RigEdit::DuplicateSubtrees { nodes: vec![crate_uid] }).unwrap();
    let now = text(&editor, doc);
    assert!(now.contains("id: box2\n    kind: entity\n    name: Big crate\n"), "{now}");
}
