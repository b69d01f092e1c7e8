//! Arguments to a command or to the window.

use std::process::ExitCode;

#[cfg(feature = "gui")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(feature = "gui")]
    {
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
        let files = std::env::args_os().skip(1).map(std::path::PathBuf::from).collect();
        match posewright::ui::run(files) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("posewright: {error}");
                ExitCode::from(2)
            }
        }
    }
    #[cfg(not(feature = "gui"))]
    ExitCode::SUCCESS
}
