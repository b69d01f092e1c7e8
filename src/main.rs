//! The `posewright` program: a command, or the window.

use std::process::ExitCode;

// egui asks for its buffers anew in each frame: the system's allocator gives them back in between.
#[cfg(feature = "gui")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    posewright::cli::run(std::env::args_os(), window())
}

#[cfg(feature = "gui")]
fn window() -> Option<posewright::cli::Window> {
    Some(|files| {
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
        posewright::ui::run(files)
    })
}

#[cfg(not(feature = "gui"))]
fn window() -> Option<posewright::cli::Window> {
    None
}
