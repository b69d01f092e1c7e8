//! What both kinds of export begin with.

/// A word of a file that may be one we know (A21).
pub trait Word: Copy + PartialEq + Sized + 'static {
    /// Every word, in lower case, with what it means; the first word of a meaning is the one that
    /// is written.
    const WORDS: &'static [(&'static str, Self)];

    /// What a word means, upper and lower case alike.
    fn from_word(word: &str) -> Option<Self> {
        let found = Self::WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        found.map(|(_, meaning)| *meaning)
    }

    /// The word that is written.
    fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(_, meaning)| *meaning == self).map_or("", |(word, _)| word)
    }
}

/// A field that holds one of some known words: as written, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<T> {
    /// What stands in the file, known or not; `None` where nothing does.
    pub written: Option<String>,
    /// What it means, where it is known.
    pub known: Option<T>,
}

impl<T> Default for Term<T> {
    fn default() -> Self {
        Term { written: None, known: None }
    }
}

impl<T: Word> Term<T> {
    /// The term of what a file says.
    pub fn new(written: Option<String>) -> Self {
        let known = written.as_deref().and_then(T::from_word);
        Term { written, known }
    }

    /// The term that is written for a meaning.
    pub fn of(meaning: T) -> Self {
        Term { written: Some(meaning.as_str().to_owned()), known: Some(meaning) }
    }

    /// Whether nothing stands there.
    pub fn is_absent(&self) -> bool {
        self.written.is_none()
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $($word:literal)|+,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$each])* $variant,)* }

        impl Word for $name {
            const WORDS: &'static [(&'static str, Self)] =
                &[$($(($word, $name::$variant),)+)*];
        }
    };
}

words! {
    /// The axis that points up.
    UpAxis {
        /// As here.
        Y = "y",
        /// As in Blender.
        Z = "z",
    }
}

words! {
    /// Which hand the axes follow.
    Hand {
        /// As here.
        Right = "right",
        /// Mirrored.
        Left = "left",
    }
}

words! {
    /// What a length of 1 is.
    Unit {
        /// 0.001 m
        Millimeters = "millimeters" | "mm",
        /// 0.01 m
        Centimeters = "centimeters" | "cm",
        /// As here.
        Meters = "meters" | "m",
        /// 0.0254 m
        Inches = "inches" | "in",
        /// 0.3048 m
        Feet = "feet" | "ft",
    }
}

impl Unit {
    /// How many metres one is.
    pub fn meters(self) -> f64 {
        match self {
            Unit::Millimeters => 0.001,
            Unit::Centimeters => 0.01,
            Unit::Meters => 1.0,
            Unit::Inches => 0.0254,
            Unit::Feet => 0.3048,
        }
    }
}

words! {
    /// In which order the angles of `rot` turn about the parent's fixed axes: the first letter's
    /// axis first. `xyz` is R = Rz·Ry·Rx (M20).
    RotOrder {
        /// R = Rz·Ry·Rx
        Xyz = "xyz",
        /// R = Ry·Rz·Rx
        Xzy = "xzy",
        /// R = Rz·Rx·Ry
        Yxz = "yxz",
        /// R = Rx·Rz·Ry
        Yzx = "yzx",
        /// R = Ry·Rx·Rz
        Zxy = "zxy",
        /// R = Rx·Ry·Rz
        Zyx = "zyx",
    }
}

impl RotOrder {
    /// All six.
    pub const ALL: [RotOrder; 6] =
        [RotOrder::Xyz, RotOrder::Xzy, RotOrder::Yxz, RotOrder::Yzx, RotOrder::Zxy, RotOrder::Zyx];

    /// The axes by number (x is 0), the one that turns first in front.
    pub fn axes(self) -> [usize; 3] {
        match self {
            RotOrder::Xyz => [0, 1, 2],
            RotOrder::Xzy => [0, 2, 1],
            RotOrder::Yxz => [1, 0, 2],
            RotOrder::Yzx => [1, 2, 0],
            RotOrder::Zxy => [2, 0, 1],
            RotOrder::Zyx => [2, 1, 0],
        }
    }
}

words! {
    /// How rotations are written.
    RotationForm {
        /// Three angles in degrees.
        EulerDeg = "euler_deg",
        /// Three angles in radians.
        EulerRad = "euler_rad",
        /// A quaternion w, x, y, z.
        QuatWxyz = "quat_wxyz",
    }
}

words! {
    /// What a bone's pivot and rotation are relative to (A31).
    PivotSpace {
        /// The parent.
        Local = "local",
        /// The armature.
        Armature = "armature",
    }
}

/// The space that the values of a file are in, as it is written (A21).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoordinateSystem {
    /// The axis that points up.
    pub up: Term<UpAxis>,
    /// Which hand the axes follow.
    pub hand: Term<Hand>,
    /// What a length of 1 is.
    pub unit: Term<Unit>,
    /// In which order the angles of `rot` turn.
    pub rot_order: Term<RotOrder>,
    /// How `rot` is written.
    pub rot_repr_anim: Term<RotationForm>,
    /// How rest rotations are written.
    pub rot_repr_rest: Term<RotationForm>,
}

impl CoordinateSystem {
    /// The names of the six fields, in the order of the format.
    pub const FIELDS: [&'static str; 6] =
        ["up", "hand", "unit", "rot_order", "rot_repr_anim", "rot_repr_rest"];

    /// The one of the format's own header (A21).
    pub fn canonical() -> Self {
        CoordinateSystem {
            up: Term::of(UpAxis::Y),
            hand: Term::of(Hand::Right),
            unit: Term::of(Unit::Meters),
            rot_order: Term::of(RotOrder::Xyz),
            rot_repr_anim: Term::of(RotationForm::EulerDeg),
            rot_repr_rest: Term::of(RotationForm::QuatWxyz),
        }
    }

    /// The six words as they are written, in the order of [`CoordinateSystem::FIELDS`].
    pub fn written(&self) -> [Option<&str>; 6] {
        [
            self.up.written.as_deref(),
            self.hand.written.as_deref(),
            self.unit.written.as_deref(),
            self.rot_order.written.as_deref(),
            self.rot_repr_anim.written.as_deref(),
            self.rot_repr_rest.written.as_deref(),
        ]
    }

    /// The first of the five fields that keys depend on which means another thing in two files;
    /// where nothing, or nothing known, is written the canonical meaning counts (A1b). How rests
    /// are written is no matter for keys.
    pub fn differs(a: Option<&Self>, b: Option<&Self>) -> Option<&'static str> {
        let canonical = CoordinateSystem::canonical();
        let [a, b] = [a, b].map(|system| {
            let of = system.unwrap_or(&canonical);
            (
                of.up.known.or(canonical.up.known),
                of.hand.known.or(canonical.hand.known),
                of.unit.known.or(canonical.unit.known),
                of.rot_order.known.or(canonical.rot_order.known),
                of.rot_repr_anim.known.or(canonical.rot_repr_anim.known),
            )
        });
        let same = [a.0 == b.0, a.1 == b.1, a.2 == b.2, a.3 == b.3, a.4 == b.4];
        let at = same.iter().position(|same| !same)?;
        Self::FIELDS.get(at).copied()
    }

    /// Which of the six are words we know, in the order of [`CoordinateSystem::FIELDS`]. How rests
    /// are written is known only as `quat_wxyz`.
    pub fn known(&self) -> [bool; 6] {
        [
            self.up.known.is_some(),
            self.hand.known.is_some(),
            self.unit.known.is_some(),
            self.rot_order.known.is_some(),
            self.rot_repr_anim.known.is_some(),
            self.rot_repr_rest.known == Some(RotationForm::QuatWxyz),
        ]
    }

    /// Which of the six mean what the canonical system's do, in the order of
    /// [`CoordinateSystem::FIELDS`].
    pub fn canonical_fields(&self) -> [bool; 6] {
        let canonical = CoordinateSystem::canonical();
        [
            self.up.known == canonical.up.known,
            self.hand.known == canonical.hand.known,
            self.unit.known == canonical.unit.known,
            self.rot_order.known == canonical.rot_order.known,
            self.rot_repr_anim.known == canonical.rot_repr_anim.known,
            self.rot_repr_rest.known == canonical.rot_repr_rest.known,
        ]
    }
}

/// What both kinds of export begin with; `format` and `version` are always the known ones (A1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The program that wrote it: `harmony`, `blender`, `maya`, or any other word.
    pub source: Option<String>,
    /// Frames a second, as written: possibly 0 or less.
    pub fps: Option<f64>,
    /// The space that values are in; `None` where the file does not say.
    pub coordinate_system: Option<CoordinateSystem>,
}

impl Header {
    /// The version that is read and written (A1).
    pub const VERSION: u32 = 4;
    /// Frames a second where the file does not say (A1b).
    pub const DEFAULT_FPS: f64 = 24.0;
    /// The programs that the format names.
    pub const SOURCES: [&'static str; 3] = ["harmony", "blender", "maya"];
}
