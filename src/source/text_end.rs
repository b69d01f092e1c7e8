//! The last line of a text that has no line break, and the block scalar that may end in it.

use super::compose::{Patch, Piece, compose};
use super::tree::{Kind, NodeId, Source};

impl Source {
    /// The block scalar in whose last line a node ends, if it does.
    pub(crate) fn block_scalar_at_end(&self, node: NodeId) -> Option<NodeId> {
        let last = NodeId(self.node(node).next.max(1) - 1);
        (self.kind(last) == Kind::Block).then_some(last)
    }

    /// The header of a block scalar that ends the text without a line break, so that its value
    /// stays what it is with a line break behind it: the bytes, and what they are now and then.
    fn stripped_header(&self, block: NodeId) -> Option<(std::ops::Range<usize>, String)> {
        if self.scalar(block).is_some_and(|value| value.ends_with('\n')) {
            return None;
        }
        let span = self.span(block);
        let raw = &self.text[span.clone()];
        let header = &raw[..raw.find([' ', '\t', '\n', '\r']).unwrap_or(raw.len())];
        let stripped = header.replace(['+', '-'], "") + "-";
        (stripped != header).then(|| (span.start..span.start + header.len(), stripped))
    }

    /// Keeps the value of such a block scalar in a copy of its bytes (`bytes`, which begin at
    /// `start` in this text).
    pub(crate) fn strip_line_break(&self, block: NodeId, start: usize, bytes: &mut String) {
        if let Some((span, header)) = self.stripped_header(block) {
            bytes.replace_range(span.start - start..span.end - start, &header);
        }
    }
}

/// The text with all patches. Where it had no last line break it has none now, unless one is part
/// of a value.
pub(super) fn finish(source: &Source, mut patches: Vec<Patch>, line_break: &str) -> String {
    let mut out = compose(source, &mut patches, line_break);
    let unended = |text: &str| !text.is_empty() && !text.ends_with(['\n', '\r']);
    if !unended(&source.text) {
        return out;
    }
    let cut = |out: &str| out.trim_end_matches(['\n', '\r']).len();
    if let Some(block) = source.block_scalar_at_end(source.root()) {
        if out[..cut(&out)].ends_with(&source.text[source.span(block).start..]) {
            out.truncate(cut(&out));
            return out;
        }
        // Its value ended with the text, and would gain a line break elsewhere.
        if let Some((span, header)) = source.stripped_header(block) {
            patches.push(Patch { owner: source.root(), span, with: vec![Piece::Text(header)] });
            out = compose(source, &mut patches, line_break);
        }
    }
    let has_blocks = source.nodes.iter().any(|n| n.kind == Kind::Block);
    if !(has_blocks && ends_in_block_scalar(&out[..cut(&out)])) {
        out.truncate(cut(&out));
    }
    out
}

/// Whether a text ends within a block scalar, whose last line break belongs to its value.
fn ends_in_block_scalar(text: &str) -> bool {
    Source::parse_yaml(text.to_owned()).is_ok_and(|source| {
        source.nodes.iter().any(|n| n.kind == Kind::Block && n.end as usize >= text.len())
    })
}
