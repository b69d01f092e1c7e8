//! How labels of edits are put.

/// "key", "12 keys".
pub(super) fn count(n: usize, one: &str) -> String {
    if n == 1 { one.to_owned() } else { format!("{n} {one}s") }
}

/// Behind a label: ", replacing 1"; nothing where nothing was replaced.
pub(super) fn replacing(n: usize) -> String {
    if n == 0 { String::new() } else { format!(", replacing {n}") }
}

/// Seconds without the noise of sums: 0.3 and never 0.30000000000000004. Only what is a few units
/// of the last digit off is touched, so that nothing moves.
pub(super) fn tidy(value: f64) -> f64 {
    let rounded = (value * 1e9).round() / 1e9;
    if (rounded - value).abs() <= 8.0 * f64::EPSILON * value.abs().max(1.0) {
        rounded
    } else {
        value
    }
}
