//! What a comparison says, in a person's words.

use super::pose::{Cause, Extreme, PoseDifference};
use super::report::{Change, Clock, Difference, Element, KeyChange, KeysChange, Tally, What};
use crate::model::take::Interp;

/// A length for people: `3.2 cm`.
pub fn length(metres: f64) -> String {
    let size = metres.abs();
    if !size.is_finite() {
        "more than can be said".to_owned()
    } else if size >= 1.0 {
        format!("{metres:.2} m")
    } else if size >= 0.01 {
        format!("{:.1} cm", metres * 100.0)
    } else if size >= 1e-4 {
        format!("{:.1} mm", metres * 1000.0)
    } else {
        format!("{:.4} mm", metres * 1000.0)
    }
}

/// An angle for people: `12.4°`.
pub fn angle(degrees: f64) -> String {
    match degrees.abs() {
        size if !size.is_finite() => "more than can be said".to_owned(),
        size if size >= 0.1 => format!("{degrees:.1}°"),
        _ => format!("{degrees:.3}°"),
    }
}

/// A difference of factors for people: `0.25`.
pub fn factor(factor: f64) -> String {
    match factor.abs() {
        size if size >= 0.01 => format!("{factor:.2}"),
        _ => format!("{factor:.4}"),
    }
}

/// A time for people: `frame 41`, `1.25 s`.
pub fn moment(clock: Clock, at: f64) -> String {
    match clock {
        Clock::Frames => format!("frame {}", short(at)),
        Clock::Seconds => format!("{} s", short(at)),
    }
}

/// A number with at most three decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A stretch of time for people: `2 frames`, `0.25 s`.
fn stretch(clock: Clock, by: f64) -> String {
    let by = by.abs();
    match clock {
        Clock::Frames if (by - 1.0).abs() < 1e-9 => "1 frame".to_owned(),
        Clock::Frames => format!("{} frames", short(by)),
        Clock::Seconds => format!("{} s", short(by)),
    }
}

/// So many of something: `1 key`, `3 keys`.
fn keys(count: usize) -> String {
    if count == 1 { "1 key".to_owned() } else { format!("{count} keys") }
}

/// Longest value of a field that is shown whole, in characters.
const MAX_VALUE: usize = 40;

fn value(value: &Option<String>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(text) if text.is_empty() => "\"\"".to_owned(),
        Some(text) if text.chars().count() > MAX_VALUE => {
            text.chars().take(MAX_VALUE).chain(['…']).collect()
        }
        Some(text) => text.clone(),
    }
}

/// Longest way to say that something is one: `changed by 3 cm` for one, `by up to` for more.
fn by_up_to(count: usize) -> &'static str {
    if count == 1 { "by" } else { "by up to" }
}

impl Change {
    /// The change in words, without the element's name.
    pub fn words(&self) -> String {
        match self {
            Change::Added { keys: 0 } => "added".to_owned(),
            Change::Added { keys: count } => format!("added, with {}", keys(*count)),
            Change::Removed { keys: 0 } => "removed".to_owned(),
            Change::Removed { keys: count } => format!("removed, with {}", keys(*count)),
            Change::Renamed { from, to } => {
                format!("renamed from {} to {}", name(from), name(to))
            }
            Change::Reparented { from, to } => match (from, to) {
                (Some(from), Some(to)) => {
                    format!("hangs on {} instead of {}", name(to), name(from))
                }
                (None, Some(to)) => format!("hangs on {} instead of being a root", name(to)),
                (Some(from), None) => format!("a root, no longer on {}", name(from)),
                (None, None) => "its parent changed".to_owned(),
            },
            Change::Rest { metres, degrees, factor: scaled } => {
                let mut parts = Vec::new();
                if *metres != 0.0 {
                    parts.push(format!("moved by {}", length(*metres)));
                }
                if *degrees != 0.0 {
                    parts.push(format!("turned by {}", angle(*degrees)));
                }
                if *scaled != 0.0 {
                    parts.push(format!("scaled by {}", factor(*scaled)));
                }
                format!("rest {}", and(&parts))
            }
            Change::Field { field, from, to } => {
                format!("{field}: {} → {}", value(from), value(to))
            }
            Change::Keys(change) => change.words(),
            Change::Unknown { path, from, to } => {
                format!("{path} (unknown): {} → {}", value(from), value(to))
            }
        }
    }
}

fn name(name: &str) -> &str {
    if name.is_empty() { "\"\"" } else { name }
}

fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn interp_word(interp: Interp) -> &'static str {
    match interp {
        Interp::Unknown => "an unknown word",
        known => known.as_str(),
    }
}

impl KeysChange {
    /// The changes of keys in words, what moves most first.
    pub fn words(&self) -> String {
        let tally = self.tally();
        let clock = self.clock;
        let at = |tally: &Tally| moment(clock, tally.at);
        let mut parts = Vec::new();
        for (what, tally) in [("added", &tally.added), ("removed", &tally.removed)] {
            if tally.count > 0 {
                parts.push(format!("{} {what} ({})", keys(tally.count), self.moments(what)));
            }
        }
        if tally.moved.count > 0 {
            let by = stretch(clock, tally.moved.by);
            let even = self.keys.iter().filter(|key| key.moved != 0.0);
            let even = even.map(|key| key.moved).all(|by| (by - tally.moved.by).abs() < 1e-6);
            let how = if even { "by" } else { "by up to" };
            let way = match (even, tally.moved.by > 0.0) {
                (true, true) => " later",
                (true, false) => " earlier",
                _ => "",
            };
            parts.push(format!("{} moved {how} {by}{way}", keys(tally.moved.count)));
        }
        type Say = fn(f64) -> String;
        let channels: [(&str, Say); 3] =
            [("position", length), ("rotation", angle), ("scale", factor)];
        for ((what, say), tally) in channels.iter().zip(&tally.values) {
            if tally.count > 0 {
                let how = by_up_to(tally.count);
                let more = if tally.count > 1 {
                    format!(", {}", keys(tally.count))
                } else {
                    String::new()
                };
                let (by, at) = (say(tally.by), at(tally));
                parts.push(format!("{what} changed {how} {by} ({at}{more})"));
            }
        }
        if tally.angles.count > 0 {
            let (how, by) = (by_up_to(tally.angles.count), angle(tally.angles.by));
            let at = at(&tally.angles);
            parts.push(format!("the same rotation by angles that differ {how} {by} ({at})"));
        }
        if let (Some([from, to]), count) = (tally.interp_from_to, tally.interp.count) {
            let (from, to) = (interp_word(from), interp_word(to));
            let of = if count == 1 { String::new() } else { format!(" of {}", keys(count)) };
            let at =
                if count == 1 { at(&tally.interp) } else { format!("first {}", at(&tally.interp)) };
            parts.push(format!("interpolation{of} {from} → {to} ({at})"));
        }
        for ((what, say), tally) in channels.iter().zip(&tally.handles) {
            if tally.count == 0 {
                continue;
            }
            let at = at(tally);
            let of =
                if tally.count == 1 { String::new() } else { format!(", {}", keys(tally.count)) };
            parts.push(match tally.by {
                by if by.is_infinite() => format!("{what} handles came or went ({at}{of})"),
                0.0 => format!("{what} handles moved along time ({at}{of})"),
                by => format!(
                    "{what} handles changed {} {} ({at}{of})",
                    by_up_to(tally.count),
                    say(by)
                ),
            });
        }
        if tally.unknown.count > 0 {
            parts.push(format!("unknown fields of {} differ", keys(tally.unknown.count)));
        }
        parts.join(", ")
    }

    /// When keys were added or removed: a few of the moments.
    fn moments(&self, what: &str) -> String {
        const SHOWN: usize = 3;
        let counts = |key: &&KeyChange| match what {
            "added" => key.is_added(),
            _ => key.is_removed(),
        };
        let times: Vec<f64> = self.keys.iter().filter(counts).map(|key| key.at).collect();
        let shown: Vec<String> = times.iter().take(SHOWN).map(|at| short(*at)).collect();
        let more = if times.len() > SHOWN { ", …" } else { "" };
        match (self.clock, times.len()) {
            (Clock::Frames, 1) => format!("frame {}", shown.join(", ")),
            (Clock::Frames, _) => format!("frames {}{more}", shown.join(", ")),
            (Clock::Seconds, _) => format!("{}{more} s", shown.join(", ")),
        }
    }
}

impl KeyChange {
    /// The change of this one key in words: `frame 41: rotation changed by 12.4°`.
    pub fn words(&self, clock: Clock) -> String {
        let one = KeysChange { clock, keys: vec![*self] };
        let at = moment(clock, self.at);
        if self.is_added() {
            return format!("{at}: added");
        }
        if self.is_removed() {
            return format!("{at}: removed");
        }
        // Of one key the moment is said once.
        let words = one.words().replace(&format!(" ({at})"), "").replace("1 key moved", "moved");
        format!("{at}: {words}")
    }
}

impl Element {
    /// What differs about it, in one sentence: `hand.L: 3 keys moved by up to 2 frames, rotation
    /// changed by up to 12.4° (frame 41)`.
    pub fn words(&self) -> String {
        let kind = match self.what {
            What::Camera => "camera ",
            _ => "",
        };
        format!("{kind}{}: {}", name(&self.name), self.change_words())
    }

    /// What differs about it, without its name.
    pub fn change_words(&self) -> String {
        self.changes.iter().map(Change::words).collect::<Vec<_>>().join("; ")
    }
}

impl Cause {
    fn words(&self) -> String {
        if self.degrees > 1e-6 && 0.01 * self.degrees >= self.metres {
            format!("turned by {}", angle(self.degrees))
        } else if self.metres > 1e-9 {
            format!("moved by {}", length(self.metres))
        } else {
            format!("scaled by {}", factor(self.factor))
        }
    }
}

impl PoseDifference {
    fn joint(&self, at: usize) -> &str {
        self.joints.get(at).map_or("", |joint| name(&joint.name))
    }

    fn place(&self, extreme: &Extreme) -> String {
        let on = format!("on {}", self.joint(extreme.joint));
        match self.clock {
            Some(clock @ Clock::Frames) => format!("at {} {on}", moment(clock, extreme.at)),
            Some(clock @ Clock::Seconds) => format!("at {} {on}", moment(clock, extreme.at)),
            None => on,
        }
    }

    /// Where joints are farthest apart: `worst 3.2 cm at frame 41 on hand.L`.
    pub fn worst_words(&self) -> Option<String> {
        let far = self.farthest.filter(|far| far.by > 1e-9);
        let turned = self.most_turned.filter(|turned| turned.by > 1e-6);
        // Where nothing is elsewhere, something may be turned.
        match (far, turned) {
            (Some(far), _) if far.by >= 1e-6 || turned.is_none() => {
                Some(format!("worst {} {}", length(far.by), self.place(&far)))
            }
            (_, Some(turned)) => {
                Some(format!("worst {} {}", angle(turned.by), self.place(&turned)))
            }
            (far, None) => far.map(|far| format!("worst {} {}", length(far.by), self.place(&far))),
        }
    }

    /// Why the worst joint is where it is: `since shoulder.L is turned by 12.4°`.
    pub fn why_words(&self, extreme: &Extreme) -> Option<String> {
        let cause = extreme.cause?;
        let who = match cause.joint == extreme.joint {
            true => "which is itself".to_owned(),
            false => format!("since {} is", self.joint(cause.joint)),
        };
        Some(format!("{who} {}", cause.words()))
    }
}

impl Difference {
    /// How many elements of each kind differ: `7 pegs`.
    fn counts(&self) -> Vec<String> {
        let kinds = [What::Peg, What::Bone, What::Node, What::Part, What::Track, What::Camera];
        let mut counts: Vec<String> = Vec::new();
        for what in kinds {
            let count = self.elements.iter().filter(|element| element.what == what).count();
            if count > 0 {
                counts.push(format!("{count} {}", what.word(count)));
            }
        }
        match self.header.len() {
            0 => {}
            1 => counts.push("1 header field".to_owned()),
            count => counts.push(format!("{count} header fields")),
        }
        counts
    }

    /// All in one line: `7 pegs differ, worst 3.2 cm at frame 41 on hand.L`.
    pub fn summary(&self) -> String {
        let counts = self.counts();
        let worst = self.poses.as_ref().filter(|poses| poses.is_beyond(&self.tolerances));
        let worst = worst.and_then(PoseDifference::worst_words);
        if counts.is_empty() && self.is_empty() {
            return "nothing differs".to_owned();
        }
        let one = self.elements.len() + self.header.len() == 1;
        let verb = if one { "differs" } else { "differ" };
        match (counts.is_empty(), worst) {
            (false, Some(worst)) => format!("{} {verb}, {worst}", and(&counts)),
            (false, None) => format!("{} {verb}", and(&counts)),
            (true, Some(worst)) => format!("the poses differ, {worst}"),
            (true, None) => "the poses could not be compared".to_owned(),
        }
    }

    /// What the poses say beyond the summary: who is farthest and most turned, why, and how many
    /// only follow.
    pub fn pose_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.extreme_lines().into_iter().map(|line| line.0).collect();
        lines.extend(self.follow_line());
        lines
    }

    /// Who is farthest and who is most turned, where and why, each with the moment.
    pub fn extreme_lines(&self) -> Vec<(String, f64)> {
        let mut lines = Vec::new();
        let Some(poses) = self.poses.as_ref().filter(|poses| poses.is_beyond(&self.tolerances))
        else {
            return lines;
        };
        let extremes = [
            (poses.farthest, self.tolerances.position_m, "farthest", length as fn(f64) -> String),
            (poses.most_turned, self.tolerances.angle_deg, "most turned", angle),
        ];
        for (extreme, tolerance, what, say) in extremes {
            let Some(extreme) = extreme.filter(|extreme| extreme.by > tolerance) else { continue };
            let why = poses.why_words(&extreme).map(|why| format!(", {why}")).unwrap_or_default();
            let words = format!("{what}: {} {}{why}", say(extreme.by), poses.place(&extreme));
            lines.push((words, extreme.at));
        }
        lines
    }

    /// Who differs by itself, and how many only follow.
    pub fn follow_line(&self) -> Option<String> {
        let poses = self.poses.as_ref()?;
        let causes = poses.causes(&self.tolerances);
        let followers = poses.followers(&self.tolerances);
        if followers > 0 && !causes.is_empty() {
            const SHOWN: usize = 5;
            let shown: Vec<String> =
                causes.iter().take(SHOWN).map(|joint| name(&joint.name).to_owned()).collect();
            let more = match causes.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let joints =
                if followers == 1 { "1 joint".to_owned() } else { format!("{followers} joints") };
            let (verb, itself) = match causes.len() {
                1 => ("differs", "itself"),
                _ => ("differ", "themselves"),
            };
            let follow = if followers == 1 { "only follows" } else { "only follow" };
            let shown = shown.join(", ");
            return Some(format!("{shown}{more} {verb} by {itself}; {joints} {follow}"));
        }
        None
    }

    /// Everything, line by line: poses, header, elements, notes; the summary left aside.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.pose_lines();
        lines.extend(self.header.iter().map(Change::words));
        lines.extend(self.elements.iter().map(Element::words));
        lines.extend(self.notes.iter().cloned());
        lines
    }
}
