//! Reading JSON byte by byte: white space, strings, numbers, and whole values that nobody needs.
//!
//! Nothing here calls itself, so that no text can exhaust the stack.

use super::MAX_NESTING;
use super::tree::SyntaxError;
use std::ops::Range;

/// A place in a JSON text from which values are read. Offsets are those of the whole text.
#[derive(Clone, Debug)]
pub(crate) struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    pub at: usize,
    /// How many lists and objects are open around this place.
    pub depth: usize,
}

/// A string as it is spelled.
#[derive(Clone, Debug)]
pub(crate) struct Spelled {
    /// The bytes between the quotes.
    pub inner: Range<usize>,
    /// Whether escapes must be undone.
    pub escaped: bool,
}

impl Spelled {
    /// The bytes with the quotes.
    pub fn span(&self) -> Range<usize> {
        self.inner.start - 1..self.inner.end + 1
    }
}

type Scanned<T> = Result<T, SyntaxError>;

/// Powers of ten that an f64 holds exactly.
const EXACT_TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

impl<'t> Scan<'t> {
    pub fn new(text: &'t str, at: usize, depth: usize) -> Self {
        Scan { text, bytes: text.as_bytes(), at, depth }
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    pub fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// What is wrong here.
    #[cold]
    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { message: message.into(), offset: self.at }
    }

    /// That something else was expected here.
    #[cold]
    pub fn expected(&self, what: &str) -> SyntaxError {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => return self.error(format!("expected {what}, but the text ends here")),
            Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(c) if c.is_control() || c == '\u{feff}' => format!("U+{:04X}", c as u32),
            Some(c) => format!("`{c}`"),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    #[inline]
    fn take(&mut self, byte: u8, what: &str) -> Scanned<()> {
        if self.peek() != Some(byte) {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(())
    }

    /// `[` or `{` was met here: one level deeper.
    #[inline]
    pub fn open(&mut self) -> Scanned<()> {
        if self.depth >= MAX_NESTING {
            return Err(self.error(format!("nested deeper than {MAX_NESTING} levels")));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// `]` or `}` was met here.
    #[inline]
    pub fn close(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }

    /// A string, its quotes included.
    #[inline]
    pub fn string(&mut self, what: &str) -> Scanned<Spelled> {
        self.take(b'"', what)?;
        let start = self.at;
        let mut escaped = false;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0..0x20) => {
                    return Err(match self.bytes[self.at] {
                        b'\n' | b'\r' => self.error("a string does not end on its line"),
                        b'\t' => self.error("a tab in a string must be written \\t"),
                        byte => self.error(format!(
                            "a control character in a string must be written \\u{byte:04x}"
                        )),
                    });
                }
                Some(_) => self.at += 1,
                None => return Err(self.error("a string does not end")),
            }
        }
        let inner = start..self.at;
        self.at += 1;
        Ok(Spelled { inner, escaped })
    }

    fn escape(&mut self) -> Scanned<()> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => {
                let unit = self.hex(self.at + 2)?;
                match unit {
                    0xD800..0xDC00 => {
                        let second = self.bytes.get(self.at + 6..self.at + 8);
                        let pair = second == Some(b"\\u")
                            && matches!(self.hex(self.at + 8), Ok(0xDC00..0xE000));
                        if !pair {
                            return Err(self.error(
                                "half of a surrogate pair: \\uD800 to \\uDBFF must be followed \
                                 by \\uDC00 to \\uDFFF",
                            ));
                        }
                        self.at += 12;
                    }
                    0xDC00..0xE000 => {
                        return Err(
                            self.error("half of a surrogate pair: its first half is missing")
                        );
                    }
                    _ => self.at += 6,
                }
                Ok(())
            }
            None => Err(self.error("a string does not end")),
            Some(_) => Err(self.error(
                "an escape that JSON does not have: only \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \
                 \\u with four hex digits are ones",
            )),
        }
    }

    fn hex(&self, at: usize) -> Scanned<u32> {
        let digits = self.bytes.get(at..at + 4).unwrap_or_default();
        let all = digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit);
        let number = std::str::from_utf8(digits).ok().filter(|_| all);
        number
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.error("\\u must be followed by four hex digits"))
    }

    /// A number, exactly. One that no f64 can hold is an error.
    #[inline]
    pub fn number(&mut self) -> Scanned<f64> {
        let start = self.at;
        let bytes = self.bytes;
        let mut at = start;
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        // Up to 19 digits fit; more are left to the parser of the standard library.
        let mut mantissa: u64 = 0;
        let mut digits = 0;
        let first = at;
        while let Some(byte @ b'0'..=b'9') = bytes.get(at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            at += 1;
        }
        digits += at - first;
        if digits == 0 || digits > 1 && bytes[first] == b'0' {
            return Err(self.no_number());
        }
        let mut exponent = 0_i64;
        if bytes.get(at) == Some(&b'.') {
            at += 1;
            let point = at;
            while let Some(byte @ b'0'..=b'9') = bytes.get(at) {
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                at += 1;
            }
            if at == point {
                return Err(self.no_number());
            }
            digits += at - point;
            exponent -= (at - point) as i64;
        }
        let mut plain = true;
        if let Some(b'e' | b'E') = bytes.get(at) {
            plain = false;
            at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
            let power = at;
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            if at == power {
                return Err(self.no_number());
            }
        }
        // A whole number below 2^53 and a power of ten up to 22 are exact, so that one division
        // rounds once, and rightly.
        let tens = EXACT_TENS.get(exponent.unsigned_abs() as usize);
        let value = match tens {
            Some(tens) if plain && digits <= 19 && mantissa < 1 << 53 => {
                let size = mantissa as f64 / tens;
                if negative { -size } else { size }
            }
            _ => self.text[start..at].parse().map_err(|_| self.no_number())?,
        };
        if !value.is_finite() {
            return Err(self.error("a number too large for a double"));
        }
        self.at = at;
        Ok(value)
    }

    #[cold]
    fn no_number(&self) -> SyntaxError {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '.');
        let word: String = rest.chars().take_while(|c| is_part(*c)).take(24).collect();
        if word.is_empty() {
            return self.expected("a value");
        }
        let lower = word.to_ascii_lowercase();
        let bare = lower.trim_start_matches(['-', '+']);
        let is_infinite = bare.starts_with("inf") || bare.starts_with("nan");
        self.error(match is_infinite {
            true => format!("`{word}` is no number in JSON, which has neither NaN nor infinity"),
            false => format!("`{word}` is no value in JSON"),
        })
    }

    /// A number or one of the three words; says of a number what it is.
    #[inline]
    pub fn plain(&mut self) -> Scanned<Option<f64>> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.number().map(Some),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => Err(self.no_number()),
        }
    }

    fn word(&mut self, word: &str) -> Scanned<Option<f64>> {
        let end = self.at + word.len();
        let more = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if self.bytes.get(self.at..end) != Some(word.as_bytes())
            || self.bytes.get(end).is_some_and(more)
        {
            return Err(self.no_number());
        }
        self.at = end;
        Ok(None)
    }

    /// The next key of an object, after its `{` or after a value; `None` at its end, which is
    /// passed. Leaves the place at the key's value.
    #[inline]
    pub fn key(&mut self, first: bool) -> Scanned<Option<Spelled>> {
        self.skip_space();
        match self.peek() {
            Some(b'}') => {
                self.close();
                return Ok(None);
            }
            Some(b',') if !first => {
                self.at += 1;
                self.skip_space();
            }
            _ if first => {}
            _ => return Err(self.expected("`,` or `}`")),
        }
        let what = if first { "a key in quotes or `}`" } else { "a key in quotes" };
        let key = self.string(what)?;
        self.skip_space();
        self.take(b':', "`:` behind the key")?;
        self.skip_space();
        Ok(Some(key))
    }

    /// Whether another item of a list follows, after its `[` or after an item; at its end, which
    /// is passed, none does. Leaves the place at the item.
    #[inline]
    pub fn item(&mut self, first: bool) -> Scanned<bool> {
        self.skip_space();
        match self.peek() {
            Some(b']') => {
                self.close();
                return Ok(false);
            }
            Some(b',') if !first => {
                self.at += 1;
                self.skip_space();
            }
            _ if first => {}
            _ => return Err(self.expected("`,` or `]`")),
        }
        Ok(true)
    }

    /// A list of exactly `N` numbers; any other value is passed and `None`.
    #[inline]
    pub fn numbers<const N: usize>(&mut self) -> Scanned<Option<[f64; N]>> {
        let before = (self.at, self.depth);
        if let Some(numbers) = self.try_numbers()? {
            return Ok(Some(numbers));
        }
        (self.at, self.depth) = before;
        self.skip_value()?;
        Ok(None)
    }

    #[inline]
    fn try_numbers<const N: usize>(&mut self) -> Scanned<Option<[f64; N]>> {
        if self.peek() != Some(b'[') {
            return Ok(None);
        }
        self.open()?;
        let mut numbers = [0.0; N];
        for (at, slot) in numbers.iter_mut().enumerate() {
            if !self.item(at == 0)? || !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
                return Ok(None);
            }
            *slot = self.number()?;
        }
        Ok((!self.item(N == 0)?).then_some(numbers))
    }

    /// Passes one value, whatever it is; it must be valid all the same.
    pub fn skip_value(&mut self) -> Scanned<()> {
        let outer = self.depth;
        // Which of the open ones are objects, the innermost in the lowest bit.
        let mut maps: u128 = 0;
        loop {
            let mut first = false;
            match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    self.open()?;
                    maps = maps << 1 | u128::from(open == b'{');
                    first = true;
                }
                Some(b'"') => {
                    self.string("a string")?;
                }
                _ => {
                    self.plain()?;
                }
            }
            loop {
                if self.depth == outer {
                    return Ok(());
                }
                let more = match maps & 1 {
                    1 => self.key(first)?.is_some(),
                    _ => self.item(first)?,
                };
                if more {
                    break;
                }
                maps >>= 1;
                first = false;
            }
        }
    }

    /// Passes a list or an object by counting brackets outside of strings, without looking at
    /// anything else. False where it does not end.
    pub fn skip_brackets(&mut self) -> bool {
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => {
                    open -= 1;
                    if open == 0 {
                        self.at += 1;
                        return true;
                    }
                }
                b'"' => {
                    let mut at = self.at + 1;
                    loop {
                        match self.bytes.get(at) {
                            Some(b'"') => break,
                            Some(b'\\') => at += 2,
                            Some(_) => at += 1,
                            None => return false,
                        }
                    }
                    self.at = at;
                }
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

/// What a valid string between its quotes says.
pub(crate) fn unescape(inner: &str) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let kind = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        rest = rest.get(at + 2..).unwrap_or_default();
        out.push(match kind {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = |text: &str| u32::from_str_radix(text.get(..4).unwrap_or("0"), 16);
                let mut code = unit(rest).unwrap_or(0);
                rest = rest.get(4..).unwrap_or_default();
                if (0xD800..0xDC00).contains(&code) {
                    let low = unit(rest.get(2..).unwrap_or_default()).unwrap_or(0);
                    rest = rest.get(6..).unwrap_or_default();
                    code = 0x10000 + ((code - 0xD800) << 10) + (low & 0x3FF);
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => char::from(other),
        });
    }
    out.push_str(rest);
    out
}
