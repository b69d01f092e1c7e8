//! Paths of values in a text: `tracks[0].keys[3].value`.

use super::tree::{NodeId, Source};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a mapping.
    Key(String),
    /// An item of a list, from 0.
    Index(usize),
}

/// Reads a path as problems spell it. `None` where it is none.
pub fn parse_path(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, indices) = part.split_once('[').unwrap_or((part, ""));
        if key.is_empty() {
            return None;
        }
        steps.push(Step::Key(key.to_owned()));
        if part.contains('[') {
            for index in indices.strip_suffix(']')?.split("][") {
                steps.push(Step::Index(index.parse().ok()?));
            }
        }
    }
    Some(steps)
}

/// The path of these steps, as problems spell it.
pub fn path_text(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            Step::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    out
}

impl Source {
    /// The node at a path, aliases followed on the way but not at its end.
    pub fn at(&self, steps: &[Step]) -> Option<NodeId> {
        let mut node = self.root();
        for step in steps {
            let container = self.resolve(node);
            node = match step {
                Step::Key(key) => self.entry(container, key)?.1,
                Step::Index(index) => self.items(container).nth(*index)?,
            };
        }
        Some(node)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_as_they_are_spelled() {
        for path in ["duration", "format.version", "tracks[0].keys[3].value", "a[1][2].b"] {
            let steps = parse_path(path).unwrap();
            assert_eq!(path_text(&steps), path);
        }
        for wrong in ["", ".", "a..b", "a[", "a[x]", "a[1", "[0]", "a[-1]", "a[1]b"] {
            assert_eq!(parse_path(wrong), None, "{wrong}");
        }
    }
}
