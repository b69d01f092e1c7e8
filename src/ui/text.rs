//! Words from files, made safe to show.

use std::borrow::Cow;

/// Whether a character could upset the line it is shown in: controls, line and paragraph ends,
/// marks that turn the direction of writing, and other invisible ones.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// A text in one line, without control and bidi characters (each shows as `·`), and at most
/// `max_chars` long: what is longer ends in `…`. Looks at no more of the text than it shows.
pub fn clean(text: &str, max_chars: usize) -> Cow<'_, str> {
    let mut shown_chars = 0;
    let mut harmless = true;
    for c in text.chars().take(max_chars.saturating_add(1)) {
        shown_chars += 1;
        harmless &= !is_unsafe(c);
    }
    let too_long = shown_chars > max_chars;
    if harmless && !too_long {
        return Cow::Borrowed(text);
    }
    let kept = if too_long { max_chars.saturating_sub(1) } else { max_chars };
    let mut shown: String =
        text.chars().take(kept).map(|c| if is_unsafe(c) { '·' } else { c }).collect();
    if too_long {
        shown.push('…');
    }
    Cow::Owned(shown)
}

/// A name as rows and fields show it.
pub fn name(text: &str) -> Cow<'_, str> {
    clean(text, 80)
}

/// `1 key`, `12 keys`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}

/// A number of seconds, metres or factors as fields show it: fixed places, no negative zero, and
/// a word for what is no number.
pub fn number(value: f64, places: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let shown = format!("{value:.places$}");
    match shown.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_become_one_short_line() {
        assert_eq!(clean("hand", 80), "hand");
        assert_eq!(clean("a\nb\u{202e}c", 80), "a·b·c");
        assert_eq!(clean("abcdef", 4), "abc…");
        assert_eq!(clean("abcd", 4), "abcd");
        assert_eq!(clean("日本語の手", 5), "日本語の手");
        assert_eq!(clean("日本語の手首", 5), "日本語の…");
        let long = "x".repeat(1 << 20);
        assert_eq!(clean(&long, 80).chars().count(), 80);
    }

    #[test]
    fn numbers_have_no_negative_zero() {
        assert_eq!(number(-0.0001, 3), "0.000");
        assert_eq!(number(-1.5, 2), "-1.50");
        assert_eq!(number(f64::NAN, 2), "–");
    }
}
