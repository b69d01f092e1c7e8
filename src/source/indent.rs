//! Whether the lines of a value that runs over several stand far enough to the right.
//!
//! The event parser lets flow lists and quoted scalars inside a block go on at the very left of
//! the page, or behind a tab; YAML does not. It also wants such lines further right than the block
//! around them, which most readers let pass, and so do we: one space is enough.

use std::ops::Range;

/// The first line of a flow collection or quoted scalar, its own first one left aside, that is not
/// indented by a space. Lines that only close brackets need not be: every reader takes them, and
/// people write them so.
pub(super) fn shallow_line(text: &str, span: Range<usize>) -> Option<usize> {
    let bytes = &text.as_bytes()[..span.end];
    let mut at = span.start;
    while let Some(line_break) = memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        at += line_break + 1;
        if bytes.get(at) == Some(&b' ') {
            continue;
        }
        let mut content = at;
        while matches!(bytes.get(content), Some(b'\t' | b' ')) {
            content += 1;
        }
        match bytes.get(content) {
            // A blank line, or the text's end.
            None | Some(b'\n' | b'\r') => {}
            Some(b'#' | b']' | b'}') => {}
            Some(_) => return Some(content),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shallow(text: &str) -> Option<usize> {
        shallow_line(text, 0..text.len())
    }

    #[test]
    fn lines_must_be_indented() {
        assert_eq!(shallow("[a,\n b,\n c]"), None);
        assert_eq!(shallow("[a,\n\n b]"), None);
        assert_eq!(shallow("[a,\n\t\n b]"), None);
        assert_eq!(shallow("[a,\n# why\n b]"), None);
        assert_eq!(shallow("[a\n]"), None);
        assert_eq!(shallow("[a,\nb]"), Some(4));
        assert_eq!(shallow("[a,\r\nb]"), Some(5));
        assert_eq!(shallow("'a\n\tb'"), Some(4));
        assert_eq!(shallow("'a\n \tb'"), None);
        assert_eq!(shallow("[a, b]"), None);
    }
}
