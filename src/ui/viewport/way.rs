//! The way of nodes through time.

use super::lens::Lens;
use crate::ui::cx::Cx;
use crate::ui::widgets;
use eframe::egui::{self, Painter, Pos2};
use glam::DVec3;
use std::sync::Arc;

/// The way of nodes through time, kept while nothing but the playhead changes.
#[derive(Clone, Default)]
struct Way {
    made: u64,
    indices: Vec<usize>,
    /// For each node its places in the world, in metres, evenly spaced in time.
    points: Vec<Vec<DVec3>>,
    /// For each node its places at its keys.
    keys: Vec<Vec<DVec3>>,
}

impl Way {
    /// Most keys of a node that are marked.
    const MOST_KEYS: usize = 512;

    fn new(cx: &Cx<'_>, indices: &[usize], duration_secs: f64) -> Way {
        let fps = cx.view().timeline.usable_fps().min(60.0);
        let many = (duration_secs * fps).clamp(1.0, 240.0) as usize;
        let mut world = Vec::new();
        let mut points = vec![Vec::with_capacity(many + 1); indices.len()];
        for at in 0..=many {
            cx.stage.world_at(duration_secs * at as f64 / many as f64, &mut world);
            for (points, index) in points.iter_mut().zip(indices) {
                points.extend(world.get(*index).map(|pose| pose.position));
            }
        }
        let mut keys = vec![Vec::new(); indices.len()];
        for (keys, index) in keys.iter_mut().zip(indices) {
            for secs in key_secs(cx, *index).into_iter().take(Way::MOST_KEYS) {
                cx.stage.world_at(secs, &mut world);
                keys.extend(world.get(*index).map(|pose| pose.position));
            }
        }
        Way { made: cx.stage.made, indices: indices.to_vec(), points, keys }
    }
}

/// The times of a node's keys.
fn key_secs(cx: &Cx<'_>, index: usize) -> Vec<f64> {
    if let Some((take, rig, _)) = cx.export().and_then(|export| export.take()) {
        let keys = take.pegs.get(index).into_iter().flat_map(|peg| &peg.keyframes);
        return keys.filter_map(|key| rig.time_secs_at(key.frame)).collect();
    }
    let (Some(name), Some((_, clip))) = (cx.stage.names().get(index), cx.clip()) else {
        return Vec::new();
    };
    let keys = clip.tracks.iter().filter(|t| t.part == *name).flat_map(|t| &t.keys);
    keys.map(|key| key.time).collect()
}

/// The way of nodes through the clip: dots spaced by time, its keys as diamonds.
pub fn trail(painter: &Painter, lens: &Lens, cx: &Cx<'_>, indices: &[usize]) {
    let Some(duration_secs) = cx.duration_secs() else { return };
    let id = egui::Id::unique("the way of the selected nodes");
    let kept = painter.ctx().data(|data| data.get_temp::<Arc<Way>>(id));
    let kept = kept.filter(|way| way.made == cx.stage.made && way.indices == indices);
    let way = kept.unwrap_or_else(|| {
        let way = Arc::new(Way::new(cx, indices, duration_secs));
        painter.ctx().data_mut(|data| data.insert_temp(id, way.clone()));
        way
    });
    let color = cx.theme.selection;
    for points in &way.points {
        let mut last: Option<Pos2> = None;
        for here in points.iter().filter_map(|point| lens.project(*point)) {
            // Where it stands still one dot is enough.
            if last.is_none_or(|before| before.distance(here) > 2.0) {
                painter.circle_filled(here, 1.2, color.gamma_multiply(0.7));
                last = Some(here);
            }
        }
    }
    for at in way.keys.iter().flatten().filter_map(|point| lens.project(*point)) {
        widgets::diamond_sized(painter, at, 4.0, color);
    }
}
