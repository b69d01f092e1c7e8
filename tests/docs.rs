//! `docs/problems.md` and the code agree.
#![allow(clippy::unwrap_used)] // A test that cannot go on should stop.

use posewright::format::codes;
use posewright::model::messages;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../docs/problems.md");

/// Rows of the table: code, severity, message.
fn rows() -> Vec<(String, String, String)> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 5, "{row}");
        assert!(cells.iter().all(|cell| !cell.is_empty()), "{row}");
        (cells[0].trim_matches('`').to_owned(), cells[1].to_owned(), cells[2].to_owned())
    })
    .collect()
}

#[test]
fn every_code_stands_in_the_table_with_its_severity() {
    let documented: Vec<(String, String)> = rows().into_iter().map(|(c, s, _)| (c, s)).collect();
    let listed: Vec<(String, String)> = codes::ALL
        .iter()
        .map(|(code, severity)| ((*code).to_owned(), severity.as_str().to_owned()))
        .collect();
    assert_eq!(documented, listed);
    let unique: BTreeSet<&str> = codes::ALL.iter().map(|(code, _)| *code).collect();
    assert_eq!(unique.len(), codes::ALL.len());
}

#[test]
fn the_sentences_are_those_of_the_program() {
    let all: Vec<String> = rows().into_iter().map(|(_, _, message)| message).collect();
    for message in [
        messages::NO_BINDING,
        messages::MODEL_AND_DURATION,
        messages::TRACK_COUNT,
        messages::PART_AND_PROPERTY,
        messages::INTERPOLATION,
        messages::DUPLICATE_TRACK,
        messages::KEY_COUNT,
        messages::KEY_TIMES,
        messages::ANIMATED_SCALE,
        messages::VALUE_RANGE,
        messages::VECTOR,
        messages::CURVE,
        messages::NODE_COUNT,
        messages::NODE_ID,
        messages::NODE_KIND,
        messages::NODE_SCALE,
        messages::CYCLE,
        messages::DEPTH,
        messages::BINDING_MISMATCH,
        messages::LOOP,
        messages::RIG_NAME,
    ] {
        assert!(all.iter().any(|m| m == message), "{message}");
    }
    for message in [
        messages::clip_format_version("X"),
        messages::rig_format_version("X"),
        messages::clip_version("N"),
        messages::rig_version("1"),
        messages::duplicate_part("…"),
        messages::missing_parent("…"),
        messages::missing_part("…"),
        messages::duplicate_key("…"),
        messages::unknown_tag("…"),
        messages::must_be_text("…"),
    ] {
        let shown = format!("*{message}*");
        assert!(all.iter().any(|m| m.contains(&shown)), "{message}");
    }
}

/// The window says the same as the page, which marks besides what is repaired at a click.
#[test]
fn the_advice_is_that_of_the_program() {
    for row in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let code = cells[0].trim_matches('`');
        let advice = posewright::format::advice(code).unwrap_or_else(|| panic!("{code}"));
        let written = cells[4].replace(" ⚒", "");
        let more = written.strip_prefix(advice).unwrap_or_else(|| panic!("{code}: {written}"));
        assert!(more.is_empty() || more.starts_with(" where there are"), "{code}: {more}");
    }
    assert_eq!(posewright::format::advice("no such code"), None);
}
