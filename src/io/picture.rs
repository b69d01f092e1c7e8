//! Pictures as files: PNG, and GIF where they move.

use super::save::{Base, SaveError, save};
use std::path::Path;

/// Most pixels of a picture to a side.
pub const MAX_SIDE: u32 = 8192;

/// A picture without holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row, 1 to [`MAX_SIDE`].
    pub width: u32,
    /// Rows, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// Rows from the top, four bytes a pixel: red, green, blue, and 255.
    pub rgba: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The PNG cannot be made.
    #[error("the PNG cannot be made: {0}")]
    Png(#[from] png::EncodingError),
    /// The GIF cannot be made.
    #[error("the GIF cannot be made: {0}")]
    Gif(#[from] gif::EncodingError),
    /// The file cannot be written; an old one is as it was.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// Writes a picture as PNG, in place of what is there.
///
/// # Errors
/// Where the image's sizes do not fit its pixels, and where the file cannot be written.
pub fn write_png(path: &Path, image: &Image) -> Result<(), PictureError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let rgb: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    save(path, &bytes, Base::Any)?;
    Ok(())
}

/// A moving picture that is being made; it repeats for ever.
pub struct Gif {
    encoder: gif::Encoder<Vec<u8>>,
    frames: u64,
    fps: f64,
}

impl Gif {
    /// A picture of this size (pixels, 1 to [`MAX_SIDE`]) that shows `fps` frames a second.
    ///
    /// # Errors
    /// [`PictureError::Gif`] for sizes that a GIF cannot have.
    pub fn new(width: u32, height: u32, fps: f64) -> Result<Gif, PictureError> {
        let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
        let mut encoder = gif::Encoder::new(Vec::new(), side(width), side(height), &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Gif { encoder, frames: 0, fps })
    }

    /// Adds the next frame.
    ///
    /// # Errors
    /// [`PictureError::Gif`] where the image's sizes do not fit its pixels.
    pub fn add(&mut self, image: &mut Image) -> Result<(), PictureError> {
        // A GIF counts in hundredths of a second: what is lost at one frame is made good at the
        // next, so that the whole lasts as long as it should.
        let end = |frames: u64| (frames as f64 * 100.0 / self.fps).round();
        let delay = end(self.frames + 1) - end(self.frames);
        self.frames += 1;
        let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
        let (width, height) = (side(image.width), side(image.height));
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut image.rgba, 10);
        frame.delay = delay.clamp(1.0, 65_535.0) as u16;
        self.encoder.write_frame(&frame)?;
        Ok(())
    }

    /// Writes the file, in place of what is there.
    ///
    /// # Errors
    /// [`PictureError::Save`] where it cannot be written.
    pub fn write(self, path: &Path) -> Result<(), PictureError> {
        let bytes = self.encoder.into_inner()?;
        save(path, &bytes, Base::Any)?;
        Ok(())
    }
}
