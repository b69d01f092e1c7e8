//! `posewright edit` of `.anm` and `.pvt`: what is refused, and what is said.
#![allow(clippy::unwrap_used)] // A failed unwrap is a failed test.

mod program;

use program::edit;

const HEAD: &str = "\"version\": 4, \"source\": \"maya\", \"fps\": 24, \"coordinate_system\": {\"up\": \
                    \"y\", \"hand\": \"right\", \"unit\": \"meters\", \"rot_order\": \"xyz\", \
                    \"rot_repr_anim\": \"euler_deg\", \"rot_repr_rest\": \"quat_wxyz\"}";

fn take(hip: &str) -> String {
    let keys = [0, 10].map(|frame| {
        format!(
            "    {{\"frame\": {frame}, \"pos\": [0, {frame}, 0], \"rot\": [0, 0, {frame}], \"scl\": \
             [1, 1, 1], \"interp\": \"BEZIER\", \"handles\": {{\"pos\": [[[{l}, 0], [{r}, 0]], null, \
             null], \"rot\": [], \"scl\": []}}}}",
            l = frame - 1,
            r = frame + 1
        )
    });
    format!(
        "{{\"format\": \"octo_anm\", {HEAD}, \"frame_range\": [0, 10], \"pegs\": [\n  {{\"name\": \
         \"hip\", \"keyframes\": [\n{}\n  ]}},\n  {{\"name\": \"leg\", \"parent\": \"hip\", \
         \"keyframes\": [{hip}]}}\n]}}\n",
        keys.join(",\n")
    )
}

fn skeleton() -> String {
    format!(
        "{{\"format\": \"octo_pvt\", {HEAD}, \"name\": \"R\", \"scale_factor\": 2.0, \
         \"pivot_space\": \"local\", \"bones\": [\n  {{\"name\": \"hip\", \"pivot\": [0, 2.0, \
         0]}},\n  {{\"name\": \"leg\", \"parent\": \"hip\", \"note\": 1}}\n]}}\n"
    )
}

#[test]
fn an_error_that_was_not_there_is_refused() {
    let good = take("");
    let cases = [
        ("pegs[0].keyframes[0].rot_quat=[0, 0, 0, 0]", "is no rotation"),
        ("pegs[0].keyframes[0].scl=[-1, 1, 1]", "mirrors"),
        ("fps=0", "0 frames a second"),
        ("fps=-1", "-1 frames a second"),
        ("pegs[1].parent=zz", "no peg called \"zz\""),
        ("pegs[0].parent=leg", "loop of parents"),
        ("coordinate_system.unit=parsec", "no known word"),
        ("frame_range=[10, 0]", "reversed"),
        ("pegs[0].rest_pivot=[1, 2]", "list of 3 numbers"),
        ("version=3", "unsupported version 3"),
        ("pegs[0].keyframes[1].frame=null", "frame"),
    ];
    for (set, reason) in cases {
        let (code, now, said) = edit(&good, "a.anm", &["--set", set]);
        assert_eq!(code, 2, "{set}: {said}");
        assert!(said.contains(reason), "{set}: {said}");
        assert!(said.contains("nothing was written"), "{set}: {said}");
        assert_eq!(now, good, "{set}");
    }
    // What is only a warning is the user's to know.
    let (code, now, said) = edit(&good, "a.anm", &["--set", "fps=5000"]);
    assert_eq!((code, now.contains("\"fps\": 5000")), (0, true), "{said}");
}

#[test]
fn a_file_with_errors_can_be_edited_and_mended_piece_by_piece() {
    let two = take("").replace("\"parent\": \"hip\"", "\"parent\": \"aa\"").replace("24", "0");
    let (code, now, said) = edit(&two, "a.anm", &["--set", "fps=30"]);
    assert_eq!((code, now), (0, two.replace("\"fps\": 0", "\"fps\": 30")), "{said}");
    // Another error of the same kind is one all the same; another word for the one is not.
    let (code, _, said) = edit(&two, "a.anm", &["--set", "pegs[0].parent=bb"]);
    assert!(code == 2 && said.contains("\"bb\""), "{said}");
    let (code, _, said) = edit(&two, "a.anm", &["--set", "pegs[1].parent=bb"]);
    assert_eq!(code, 0, "{said}");
    let (code, _, said) = edit(&two, "a.anm", &["--set", "pegs[0].keyframes[0].pos[0]=3"]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn it_says_what_became_of_handles() {
    let good = take("");
    let (code, now, said) = edit(&good, "a.anm", &["--set", "pegs[0].keyframes[0].frame=5"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("handles of the key were moved along"), "{said}");
    assert!(now.contains("[[[4, 0], [6, 0]], null, null]"), "{now}");
    let (code, _, said) = edit(&good, "a.anm", &["--set", "pegs[0].keyframes[0].pos[0]=5"]);
    assert!(code == 0 && said.contains("moved along"), "{said}");
    let (code, _, said) = edit(&good, "a.anm", &["--set", "pegs[0].keyframes[0].pos[1]=5"]);
    assert_eq!((code, said.as_str()), (0, ""));
    // Angles that are quite others: handles that no longer fit are dropped.
    let with_rot = take(
        "{\"frame\": 0, \"rot\": [0, 0, 0], \"rot_quat\": [1, 0, 0, 0], \"handles\": {\"rot\": [[[0, \
         0], [1, 0]], null, null]}}",
    );
    let set = ["--set", "pegs[1].keyframes[0].rot_quat=[0, 1, 0, 0]"];
    let (code, now, said) = edit(&with_rot, "a.anm", &set);
    assert!(code == 0 && said.contains("dropped"), "{said}\n{now}");
}

#[test]
fn a_skeleton_is_edited_as_text_and_judged_as_a_skeleton() {
    let good = skeleton();
    let cases = [
        ("scale_factor=4", "\"scale_factor\": 2.0", "\"scale_factor\": 4"),
        ("bones[0].pivot[1]=3", "[0, 2.0, 0]", "[0, 3, 0]"),
        ("bones[1].note=[1, 2]", "\"note\": 1", "\"note\": [1, 2]"),
        ("bones[1].name=foot", "\"name\": \"leg\"", "\"name\": \"foot\""),
        ("bones[1].parent=null", "\"parent\": \"hip\"", "\"parent\": null"),
        ("pivot_space=armature", "\"local\"", "\"armature\""),
    ];
    for (set, from, to) in cases {
        let (code, now, said) = edit(&good, "a.pvt", &["--set", set]);
        assert_eq!((code, now), (0, good.replacen(from, to, 1)), "{set}: {said}");
    }
    let (code, now, _) = edit(&good, "a.pvt", &["--delete", "bones[1]"]);
    assert_eq!(code, 0);
    assert!(!now.contains("leg") && now.contains("\"pivot\": [0, 2.0, 0]}"), "{now}");
    let (code, now, _) = edit(&good, "a.pvt", &["--move", "bones[1]", "0"]);
    assert_eq!(code, 0);
    assert!(now.find("leg") < now.find("\"hip\", \"pivot"), "{now}");
    for (set, reason) in [
        ("scale_factor=0", "divided"),
        ("pivot_space=world", "neither local nor armature"),
        ("bones[1].parent=zz", "\"zz\""),
        ("bones[0].rotation=[0, 0, 0, 0]", "length is 0"),
        ("bones[0].name=null", "no `name`"),
        ("bones=null", "`bones` is missing"),
    ] {
        let (code, now, said) = edit(&good, "a.pvt", &["--set", set]);
        assert_eq!((code, now.as_str()), (2, good.as_str()), "{set}: {said}");
        assert!(said.contains(reason), "{set}: {said}");
    }
}
