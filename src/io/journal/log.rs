//! The bytes of a journal file.
//!
//! A line that names the format, then frames: `length u32`, `checksum u64`, payload; numbers are
//! little-endian. The checksum is the 64-bit XXH3 of the payload, seeded with the checksum of the
//! frame before, so that a frame counts only in its place. The first frame is the header, the
//! second the text that the records start from, and each other one a record.

use super::patch::Patch;
use crate::io::ContentHash;
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_64;

const MAGIC: &[u8] = b"posewright journal 1\n";
/// What the first checksum is seeded with.
const SEED: u64 = 0x706f_7365_7772_6967;

/// What a journal is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The document's file; none for one that was never saved.
    pub path: Option<PathBuf>,
    /// What people call the document.
    pub label: String,
    /// What the file held that the document grew from.
    pub base: ContentHash,
    /// Whether the text differs from the file: false says that nothing is to be recovered.
    pub edited: bool,
    /// Every step up to this one is in the text already, or is none of this document's.
    pub through: u64,
}

/// One step of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The step's number, the same in each document that it changed.
    pub step: u64,
    /// The keys of these documents, this one among them.
    pub documents: Vec<u128>,
    pub patch: Patch,
}

/// Appends frames to the bytes of a journal.
pub(super) struct Encoder {
    seed: u64,
}

impl Encoder {
    /// The beginning of a journal, and the encoder for what follows it.
    pub fn begin(header: &Header, text: &[u8]) -> (Vec<u8>, Self) {
        let mut encoder = Self { seed: SEED };
        let mut bytes = MAGIC.to_vec();
        let mut payload = Vec::new();
        payload.extend(header.base.to_bits().to_le_bytes());
        payload.extend(header.through.to_le_bytes());
        payload.push(u8::from(header.edited));
        payload.push(u8::from(header.path.is_some()));
        let path = header.path.as_deref().map(path_bytes).unwrap_or_default();
        payload.extend((path.len() as u64).to_le_bytes());
        payload.extend(path);
        payload.extend(header.label.as_bytes());
        encoder.frame(&payload, &mut bytes);
        encoder.frame(text, &mut bytes);
        (bytes, encoder)
    }

    /// The frame of a record. The encoder moves on only by [`Encoder::accept`].
    pub fn record(&self, record: &Record) -> (Vec<u8>, Self) {
        let mut payload = Vec::with_capacity(record.patch.text.len() + 64);
        payload.extend(record.step.to_le_bytes());
        payload.extend(record.patch.start.to_le_bytes());
        payload.extend(record.patch.end.to_le_bytes());
        payload.extend((record.documents.len() as u64).to_le_bytes());
        for document in &record.documents {
            payload.extend(document.to_le_bytes());
        }
        payload.extend(&record.patch.text);
        let mut bytes = Vec::with_capacity(payload.len() + 12);
        let mut next = Self { seed: self.seed };
        next.frame(&payload, &mut bytes);
        (bytes, next)
    }

    fn frame(&mut self, payload: &[u8], bytes: &mut Vec<u8>) {
        let checksum = XxHash3_64::oneshot_with_seed(self.seed, payload);
        self.seed = checksum;
        // Texts are bounded far below 4 GiB; a longer one would fail its checksum, not lie.
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(payload);
    }
}

/// What could be read of a journal.
#[derive(Debug)]
pub(super) struct Log {
    pub header: Header,
    /// What the records start from; none if that is damaged, and with it all records.
    pub text: Option<Vec<u8>>,
    /// The longest good beginning.
    pub records: Vec<Record>,
    /// Whether something followed that could not be read.
    pub torn: bool,
}

/// Reads a journal as far as it is good; none where not even the header is.
pub(super) fn read(bytes: &[u8]) -> Option<Log> {
    let mut frames = Frames { rest: bytes.strip_prefix(MAGIC)?, seed: SEED };
    let header = read_header(frames.next()?)?;
    let Some(text) = frames.next() else {
        return Some(Log { header, text: None, records: Vec::new(), torn: true });
    };
    let mut records = Vec::new();
    let mut torn = false;
    for payload in frames.by_ref() {
        match read_record(payload) {
            Some(record) => records.push(record),
            None => {
                torn = true;
                break;
            }
        }
    }
    torn |= !frames.rest.is_empty();
    Some(Log { header, text: Some(text.to_vec()), records, torn })
}

struct Frames<'a> {
    rest: &'a [u8],
    seed: u64,
}

impl<'a> Iterator for Frames<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut fields = Fields(self.rest);
        let length = u32::from_le_bytes(fields.array()?);
        let checksum = u64::from_le_bytes(fields.array()?);
        let payload = fields.take(u64::from(length))?;
        if XxHash3_64::oneshot_with_seed(self.seed, payload) != checksum {
            return None;
        }
        (self.rest, self.seed) = (fields.0, checksum);
        Some(payload)
    }
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N as u64)?.try_into().ok()
    }

    fn number(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

fn read_header(payload: &[u8]) -> Option<Header> {
    let mut fields = Fields(payload);
    let base = ContentHash::from_bits(u128::from_le_bytes(fields.array()?));
    let through = fields.number()?;
    let [edited, has_path] = fields.array()?;
    let length = fields.number()?;
    let path = fields.take(length)?;
    let path = if has_path == 0 { None } else { Some(path_of(path)) };
    let label = String::from_utf8_lossy(fields.0).into_owned();
    Some(Header { path, label, base, edited: edited != 0, through })
}

fn read_record(payload: &[u8]) -> Option<Record> {
    let mut fields = Fields(payload);
    let (step, start, end) = (fields.number()?, fields.number()?, fields.number()?);
    let count = fields.number()?;
    let mut documents = Vec::new();
    for _ in 0..count {
        documents.push(u128::from_le_bytes(fields.array()?));
    }
    Some(Record { step, documents, patch: Patch { start, end, text: fields.0.to_vec() } })
}

#[cfg(unix)]
fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

// Names on Windows that are not Unicode lose the characters that are not.
#[cfg(not(unix))]
fn path_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
