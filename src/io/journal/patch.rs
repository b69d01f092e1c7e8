//! One replacement of bytes that leads from a text to the next.

/// Bytes `start..end` of the text before give way to `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    pub start: u64,
    pub end: u64,
    pub text: Vec<u8>,
}

impl Patch {
    /// The smallest single replacement. It may cut a character in two; the result does not.
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        let shared = old.len().min(new.len());
        let head = (0..shared).take_while(|&at| old[at] == new[at]).count();
        let tail = (0..shared - head)
            .take_while(|&at| old[old.len() - 1 - at] == new[new.len() - 1 - at])
            .count();
        Self {
            start: head as u64,
            end: (old.len() - tail) as u64,
            text: new[head..new.len() - tail].to_vec(),
        }
    }

    /// Applies it; false, and nothing changed, where it does not fit.
    pub fn apply(&self, text: &mut Vec<u8>) -> bool {
        let (Ok(start), Ok(end)) = (usize::try_from(self.start), usize::try_from(self.end)) else {
            return false;
        };
        if start > end || end > text.len() {
            return false;
        }
        text.splice(start..end, self.text.iter().copied());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Patch;
    use proptest::prelude::*;

    #[test]
    fn patches_are_small() {
        let patch = Patch::between(b"time: 0.5\nvalue: 1", b"time: 0.75\nvalue: 1");
        assert_eq!(patch, Patch { start: 8, end: 8, text: b"7".to_vec() });
        let patch = Patch::between(b"aaa", b"aaaa");
        assert_eq!(patch, Patch { start: 3, end: 3, text: b"a".to_vec() });
        assert_eq!(Patch::between(b"same", b"same"), Patch { start: 4, end: 4, text: vec![] });
    }

    #[test]
    fn a_patch_that_does_not_fit_changes_nothing() {
        let mut text = b"abc".to_vec();
        for (start, end) in [(2, 1), (0, 4), (4, 4), (u64::MAX, u64::MAX)] {
            assert!(!Patch { start, end, text: vec![1] }.apply(&mut text));
        }
        assert_eq!(text, b"abc");
    }

    proptest! {
        #[test]
        fn a_patch_leads_to_the_new_text(old in "[ab\u{e9}]{0,12}", new in "[ab\u{e9}]{0,12}") {
            let mut text = old.clone().into_bytes();
            prop_assert!(Patch::between(old.as_bytes(), new.as_bytes()).apply(&mut text));
            prop_assert_eq!(text, new.into_bytes());
        }
    }
}
