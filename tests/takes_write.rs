//! Writing takes (A60): the same bytes where nothing was edited, and nothing but the edit where
//! something was.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

mod common;

use common::Rng;
use glam::{DVec2, DVec3};
use posewright::format::{read_take, write_take};
use posewright::model::Uids;
use posewright::model::take::{
    AxisHandles, Bone, Channel, ChannelHandles, CoordinateSystem, Handles, Header, Interp,
    Keyframe, Peg, PivotSpace, Skeleton, Take, Term,
};
use std::sync::Arc;

fn read(text: &str) -> Take {
    let reading = read_take(text.to_owned(), &mut Uids::default());
    reading.value.unwrap_or_else(|| panic!("{:?}\n{text}", reading.problems))
}

/// How a random take is written.
struct Style {
    eol: &'static str,
    /// Nothing between anything.
    minified: bool,
    indent: &'static str,
    /// Keys on one line each.
    flat_keys: bool,
    spread_lists: bool,
    unknown: bool,
    final_break: bool,
    mark: bool,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    style: Style,
    out: String,
    depth: usize,
}

impl Writer<'_> {
    fn number(&mut self) -> String {
        let x = self.rng.number();
        match self.rng.below(7) {
            0 => format!("{:.1}", x.round()),
            1 => format!("{x:e}"),
            2 => format!("{:.12}", x),
            3 => "-0.0".to_owned(),
            4 => format!("{}E+1", x / 10.0),
            5 => format!("{}", x.round()),
            _ => format!("{x:?}"),
        }
    }

    fn new_line(&mut self, flat: bool) {
        if self.style.minified {
            return;
        }
        if flat {
            self.out.push(' ');
            return;
        }
        self.out.push_str(self.style.eol);
        (0..self.depth).for_each(|_| self.out.push_str(self.style.indent));
    }

    fn wrap<T>(
        &mut self,
        brackets: [char; 2],
        flat: bool,
        items: &[T],
        mut put: impl FnMut(&mut Self, &T),
    ) {
        self.out.push(brackets[0]);
        self.depth += 1;
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            if !(flat && i == 0) {
                self.new_line(flat);
            }
            put(self, item);
        }
        self.depth -= 1;
        if !flat && !items.is_empty() {
            self.new_line(false);
        }
        self.out.push(brackets[1]);
    }

    fn list(&mut self, count: usize) {
        let numbers: Vec<String> = (0..count).map(|_| self.number()).collect();
        let flat = !self.style.spread_lists;
        self.wrap(['[', ']'], flat, &numbers, |w, number| w.out.push_str(number));
    }

    fn field(&mut self, name: &str, put: impl FnOnce(&mut Self)) {
        let colon = if self.style.minified { ":" } else { ": " };
        self.out.push_str(&format!("\"{name}\"{colon}"));
        put(self);
    }

    fn key(&mut self, frame: &str) {
        let mut fields = vec!["frame"];
        for field in ["pos", "rot", "rot_quat", "scl", "interp", "handles"] {
            if self.rng.chance(80) {
                fields.push(field);
            }
        }
        if self.style.unknown && self.rng.chance(40) {
            fields.push("note \\u00e9");
        }
        if self.rng.chance(30) {
            self.rng.shuffle(&mut fields);
        }
        let flat = self.style.flat_keys;
        let frame = frame.to_owned();
        self.wrap(['{', '}'], flat, &fields, |w, field| {
            w.field(field, |w| match *field {
                "frame" => w.out.push_str(&frame),
                "pos" | "rot" | "scl" => w.list(3),
                "rot_quat" => w.list(4),
                "interp" => {
                    let word = *w.rng.pick(&["BEZIER", "LINEAR", "CONSTANT", "EASE"]);
                    w.out.push_str(&format!("\"{word}\""));
                }
                "handles" => w.handles(flat),
                _ => w.out.push_str("{\"deep\": [1, {\"x\": null}]}"),
            });
        });
    }

    fn handles(&mut self, flat: bool) {
        let channels: Vec<&str> =
            ["pos", "rot", "scl"].into_iter().filter(|_| self.rng.chance(80)).collect();
        self.wrap(['{', '}'], flat, &channels, |w, channel| {
            w.field(channel, |w| {
                if w.rng.chance(40) {
                    return w.out.push_str("[]");
                }
                w.wrap(['[', ']'], flat, &[0, 1, 2], |w, _| {
                    if w.rng.chance(20) {
                        return w.out.push_str("null");
                    }
                    w.wrap(['[', ']'], true, &[0, 1], |w, _| w.list(2));
                });
            });
        });
    }

    fn take(&mut self) {
        if self.style.mark {
            self.out.push('\u{feff}');
        }
        let mut fields = vec!["format", "version", "frame_range", "fps", "pegs", "cameras"];
        if self.style.unknown {
            fields.push("studio");
        }
        let pegs: Vec<usize> = (0..1 + self.rng.below(3)).collect();
        self.wrap(['{', '}'], false, &fields, |w, field| {
            w.field(field, |w| match *field {
                "format" => w.out.push_str("\"octo_anm\""),
                "version" => w.out.push('4'),
                "frame_range" => w.out.push_str("[1,60.0]"),
                "fps" => w.out.push_str("24.0"),
                "cameras" => w.out.push_str("[]"),
                "studio" => w.out.push_str("{\"a\": [1.0, 2.50]}"),
                _ => w.wrap(['[', ']'], false, &pegs, |w, peg| w.peg(*peg)),
            });
        });
        if self.style.final_break {
            self.out.push_str(self.style.eol);
        }
    }

    fn peg(&mut self, index: usize) {
        let count = self.rng.below(6);
        let frames: Vec<String> = (0..count)
            .map(|i| format!("{}{}", i * 5, self.rng.pick(&["", ".0", ".5", "e0"])))
            .collect();
        let fields = ["name", "rest_pivot", "keyframes", "tag"];
        let fields = if self.style.unknown { &fields[..] } else { &fields[..3] };
        self.wrap(['{', '}'], false, fields, |w, field| {
            w.field(field, |w| match *field {
                "name" => w.out.push_str(&format!("\"peg{index}\"")),
                "rest_pivot" => w.list(3),
                "tag" => w.out.push_str("\"\\u0041\""),
                _ => w.wrap(['[', ']'], false, &frames, |w, frame| w.key(frame)),
            });
        });
    }
}

fn random_text(rng: &mut Rng) -> String {
    let style = Style {
        eol: if rng.chance(25) { "\r\n" } else { "\n" },
        minified: rng.chance(20),
        indent: rng.pick::<&str>(&["  ", "  ", "    ", "\t"]),
        flat_keys: rng.chance(50),
        spread_lists: rng.chance(15),
        unknown: rng.chance(50),
        final_break: rng.chance(70),
        mark: rng.chance(10),
    };
    let mut writer = Writer { rng, style, out: String::new(), depth: 0 };
    writer.take();
    writer.out
}

fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.number(), rng.number(), rng.number())
}

fn random_channel(rng: &mut Rng) -> ChannelHandles {
    std::array::from_fn(|_| {
        rng.chance(80).then(|| AxisHandles {
            left: DVec2::new(rng.number(), rng.number()),
            right: DVec2::new(rng.number(), rng.number()),
        })
    })
}

/// One random edit of a key, or of the list of keys.
fn edit(rng: &mut Rng, take: &mut Take, uids: &mut Uids) {
    let at = rng.below(take.pegs.len());
    let peg = Arc::make_mut(&mut take.pegs[at]);
    let count = peg.keyframes.len();
    if count == 0 || rng.chance(15) {
        let key = Keyframe {
            uid: uids.fresh(),
            interp: rng.chance(80).then_some(Interp::Linear),
            frame: rng.number(),
            pos: rng.chance(80).then(|| vector(rng)),
            rot: rng.chance(50).then(|| vector(rng)),
            rot_quat: rng.chance(50).then(|| [rng.number(), 0.5, -0.25, 1e-9]),
            scl: None,
            handles: rng.chance(30).then(|| {
                Box::new(Handles { pos: Some(random_channel(rng)), ..Handles::default() })
            }),
            origin: None,
        };
        return peg.keyframes.insert(rng.below(count + 1), key);
    }
    let index = rng.below(count);
    if rng.chance(12) {
        peg.keyframes.remove(index);
        return;
    }
    if rng.chance(12) {
        // A copy, as the clipboard makes it.
        let mut copy = peg.keyframes[index].clone();
        copy.uid = uids.fresh();
        copy.frame += 0.25;
        copy.origin.as_mut().into_iter().for_each(|origin| origin.with_comments = false);
        return peg.keyframes.insert(rng.below(count + 1), copy);
    }
    if rng.chance(8) {
        let key = peg.keyframes.remove(index);
        return peg.keyframes.insert(rng.below(count), key);
    }
    let key = &mut peg.keyframes[index];
    match rng.below(8) {
        0 => key.frame = rng.number(),
        1 => key.pos = rng.chance(85).then(|| vector(rng)),
        2 => key.rot = rng.chance(85).then(|| vector(rng)),
        3 => key.scl = rng.chance(85).then(|| vector(rng)),
        4 => key.rot_quat = rng.chance(85).then(|| [rng.number(), 0.0, 0.125, 1e20]),
        5 => key.interp = rng.chance(85).then(|| *rng.pick(&Interp::ALL)),
        6 => {
            if let Some(pos) = &mut key.pos {
                pos.y = rng.number();
            }
        }
        _ => {
            let mut handles = key.handles.take().map(|h| *h).unwrap_or_default();
            let channel = *rng.pick(&Channel::ALL);
            *handles.channel_mut(channel) = rng.chance(75).then(|| random_channel(rng));
            key.handles = (!handles.is_empty()).then(|| Box::new(handles));
        }
    }
}

/// What a take says, identities and origins left aside.
fn said(take: &Take) -> String {
    let mut out = format!("{:?} {:?}", take.header, take.frame_range);
    for peg in &take.pegs {
        let keys: Vec<Keyframe> = peg
            .keyframes
            .iter()
            .map(|key| Keyframe { uid: posewright::model::Uid(0), origin: None, ..key.clone() })
            .collect();
        // Minus zero is zero.
        let keys = format!("{keys:?}").replace("-0.0,", "0.0,").replace("-0.0)", "0.0)");
        out += &format!("\n{} {:?} {keys}", peg.name, peg.rest_pivot);
    }
    out.replace("-0.0]", "0.0]")
}

fn cases() -> u64 {
    std::env::var("POSEWRIGHT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

#[test]
fn unedited_takes_keep_every_byte() {
    for seed in 0..cases() {
        let text = random_text(&mut Rng::new(seed));
        let mut take = read(&text);
        assert_eq!(write_take(&take), text, "seed {seed}");
        // Also where every peg was copied, and an edit undone by its opposite.
        for peg in &mut take.pegs {
            *peg = Arc::new((**peg).clone());
            for key in &mut Arc::make_mut(peg).keyframes {
                let frame = key.frame;
                key.frame = 77.0;
                key.frame = frame;
            }
        }
        assert_eq!(write_take(&take), text, "seed {seed}");
    }
}

#[test]
fn edits_read_back_and_leave_everything_else() {
    for seed in 0..cases() {
        let mut rng = Rng::new(seed ^ 0xA60);
        let text = random_text(&mut rng);
        let before = read(&text);
        let mut take = before.clone();
        let mut uids = Uids::default();
        (0..10_000).for_each(|_| {
            uids.fresh();
        });
        for _ in 0..1 + rng.below(5) {
            edit(&mut rng, &mut take, &mut uids);
        }
        let written = write_take(&take);
        let again = read(&written);
        assert_eq!(said(&again), said(&take), "seed {seed}\n{text}\n---\n{written}");
        serde_json::from_str::<serde_json::Value>(written.trim_start_matches('\u{feff}'))
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{written}"));
        assert_eq!(written.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
        assert_eq!(written.ends_with('\n'), text.ends_with('\n'), "seed {seed}");
        if text.contains("\r\n") {
            assert!(!written.replace("\r\n", "").contains('\n'), "seed {seed}\n{written}");
        } else {
            assert!(!written.contains('\r'));
        }
        if !text.contains(['\n', ' ']) {
            assert!(!written.contains(['\n', ' ']), "seed {seed}\n{written}");
        }
        // What was not touched stands there to the byte.
        let source = &before.origin.as_ref().unwrap().source;
        let mut from = 0;
        for (peg, old) in take.pegs.iter().zip(&before.pegs) {
            if Arc::ptr_eq(peg, old) {
                let raw = source.raw(old.origin.as_ref().unwrap().node);
                let at = written[from..].find(raw);
                from += at.unwrap_or_else(|| panic!("seed {seed}: {raw}\n{written}")) + raw.len();
                continue;
            }
            for key in &peg.keyframes {
                let was = old.keyframes.iter().find(|o| o.uid == key.uid);
                if was == Some(key) {
                    let raw = source.raw(key.origin.as_ref().unwrap().node);
                    assert!(written.contains(raw), "seed {seed}: {raw}\n{written}");
                }
            }
        }
        // Unknown fields stay at every level.
        let unknown = |text: &str| text.matches("\"deep\"").count();
        let kept = take.pegs.iter().flat_map(|p| &p.keyframes).filter(|key| {
            key.origin.as_ref().is_some_and(|o| o.source.raw(o.node).contains("\"deep\""))
        });
        assert_eq!(unknown(&written), kept.count(), "seed {seed}\n{written}");
    }
}

const SMALL: &str = r#"{
  "format": "octo_anm",
  "version": 4,
  "fps": 24.0,
  "pegs": [
    {
      "name": "hip",
      "keyframes": [
        {
          "frame": 1,
          "pos": [0.0, 1.50, -2E0],
          "interp": "LINEAR",
          "handles": { "pos": [], "rot": [], "scl": [] }
        },
        {
          "frame": 5.0,
          "pos": [0.0, 1.0, 2.0],
          "interp": "BEZIER"
        }
      ]
    }
  ]
}
"#;

fn edited(text: &str, edit: impl FnOnce(&mut Peg)) -> String {
    let mut take = read(text);
    edit(Arc::make_mut(&mut take.pegs[0]));
    write_take(&take)
}

#[test]
fn one_number_changes_one_number() {
    let written = edited(SMALL, |peg| peg.keyframes[0].pos.as_mut().unwrap().x = 0.25);
    assert_eq!(written, SMALL.replacen("[0.0, 1.50, -2E0]", "[0.25, 1.50, -2E0]", 1));
    let written = edited(SMALL, |peg| peg.keyframes[1].frame = 6.5);
    assert_eq!(written, SMALL.replacen("5.0,", "6.5,", 1));
    let written = edited(SMALL, |peg| peg.keyframes[1].interp = Some(Interp::Constant));
    assert_eq!(written, SMALL.replacen("BEZIER", "CONSTANT", 1));
}

#[test]
fn fields_come_and_go_in_the_format_s_order() {
    let written = edited(SMALL, |peg| {
        peg.keyframes[0].rot_quat = Some([1.0, 0.0, 0.0, 0.5]);
        peg.keyframes[1].interp = None;
    });
    let expected = SMALL
        .replacen("-2E0],\n", "-2E0],\n          \"rot_quat\": [1, 0, 0, 0.5],\n", 1)
        .replacen("2.0],\n          \"interp\": \"BEZIER\"\n", "2.0]\n", 1);
    assert_eq!(written, expected);
    let axis = AxisHandles { left: DVec2::new(0.0, 1.0), right: DVec2::new(2.0, 3.5) };
    let handles = Handles { rot: Some([Some(axis), None, None]), ..Handles::default() };
    let written = edited(SMALL, |peg| {
        peg.keyframes[0].handles = Some(Box::new(handles));
        peg.keyframes[1].handles = Some(Box::new(handles));
    });
    let channel = "[[[0, 1], [2, 3.5]], null, null]";
    let expected = SMALL.replacen("\"rot\": []", &format!("\"rot\": {channel}"), 1).replacen(
        "\"BEZIER\"\n",
        &format!(
            "\"BEZIER\",\n          \"handles\": {{\"pos\": [], \"rot\": {channel}, \"scl\": []}}\n"
        ),
        1,
    );
    assert_eq!(written, expected);
}

#[test]
fn new_keys_look_like_their_neighbours() {
    let new = |frame: f64| Keyframe {
        uid: posewright::model::Uid(9_000),
        interp: Some(Interp::Linear),
        frame,
        pos: Some(DVec3::new(0.0, 0.5, 0.0)),
        rot: None,
        rot_quat: None,
        scl: None,
        handles: None,
        origin: None,
    };
    let lines = "        {\n          \"frame\": 3,\n          \"pos\": [0, 0.5, 0],\n          \
                 \"interp\": \"LINEAR\"\n        },\n";
    let written = edited(SMALL, |peg| peg.keyframes.insert(1, new(3.0)));
    let second = "        {\n          \"frame\": 5.0";
    assert_eq!(written, SMALL.replacen(second, &format!("{lines}{second}"), 1));
    // In CRLF and in a text without any white space.
    let crlf = SMALL.replace('\n', "\r\n");
    let written = edited(&crlf, |peg| peg.keyframes.insert(1, new(3.0)));
    let expected = SMALL.replacen(second, &format!("{lines}{second}"), 1).replace('\n', "\r\n");
    assert_eq!(written, expected);
    let tight: String = SMALL.split_whitespace().collect();
    let written = edited(&tight, |peg| peg.keyframes.push(new(3.0)));
    let tail = "\"interp\":\"BEZIER\"}";
    let key = "{\"frame\":3,\"pos\":[0,0.5,0],\"interp\":\"LINEAR\"}";
    assert_eq!(written, tight.replacen(tail, &format!("{tail},{key}"), 1));
    // The first key of an empty list, and the last key gone.
    let empty = edited(SMALL, |peg| peg.keyframes.clear());
    assert!(empty.contains("\"keyframes\": []\n    }"), "{empty}");
    let written = edited(&empty, |peg| peg.keyframes.push(new(3.0)));
    let key = lines.trim_end_matches(",\n");
    let expected = empty.replacen("[]", &format!("[\n{key}\n      ]"), 1);
    assert_eq!(written, expected);
}

#[test]
fn a_new_take_is_laid_out_like_the_format_s_example() {
    let key = Keyframe {
        uid: posewright::model::Uid(2),
        interp: Some(Interp::Bezier),
        frame: 1.0,
        pos: Some(DVec3::ZERO),
        rot: Some(DVec3::new(0.0, 90.0, 0.0)),
        rot_quat: None,
        scl: Some(DVec3::ONE),
        handles: None,
        origin: None,
    };
    let peg = Peg {
        uid: posewright::model::Uid(1),
        name: "hip \"P\"".to_owned(),
        path: Some(String::new()),
        parent: None,
        rest_pivot: Some(DVec3::Y),
        rest_rotation: Some([1.0, 0.0, 0.0, 0.0]),
        rig: None,
        is_camera: false,
        source_modes: None,
        keyframes: vec![key],
        origin: None,
    };
    let take = Take {
        header: Header {
            source: Some("blender".to_owned()),
            fps: Some(24.0),
            coordinate_system: Some(CoordinateSystem::canonical()),
        },
        frame_range: Some([1.0, 60.0]),
        pegs: vec![Arc::new(peg)],
        cameras: Vec::new(),
        origin: None,
    };
    let expected = r#"{
  "format": "octo_anm",
  "version": 4,
  "source": "blender",
  "frame_range": [1, 60],
  "fps": 24,
  "coordinate_system": {
    "up": "y",
    "hand": "right",
    "unit": "meters",
    "rot_order": "xyz",
    "rot_repr_anim": "euler_deg",
    "rot_repr_rest": "quat_wxyz"
  },
  "pegs": [
    {
      "name": "hip \"P\"",
      "parent": null,
      "rest_pivot": [0, 1, 0],
      "rest_rotation": [1, 0, 0, 0],
      "keyframes": [
        {
          "frame": 1,
          "pos": [0, 0, 0],
          "rot": [0, 90, 0],
          "scl": [1, 1, 1],
          "interp": "BEZIER"
        }
      ]
    }
  ],
  "cameras": []
}
"#;
    assert_eq!(write_take(&take), expected);
    assert_eq!(write_take(&read(expected)), expected);
}

#[test]
fn a_new_skeleton_is_too() {
    let bone = Bone {
        uid: posewright::model::Uid(1),
        name: "hip".to_owned(),
        parent: None,
        pivot: Some(DVec3::new(0.0, 1.5, 0.0)),
        rotation: Some([1.0, 0.0, 0.0, 0.0]),
        path: Some("Armature/hip".to_owned()),
        rig: None,
        is_camera: false,
        origin: None,
    };
    let skeleton = Skeleton {
        header: Header { source: None, fps: Some(24.0), coordinate_system: None },
        name: Some("r".to_owned()),
        scale_factor: Some(1.0),
        pivot_space: Term::of(PivotSpace::Local),
        bones: vec![Arc::new(bone)],
        cameras: Vec::new(),
        origin: None,
    };
    let expected = r#"{
  "format": "octo_pvt",
  "version": 4,
  "name": "r",
  "scale_factor": 1,
  "pivot_space": "local",
  "fps": 24,
  "bones": [
    {
      "name": "hip",
      "parent": null,
      "pivot": [0, 1.5, 0],
      "rotation": [1, 0, 0, 0],
      "path": "Armature/hip"
    }
  ],
  "cameras": []
}
"#;
    assert_eq!(posewright::format::write_skeleton(&skeleton), expected);
}
