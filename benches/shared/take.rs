//! The text of a big take, in the layout of the format's example.

use std::fmt::Write;

/// Pegs of a take.
pub const PEGS: usize = 500;
/// Keys of each.
pub const KEYS: usize = 600;

/// A baked take of [`PEGS`] × [`KEYS`], a little over 50 MB; `key` gives a key's position and its
/// angle about Z in radians.
pub fn baked(mut key: impl FnMut(usize, usize) -> ([f64; 3], f64)) -> String {
    let mut out = String::from(
        "{\n  \"format\": \"octo_anm\",\n  \"version\": 4,\n  \"source\": \"maya\",\n  \
         \"frame_range\": [1, 600],\n  \"fps\": 24.0,\n  \"coordinate_system\": {\n    \
         \"up\": \"y\",\n    \"hand\": \"right\",\n    \"unit\": \"meters\",\n    \
         \"rot_order\": \"xyz\",\n    \"rot_repr_anim\": \"euler_deg\",\n    \
         \"rot_repr_rest\": \"quat_wxyz\"\n  },\n  \"pegs\": [\n",
    );
    for p in 0..PEGS {
        let parent = if p == 0 { "null".to_owned() } else { format!("\"peg{}\"", (p - 1) / 2) };
        let _ = write!(
            out,
            "    {{\n      \"name\": \"peg{p}\",\n      \"path\": \"Top/rig/peg{p}\",\n      \
             \"parent\": {parent},\n      \"rest_pivot\": [0.0, 0.1, 0.0],\n      \
             \"rest_rotation\": [1.0, 0.0, 0.0, 0.0],\n      \"rig\": \"rig\",\n      \
             \"keyframes\": [\n"
        );
        for k in 0..KEYS {
            let ([x, y, z], angle) = key(p, k);
            let (sin, cos) = (angle / 2.0).sin_cos();
            let _ = write!(
                out,
                "        {{\n          \"frame\": {},\n          \
                 \"pos\": [{x:.6}, {y:.6}, {z:.6}],\n          \
                 \"rot\": [0.0, 0.0, {:.6}],\n          \
                 \"rot_quat\": [{cos:.9}, 0.0, 0.0, {sin:.9}],\n          \
                 \"scl\": [1.0, 1.0, 1.0],\n          \"interp\": \"BEZIER\"\n        }}{}\n",
                k + 1,
                angle.to_degrees(),
                if k + 1 == KEYS { "" } else { "," }
            );
        }
        let _ = write!(out, "      ]\n    }}{}\n", if p + 1 == PEGS { "" } else { "," });
    }
    out.push_str("  ],\n  \"cameras\": []\n}\n");
    out
}
