//! Repairs of problems that have more than one right answer: the user chooses.

use super::{codes, field, repair};
use crate::diagnostic::{Fix, Problem, TextEdit};
use crate::model::limits::MAX_DURATION_SECS;
use crate::source::{NodeId, Source};

/// The answers that a problem of this text has, where they are several or where taking the only
/// one would lose something; none for a problem whose one right repair stands in it.
pub fn choices(source: &Source, problem: &Problem) -> Vec<Fix> {
    if problem.fix.is_some() || problem.file.is_some() {
        return Vec::new();
    }
    match problem.code {
        codes::KEY_TIMES => key_times(source, problem),
        codes::DUPLICATE_TRACK => duplicate_track(source, problem),
        codes::DUPLICATE_KEY => duplicate_key(source, problem),
        _ => None,
    }
    .unwrap_or_default()
}

/// The index behind a name in a problem's path: 3 of `keys` in `tracks[0].keys[3].time`.
fn index_of(path: &str, name: &str) -> Option<usize> {
    let step = path.split('.').find_map(|step| step.strip_prefix(name)?.strip_prefix('['))?;
    step.strip_suffix(']')?.parse().ok()
}

/// The list of tracks, and the place of the one that a path names.
fn track(source: &Source, path: &str) -> Option<(NodeId, usize)> {
    let tracks = source.resolve(source.get(source.root(), "tracks")?);
    Some((tracks, index_of(path, "tracks")?))
}

fn item(source: &Source, list: NodeId, index: usize) -> Option<NodeId> {
    source.items(list).nth(index).map(|item| source.resolve(item))
}

fn fix(title: String, edits: Vec<TextEdit>) -> Fix {
    Fix { title, edits }
}

/// A number in a text, and how it would be spelled there.
fn replaced(source: &Source, at: NodeId, text: String) -> Option<TextEdit> {
    // What an alias stands for is written elsewhere.
    let plain = source.resolve(at) == at && source.full_span(at) == source.span(at);
    plain.then(|| TextEdit { span: source.span(at), text })
}

fn key_times(source: &Source, problem: &Problem) -> Option<Vec<Fix>> {
    let (tracks, index) = track(source, &problem.path)?;
    let keys = source.get(item(source, tracks, index)?, "keys")?;
    let keys = source.resolve(keys);
    let index = index_of(&problem.path, "keys")?;
    let time_of = |index: usize| {
        let at = source.get(item(source, keys, index)?, "time")?;
        Some((at, field::number(source, at)?))
    };
    let (at, time) = time_of(index)?;
    let duration = source.get(source.root(), "duration")?;
    let end = field::number(source, duration)?;
    let taken = |wanted: f64| {
        (0..source.items(keys).count())
            .any(|other| other != index && time_of(other).is_some_and(|(_, time)| time == wanted))
    };
    let delete =
        |index: usize, title: String| Some(fix(title, repair::delete_item(source, keys, index)?));
    let move_to = |wanted: f64, title: String| {
        let edit = replaced(source, at, number(wanted))?;
        (!taken(wanted)).then(|| fix(title, vec![edit]))
    };
    let mut all = Vec::new();
    if time > end {
        all.extend(move_to(end, format!("Move the key to the end, {} s", number(end))));
        if time <= MAX_DURATION_SECS {
            let edit = replaced(source, duration, number(time));
            let title = format!("Lengthen the clip to {} s", number(time));
            all.extend(edit.map(|edit| fix(title, vec![edit])));
        }
        all.extend(delete(index, "Delete the key".to_owned()));
    } else if time < 0.0 {
        all.extend(move_to(0.0, "Move the key to 0 s".to_owned()));
        all.extend(delete(index, "Delete the key".to_owned()));
    } else if let Some(first) =
        (0..index).find(|other| time_of(*other).is_some_and(|(_, other)| other == time))
    {
        let value = |index: usize| {
            let value = source.get(item(source, keys, index)?, "value")?;
            Some(source.raw(value).split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let title = |word: &str, kept: usize| match value(kept) {
            Some(value) => format!("Keep the {word}: {value}"),
            None => format!("Keep the {word}"),
        };
        all.extend(delete(index, title("first", first)));
        all.extend(delete(first, title("second", index)));
    }
    Some(all)
}

fn duplicate_track(source: &Source, problem: &Problem) -> Option<Vec<Fix>> {
    let (tracks, second) = track(source, &problem.path)?;
    let of = |index: usize| {
        let track = item(source, tracks, index)?;
        let word = |name| source.scalar(source.get(track, name)?).map(|word| word.into_owned());
        Some((word("part")?, word("property")?))
    };
    let wanted = of(second)?;
    let first = (0..second).find(|index| of(*index).as_ref() == Some(&wanted))?;
    let keys = |index: usize| {
        let keys = item(source, tracks, index).and_then(|track| source.get(track, "keys"));
        match keys.map_or(0, |keys| source.items(source.resolve(keys)).count()) {
            1 => "1 key".to_owned(),
            many => format!("{many} keys"),
        }
    };
    let keep = |word: &str, kept: usize, gone: usize| {
        let title = format!("Keep the {word}, with {}", keys(kept));
        Some(fix(title, repair::delete_item(source, tracks, gone)?))
    };
    Some(keep("first", first, second).into_iter().chain(keep("second", second, first)).collect())
}

fn duplicate_key(source: &Source, problem: &Problem) -> Option<Vec<Fix>> {
    let span = problem.span.as_ref()?;
    let (first, second) =
        *source.duplicate_keys().iter().find(|(_, second)| source.span(*second) == *span)?;
    let keep = |word: &str, kept: NodeId, gone: NodeId| {
        let raw = |key: NodeId| {
            let (_, value) = entry(source, key)?;
            let raw = source.raw(value);
            let short = raw.len() <= 40 && !raw.contains(['\n', '\r']) && !raw.is_empty();
            short.then(|| format!(": {raw}"))
        };
        let title = format!("Keep the {word}{}", raw(kept).unwrap_or_default());
        let (map, value) = entry(source, gone)?;
        repair::delete_field(source, map, gone, value, &title)
    };
    Some(keep("first", first, second).into_iter().chain(keep("second", second, first)).collect())
}

/// The mapping that a key stands in, and its value.
fn entry(source: &Source, key: NodeId) -> Option<(NodeId, NodeId)> {
    let place = source.span(key).start;
    let inside = |node: &NodeId| source.full_span(*node).contains(&place);
    let mut at = source.root();
    loop {
        if let Some((_, value)) = source.entries(at).find(|(other, _)| *other == key) {
            return Some((at, value));
        }
        at = source.children(at).find(inside)?;
    }
}

/// A number as a file has it.
fn number(value: f64) -> String {
    format!("{}", (value * 1e9).round() / 1e9)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;
    use crate::format::read_clip;
    use crate::model::Uids;
    use std::sync::Arc;

    /// The titles of the answers to the first problem, and the text after each of them.
    fn answers(text: &str) -> Vec<(String, String)> {
        let source = Arc::new(Source::parse_yaml(text.to_owned()).unwrap());
        let problems = read_clip(&source, &mut Uids::default()).problems;
        let with = problems.iter().map(|problem| choices(&source, problem));
        let found = with.into_iter().find(|choices| !choices.is_empty()).unwrap_or_default();
        found
            .into_iter()
            .map(|fix| {
                let mut mended = text.to_owned();
                for edit in fix.edits.iter().rev() {
                    mended.replace_range(edit.span.clone(), &edit.text);
                }
                (fix.title, mended)
            })
            .collect()
    }

    fn clip(keys: &str) -> String {
        format!(
            "binding: a.rig\nmodel: R\nduration: 2\nloop: false\ntracks:\n  - part: a\n    \
             property: position\n    interpolation: linear\n    keys:\n{keys}"
        )
    }

    #[test]
    fn of_two_keys_at_one_time_either_may_stay() {
        let one = "      - time: 1 # one\n        value: [1, 0, 0]\n";
        let two = "      - time: 1\n        value: [2, 0, 0]\n";
        let found = answers(&clip(&format!("{one}{two}")));
        assert_eq!(found[0], ("Keep the first: [1, 0, 0]".to_owned(), clip(one)));
        assert_eq!(found[1], ("Keep the second: [2, 0, 0]".to_owned(), clip(two)));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_key_outside_is_brought_in_or_the_clip_grows() {
        let key = |time: &str| format!("      - time: {time}\n        value: [0, 0, 0]\n");
        let found = answers(&clip(&format!("{}{}", key("0"), key("3.5"))));
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(
            titles,
            ["Move the key to the end, 2 s", "Lengthen the clip to 3.5 s", "Delete the key"]
        );
        assert_eq!(found[0].1, clip(&format!("{}{}", key("0"), key("2"))));
        let long = clip(&format!("{}{}", key("0"), key("3.5")));
        assert_eq!(found[1].1, long.replace("duration: 2", "duration: 3.5"));
        assert_eq!(found[2].1, clip(&key("0")));
        // Where a key stands at the end, none is moved onto it; no clip is longer than an hour.
        let found = answers(&clip(&format!("{}{}", key("2"), key("4000"))));
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["Delete the key"]);
    }

    #[test]
    fn of_two_tracks_or_fields_either_may_stay() {
        let key = "      - time: 0\n        value: [0, 0, 0]\n";
        let track = |keys: &str| {
            format!(
                "  - part: a\n    property: position\n    interpolation: linear\n    keys:\n{keys}"
            )
        };
        let once = clip(key);
        let found = answers(&format!("{once}{}", track(key)));
        assert_eq!(found[0], ("Keep the first, with 1 key".to_owned(), once.clone()));
        assert_eq!(found.len(), 2);
        let twice = once.replace("model: R\n", "model: R\nmodel: S\n");
        let found = answers(&twice);
        assert_eq!(found[0], ("Keep the first: R".to_owned(), once.clone()));
        assert_eq!(found[1], ("Keep the second: S".to_owned(), once.replace("R\n", "S\n")));
    }
}
