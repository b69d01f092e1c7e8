//! Numbers as people type them: `90/2`, `+=5`, `*2`, `1,5`, `45°`.

/// What a typed text asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Typed {
    /// This value, for everything selected.
    Set(f64),
    /// This much more.
    Add(f64),
    /// So many times as much.
    Multiply(f64),
}

impl Typed {
    /// The value that comes out of `old`; `None` where it is no finite number.
    pub fn apply(self, old: f64) -> Option<f64> {
        let new = match self {
            Typed::Set(value) => value,
            Typed::Add(value) => old + value,
            Typed::Multiply(value) => old * value,
        };
        new.is_finite().then_some(new)
    }
}

/// Reads a text: a sum with `+ - * / ( )` and `pi`, or one that begins with `+=`, `-=`, `*=`,
/// `/=`, `*` or `/` and reckons with what is there. `None` where it is none, or not finite.
pub fn parse(text: &str) -> Option<Typed> {
    let text = text.trim();
    let (operator, rest) = if let Some(rest) = text.strip_prefix("+=") {
        (Some('+'), rest)
    } else if let Some(rest) = text.strip_prefix("-=") {
        (Some('-'), rest)
    } else if let Some(rest) = text.strip_prefix("*=").or_else(|| text.strip_prefix('*')) {
        (Some('*'), rest)
    } else if let Some(rest) = text.strip_prefix("/=").or_else(|| text.strip_prefix('/')) {
        (Some('/'), rest)
    } else {
        (None, text)
    };
    let value = evaluate(rest)?;
    match operator {
        Some('+') => Some(Typed::Add(value)),
        Some('-') => Some(Typed::Add(-value)),
        Some('*') => Some(Typed::Multiply(value)),
        Some(_) => (1.0 / value).is_finite().then_some(Typed::Multiply(1.0 / value)),
        None => Some(Typed::Set(value)),
    }
}

/// The value of a sum; `None` where it is none, or not finite.
pub fn evaluate(text: &str) -> Option<f64> {
    let mut reader = Reader { rest: text, depth: 0 };
    let value = reader.sum()?;
    reader.skip_space();
    // A unit may stand behind: it changes nothing.
    let unit = reader.rest.trim_end();
    let known = matches!(unit, "" | "°" | "deg" | "rad" | "m" | "s" | "×" | "x");
    (known && value.is_finite()).then_some(value)
}

/// Most brackets in brackets.
const MAX_DEPTH: usize = 64;

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, word: char) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') || self.take('−') {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.take('*') {
                value *= self.factor()?;
            } else if self.take('/') {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = if self.take('-') || self.take('−') {
            -self.factor()?
        } else if self.take('+') {
            self.factor()?
        } else if self.take('(') {
            let value = self.sum()?;
            if !self.take(')') {
                return None;
            }
            value
        } else if let Some(rest) = self.rest.strip_prefix("pi").or(self.rest.strip_prefix('π')) {
            self.rest = rest;
            std::f64::consts::PI
        } else {
            self.number()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn number(&mut self) -> Option<f64> {
        self.skip_space();
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() {
            let digit = bytes[end].is_ascii_digit() || matches!(bytes[end], b'.' | b',');
            let exponent = matches!(bytes[end], b'e' | b'E')
                && end > 0
                && bytes.get(end + 1).is_some_and(|b| {
                    b.is_ascii_digit() || (matches!(b, b'-' | b'+') && bytes.len() > end + 2)
                });
            let sign = matches!(bytes[end], b'-' | b'+')
                && end > 0
                && matches!(bytes[end - 1], b'e' | b'E');
            if !(digit || exponent || sign) {
                break;
            }
            end += 1;
        }
        let (number, rest) = self.rest.split_at(end);
        let value: f64 = number.replace(',', ".").parse().ok()?;
        self.rest = rest;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_reckoned() {
        for (text, value) in [
            ("90/2", 45.0),
            (" 1 + 2 * 3 ", 7.0),
            ("(1+2)*3", 9.0),
            ("-4", -4.0),
            ("--4", 4.0),
            ("1e-3", 0.001),
            ("1,5", 1.5),
            (".5", 0.5),
            ("pi/2", std::f64::consts::FRAC_PI_2),
            ("2*pi", std::f64::consts::TAU),
            ("45°", 45.0),
            ("0.8 m", 0.8),
            ("10-2-3", 5.0),
        ] {
            assert_eq!(parse(text), Some(Typed::Set(value)), "{text}");
        }
    }

    #[test]
    fn operators_reckon_with_what_is_there() {
        let after = |text: &str, old: f64| parse(text).and_then(|typed| typed.apply(old));
        assert_eq!(after("+=5", 10.0), Some(15.0));
        assert_eq!(after("-=2*3", 10.0), Some(4.0));
        assert_eq!(after("*2", 10.0), Some(20.0));
        assert_eq!(after("*=2", 10.0), Some(20.0));
        assert_eq!(after("/4", 10.0), Some(2.5));
        assert_eq!(after("/=4", 10.0), Some(2.5));
        assert_eq!(after("+5", 10.0), Some(5.0), "a sign alone is a sign");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "a", "1/0", "0/0", "1+", "(1", "1)", "1 2", "1..2", "+=", "/0", "1e999"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&"(".repeat(100_000)), None);
        assert_eq!(Typed::Multiply(1e300).apply(1e300), None);
    }
}
