//! Drawing egui's meshes on the CPU, for tests, screenshots and pictures without a display.
