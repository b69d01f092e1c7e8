//! Reading a text file within limits (M1, M12).

use crate::diagnostic::Problem;
use crate::format::{codes, file_problem};
use crate::model::limits::MAX_FILE_BYTES;
use crate::progress::Progress;
use crate::source::position_in;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a file's text could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not there, not a file, or the system refuses it.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is there, but what is in it is no text to read: too large (M12) or not UTF-8 (M1).
    #[error("{}: {}", path.display(), problem.message)]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where that makes sense.
        problem: Box<Problem>,
    },
}

impl ReadError {
    /// The problem of the file's content, if it is one; otherwise reading itself failed.
    ///
    /// # Errors
    /// The error unchanged where it says nothing about the content.
    pub fn into_problem(self) -> Result<Problem, ReadError> {
        match self {
            ReadError::Content { problem, .. } => Ok(*problem),
            error @ ReadError::Io { .. } => Err(error),
        }
    }
}

/// Reads a whole text file of at most 256 MiB.
///
/// # Errors
/// [`ReadError::Io`] where the system refuses, or where it is no regular file;
/// [`ReadError::Content`] where it is too large or not UTF-8.
pub fn read_text(path: &Path) -> Result<String, ReadError> {
    read_text_with(path, &Progress::default())
}

/// Bytes that are read between two looks at whether they are still wanted.
const CHUNK_BYTES: u64 = 1024 * 1024;

/// As [`read_text`], and says how far it is.
///
/// # Errors
/// As [`read_text`]; [`ReadError::Io`] of the kind `Interrupted` where it was cancelled.
pub fn read_text_with(path: &Path, progress: &Progress) -> Result<String, ReadError> {
    let io_error = |error| ReadError::Io { path: path.to_owned(), error };
    let content =
        |problem| ReadError::Content { path: path.to_owned(), problem: Box::new(problem) };
    // Before opening: a pipe would wait for somebody to write.
    let metadata = std::fs::metadata(path).map_err(io_error)?;
    if metadata.is_dir() {
        return Err(io_error(std::io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(io_error(std::io::Error::other("not a regular file")));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(content(too_large()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let mut file = File::open(path).map_err(io_error)?;
    loop {
        if progress.is_cancelled() {
            return Err(io_error(std::io::ErrorKind::Interrupted.into()));
        }
        let read = file.by_ref().take(CHUNK_BYTES).read_to_end(&mut bytes).map_err(io_error)?;
        // It may have grown since.
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(content(too_large()));
        }
        if read == 0 {
            break;
        }
        progress.set(bytes.len() as f32 / metadata.len().max(1) as f32);
    }
    String::from_utf8(bytes).map_err(|error| content(not_utf8(&error)))
}

/// The size of a file in bytes; 0 where it cannot be told.
pub fn file_bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn too_large() -> Problem {
    let mib = MAX_FILE_BYTES / (1024 * 1024);
    file_problem(codes::FILE_SIZE, format!("The file is larger than {mib} MiB"))
}

fn not_utf8(error: &std::string::FromUtf8Error) -> Problem {
    let bytes = error.as_bytes();
    let offset = error.utf8_error().valid_up_to();
    let message = if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        "the file is UTF-16; it must be UTF-8"
    } else {
        "the file is not UTF-8"
    };
    let valid = std::str::from_utf8(&bytes[..offset]).unwrap_or_default();
    Problem {
        position: Some(position_in(valid, offset)),
        span: Some(offset..offset),
        ..file_problem(codes::SYNTAX, message)
    }
}
