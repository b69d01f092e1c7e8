//! The `posewright` program: a command, or the window.

use posewright::cli::Gui;
use std::process::ExitCode;

// egui asks for its buffers anew in each frame: the system's allocator gives them back in between.
#[cfg(feature = "gui")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    posewright::cli::run(std::env::args_os(), gui())
}

#[cfg(feature = "gui")]
fn gui() -> Option<Gui> {
    Some(Gui { window, artist })
}

#[cfg(not(feature = "gui"))]
fn gui() -> Option<Gui> {
    None
}

#[cfg(feature = "gui")]
fn window(files: Vec<std::path::PathBuf>) -> Result<(), String> {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    posewright::ui::run(files)
}

#[cfg(feature = "gui")]
fn artist(shot: posewright::cli::Shot) -> posewright::cli::Artist {
    use posewright::cli::{Export, View};
    use posewright::edit::Content;
    use posewright::ui::{Look, Renderer};
    let look = match shot.view {
        View::Front => Look::Front,
        View::Side => Look::Side,
        View::Top => Look::Top,
        View::Persp => Look::Perspective,
    };
    let mut renderer = match shot.export {
        None => Renderer::new(shot.clip, shot.rig, look, shot.size),
        Some(Export::Take { take, space, camera }) => {
            Renderer::of_export(Content::Take(take.into()), Some(space), camera, look, shot.size)
        }
        Some(Export::Skeleton(skeleton)) => {
            Renderer::of_export(Content::Skeleton(skeleton.into()), None, None, look, shot.size)
        }
    };
    Box::new(move |times_secs| match (shot.sheet, times_secs) {
        (false, [time_secs]) => renderer.moment(*time_secs),
        _ => renderer.sheet(times_secs),
    })
}
