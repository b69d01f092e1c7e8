//! How far long work is, on a terminal.

use crate::progress::Progress;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often it is shown.
const TICK: Duration = Duration::from_millis(100);
/// Work that is done sooner shows nothing.
const SILENT_TICKS: u32 = 4;

/// Shows a progress on the terminal, if stderr is one, until it is dropped.
pub(super) struct Meter {
    progress: Progress,
    done: Arc<AtomicBool>,
    shower: Option<JoinHandle<()>>,
}

impl Meter {
    pub fn start() -> Meter {
        let (progress, done) = (Progress::new(), Arc::new(AtomicBool::new(false)));
        let shower = std::io::stderr().is_terminal().then(|| {
            let (progress, done) = (progress.clone(), Arc::clone(&done));
            std::thread::spawn(move || show(&progress, &done))
        });
        Meter { progress, done, shower }
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(shower) = self.shower.take() {
            // It only writes to the terminal.
            let _ = shower.join();
        }
    }
}

fn show(progress: &Progress, done: &AtomicBool) {
    let mut ticks = 0;
    let mut shown = false;
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        ticks += 1;
        if ticks > SILENT_TICKS {
            let percent = progress.fraction() * 100.0;
            // Nothing can be done where nobody listens.
            let _ = write!(std::io::stderr(), "\rconverting {percent:3.0} %");
            shown = true;
        }
    }
    if shown {
        let _ = write!(std::io::stderr(), "\r                 \r");
    }
}
