//! Left and right in names: `L_hand`, `hand.L`, `hand-l`, `LeftHand`, `hand_right`, `Left hand`.

/// Each word with its other side. Longer ones first.
const WORDS: [(&str, &str); 3] = [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")];
const LETTERS: [(&str, &str); 2] = [("L", "R"), ("l", "r")];

/// The name of the other side; `None` where a name has no side. The end of a name is looked at
/// first, before a number as copies have it (`hand.L.001`), then its beginning.
pub fn swapped(name: &str) -> Option<String> {
    let stem_end = name.rfind('.').filter(|dot| {
        let digits = &name[dot + 1..];
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    });
    let (stem, number) = name.split_at(stem_end.unwrap_or(name.len()));
    let other = at_end(stem).or_else(|| at_start(stem))?;
    Some(other + number)
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | ' ')
}

/// All sides there are: (this, the other, whether it is a single letter).
fn sides() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let both = |(a, b): (&'static str, &'static str), letter| [(a, b, letter), (b, a, letter)];
    let words = WORDS.into_iter().flat_map(move |pair| both(pair, false));
    words.chain(LETTERS.into_iter().flat_map(move |pair| both(pair, true)))
}

fn at_end(name: &str) -> Option<String> {
    sides().find_map(|(side, other, letter)| {
        let head = name.strip_suffix(side)?;
        let apart = match head.chars().next_back() {
            None => true,
            Some(c) if is_separator(c) => true,
            // `handLeft`: a hump of its own. `Cleft` and `bright` have no side.
            Some(c) => !letter && side.starts_with(char::is_uppercase) && !c.is_uppercase(),
        };
        apart.then(|| format!("{head}{other}"))
    })
}

fn at_start(name: &str) -> Option<String> {
    sides().find_map(|(side, other, letter)| {
        let tail = name.strip_prefix(side)?;
        let apart = match tail.chars().next() {
            None => true,
            Some(c) if is_separator(c) => true,
            // `LeftHand`, `leftHand`; `Lefty` has no side.
            Some(c) => {
                let last_is_lower = side.ends_with(char::is_lowercase);
                !letter && last_is_lower && (c.is_uppercase() || c.is_ascii_digit())
            }
        };
        apart.then(|| format!("{other}{tail}"))
    })
}

#[cfg(test)]
mod tests {
    use super::swapped;

    #[test]
    fn left_and_right_swap_at_either_end() {
        let pairs = [
            ("L_hand", "R_hand"),
            ("hand_L", "hand_R"),
            ("hand.L", "hand.R"),
            ("hand-l", "hand-r"),
            ("hand_l", "hand_r"),
            ("r.foot", "l.foot"),
            ("Left hand", "Right hand"),
            ("hand left", "hand right"),
            ("LeftHand", "RightHand"),
            ("leftHand", "rightHand"),
            ("HandLeft", "HandRight"),
            ("handLeft", "handRight"),
            ("hand_right", "hand_left"),
            ("LEFT_ARM", "RIGHT_ARM"),
            ("Left", "Right"),
            ("L", "R"),
            ("Left2", "Right2"),
            ("hand.L.001", "hand.R.001"),
            ("Finger L", "Finger R"),
            ("Übung_L", "Übung_R"),
        ];
        for (one, other) in pairs {
            assert_eq!(swapped(one).as_deref(), Some(other), "{one}");
            assert_eq!(swapped(other).as_deref(), Some(one), "{other}");
        }
    }

    #[test]
    fn names_without_a_side_stay() {
        for name in [
            "",
            "spine",
            "Lamp",
            "Roll",
            "Lefty",
            "Cleft",
            "bright",
            "upright",
            "Bright",
            "LL",
            "hall",
            "handl",
            "handR",
            "lefthand",
            "righteous",
            ".",
            "L1",
            "0",
            "ALEFT",
        ] {
            assert_eq!(swapped(name), None, "{name}");
        }
    }
}
