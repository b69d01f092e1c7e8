//! From the world to the screen and back.

use crate::sample::take::CameraView;
use crate::ui::state::Camera;
use eframe::egui::{Pos2, Rect, pos2};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// The vertical angle that the perspective camera sees, in radians (40°).
const FIELD_OF_VIEW: f64 = 0.698_131_700_797_731_8;
/// Points farther from the panel than this, in screen points, are not drawn.
const FAR_OUTSIDE: f64 = 20_000.0;

/// A camera whose numbers can all be used.
pub fn usable(camera: &Camera) -> Camera {
    let first = Camera::default();
    let finite = |value: f64, other: f64| if value.is_finite() { value } else { other };
    let limit = DVec3::splat(1e12);
    Camera {
        target: if camera.target.is_finite() {
            camera.target.clamp(-limit, limit)
        } else {
            first.target
        },
        yaw: finite(camera.yaw, first.yaw),
        pitch: finite(camera.pitch, first.pitch).clamp(-FRAC_PI_2, FRAC_PI_2),
        distance: finite(camera.distance, first.distance).clamp(1e-3, 1e9),
        orthographic: camera.orthographic,
    }
}

/// The same camera, so placed that a ball of this centre and radius (metres) fills the panel.
pub fn framed(camera: &Camera, center: DVec3, radius: f64, rect: Rect) -> Camera {
    let shorter = f64::from(rect.height().min(rect.width()).max(1.0));
    let part = shorter / f64::from(rect.height().max(1.0));
    let radius = if radius.is_finite() { radius.max(1e-3) } else { 1.0 };
    let half = (FIELD_OF_VIEW / 2.0).tan() * part;
    let distance = radius * 1.15 / half.atan().sin();
    usable(&Camera { target: center, distance, ..*camera })
}

/// A camera and the panel that it looks through.
#[derive(Clone, Debug)]
pub struct Lens {
    /// The panel, in screen points.
    pub rect: Rect,
    /// To the right of the screen, a unit vector.
    pub right: DVec3,
    /// Up on the screen, a unit vector.
    pub up: DVec3,
    /// Into the screen, a unit vector.
    pub forward: DVec3,
    /// Where the camera is, in metres.
    pub eye: DVec3,
    /// From the eye to the target, in metres.
    pub distance: f64,
    /// Parallel instead of perspective.
    pub orthographic: bool,
    focal: f64,
    near: f64,
}

impl Lens {
    /// A camera, looking through a panel of at least one point.
    pub fn new(camera: &Camera, rect: Rect) -> Lens {
        let camera = usable(camera);
        let (sin_yaw, cos_yaw) = camera.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = camera.pitch.sin_cos();
        let back = DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
        let forward = -back;
        let focal = f64::from(rect.height().max(1.0)) * 0.5 / (FIELD_OF_VIEW / 2.0).tan();
        Lens {
            rect,
            right,
            up: right.cross(forward),
            forward,
            eye: camera.target + back * camera.distance,
            distance: camera.distance,
            orthographic: camera.orthographic,
            focal,
            near: camera.distance * 0.01,
        }
    }

    /// What a camera of an export sees (A40), its gate in the middle of the panel; `center` is what
    /// sizes are measured at, in metres.
    pub fn through(view: &CameraView, center: DVec3, gate: Rect, rect: Rect) -> Lens {
        let column = |at: usize| view.world_from_camera.col(at).truncate();
        let unit = |v: DVec3, other: DVec3| v.normalize_or(other);
        let half = (view.fov_deg.to_radians() / 2.0).tan().max(1e-6);
        Lens {
            rect,
            right: unit(column(0), DVec3::X),
            up: unit(column(1), DVec3::Y),
            forward: -unit(column(2), DVec3::Z),
            eye: column(3),
            distance: center.distance(column(3)).clamp(1e-3, 1e9),
            orthographic: false,
            focal: f64::from(gate.height().max(1.0)) * 0.5 / half,
            near: view.planes[0].max(1e-6),
        }
    }

    /// Right, up and into the screen, in metres from the eye.
    fn seen(&self, world: DVec3) -> DVec3 {
        let from_eye = world - self.eye;
        DVec3::new(from_eye.dot(self.right), from_eye.dot(self.up), from_eye.dot(self.forward))
    }

    /// How far into the screen a point lies, in metres from the eye.
    pub fn depth(&self, world: DVec3) -> f64 {
        (world - self.eye).dot(self.forward)
    }

    /// Screen points to the metre at a depth.
    fn scale(&self, depth: f64) -> f64 {
        if self.orthographic {
            self.focal / self.distance
        } else {
            self.focal / depth.max(self.near)
        }
    }

    /// Screen points to the metre where a point lies.
    pub fn points_per_metre(&self, world: DVec3) -> f64 {
        self.scale(self.depth(world))
    }

    fn to_screen(&self, seen: DVec3) -> Option<Pos2> {
        let scale = self.scale(seen.z);
        let (x, y) = (seen.x * scale, -seen.y * scale);
        let inside = x.abs() < FAR_OUTSIDE && y.abs() < FAR_OUTSIDE;
        // Not a number is not inside either.
        inside.then(|| {
            let center = self.rect.center();
            pos2(center.x + x as f32, center.y + y as f32)
        })
    }

    /// Where a point shows; `None` behind the camera, or far outside of the panel.
    pub fn project(&self, world: DVec3) -> Option<Pos2> {
        let seen = self.seen(world);
        if !self.orthographic && seen.z < self.near {
            return None;
        }
        self.to_screen(seen)
    }

    /// What shows of a line; `None` where nothing does.
    pub fn segment(&self, from: DVec3, to: DVec3) -> Option<[Pos2; 2]> {
        let (mut a, mut b) = (self.seen(from), self.seen(to));
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        if !self.orthographic {
            if a.z < self.near && b.z < self.near {
                return None;
            }
            let cut = |inside: DVec3, outside: DVec3| {
                inside + (outside - inside) * ((self.near - inside.z) / (outside.z - inside.z))
            };
            if a.z < self.near {
                a = cut(b, a);
            } else if b.z < self.near {
                b = cut(a, b);
            }
        }
        let flat = |seen: DVec3| {
            let scale = self.scale(seen.z);
            (seen.x * scale, -seen.y * scale)
        };
        let half = f64::from(self.rect.width().max(self.rect.height())) * 0.5 + 200.0;
        let [a, b] = clipped(flat(a), flat(b), half)?;
        let center = self.rect.center();
        let place = |(x, y): (f64, f64)| pos2(center.x + x as f32, center.y + y as f32);
        Some([place(a), place(b)])
    }

    /// The line of sight through a place of the screen: where it begins, in metres, and its unit
    /// direction.
    pub fn ray(&self, at: Pos2) -> (DVec3, DVec3) {
        let offset = at - self.rect.center();
        let (x, y) = (f64::from(offset.x), f64::from(-offset.y));
        if self.orthographic {
            let metre = self.distance / self.focal;
            (self.eye + (self.right * x + self.up * y) * metre, self.forward)
        } else {
            let direction = self.forward * self.focal + self.right * x + self.up * y;
            (self.eye, direction.normalize_or(self.forward))
        }
    }

    /// Where the line of sight through a place of the screen meets a plane, in metres; `None`
    /// where it runs along it.
    pub fn on_plane(&self, at: Pos2, through: DVec3, normal: DVec3) -> Option<DVec3> {
        let (from, direction) = self.ray(at);
        let along = direction.dot(normal);
        if along.abs() < 1e-6 {
            return None;
        }
        let hit = from + direction * ((through - from).dot(normal) / along);
        hit.is_finite().then_some(hit)
    }

    /// How far along an axis (a unit vector) the point lies that is nearest to the line of sight,
    /// in metres from `origin`; `None` where one looks along the axis.
    pub fn along_axis(&self, at: Pos2, origin: DVec3, axis: DVec3) -> Option<f64> {
        let (from, direction) = self.ray(at);
        let across = axis.dot(direction);
        let size = 1.0 - across * across;
        if size < 1e-4 {
            return None;
        }
        let between = origin - from;
        let along = (across * direction.dot(between) - axis.dot(between)) / size;
        along.is_finite().then_some(along)
    }

    /// Towards the eye from a point, a unit vector.
    pub fn to_eye(&self, from: DVec3) -> DVec3 {
        if self.orthographic {
            -self.forward
        } else {
            (self.eye - from).normalize_or(-self.forward)
        }
    }
}

/// A line clipped to the square of this half side about 0 (Liang and Barsky's way).
fn clipped(a: (f64, f64), b: (f64, f64), half: f64) -> Option<[(f64, f64); 2]> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (p, q) in [(-dx, a.0 + half), (dx, half - a.0), (-dy, a.1 + half), (dy, half - a.1)] {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            low = low.max(q / p);
        } else {
            high = high.min(q / p);
        }
    }
    let at = |t: f64| (a.0 + dx * t, a.1 + dy * t);
    let ends = [at(low), at(high)];
    let finite = ends.iter().all(|(x, y)| x.is_finite() && y.is_finite());
    (low <= high && finite).then_some(ends)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;

    fn lens(camera: Camera) -> Lens {
        Lens::new(&camera, Rect::from_min_size(pos2(100.0, 50.0), eframe::egui::vec2(800.0, 600.0)))
    }

    #[test]
    fn the_target_stands_in_the_middle_and_right_is_right() {
        let front = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() };
        let lens = lens(front);
        let middle = lens.project(front.target).unwrap();
        assert!((middle - lens.rect.center()).length() < 1e-3);
        assert!(lens.project(front.target + DVec3::X).unwrap().x > middle.x);
        assert!(lens.project(front.target + DVec3::Y).unwrap().y < middle.y);
        assert!(lens.project(lens.eye - lens.forward).is_none(), "behind the camera");
    }

    #[test]
    fn rays_go_through_what_they_show() {
        for orthographic in [false, true] {
            let lens = lens(Camera { orthographic, ..Camera::default() });
            for point in [DVec3::new(0.3, 1.2, -0.4), DVec3::new(-0.5, 0.2, 0.6)] {
                let at = lens.project(point).unwrap();
                let hit = lens.on_plane(at, point, lens.forward).unwrap();
                assert!((hit - point).length() < 1e-5, "{hit} {point}");
                let along = lens.along_axis(at, point - DVec3::X * 0.25, DVec3::X).unwrap();
                assert!((along - 0.25).abs() < 1e-5, "{along}");
            }
        }
    }

    #[test]
    fn nothing_that_is_no_number_comes_to_the_screen() {
        let strange = [f64::NAN, f64::INFINITY, 1e300, -1e300, 0.0, 1e-300];
        for x in strange {
            for distance in strange {
                let camera = Camera {
                    target: DVec3::new(x, 0.0, -x),
                    distance,
                    yaw: x,
                    pitch: distance,
                    ..Camera::default()
                };
                let lens = lens(camera);
                for point in [DVec3::splat(x), DVec3::new(0.0, distance, 1.0)] {
                    for at in [lens.project(point), lens.segment(DVec3::ZERO, point).map(|s| s[1])]
                        .into_iter()
                        .flatten()
                    {
                        assert!(at.x.is_finite() && at.y.is_finite() && at.x.abs() < 1e5);
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_to_infinity_is_cut_at_the_panel() {
        let lens = lens(Camera::default());
        let [a, b] = lens.segment(DVec3::new(0.0, 1.0, 0.0), DVec3::new(1e9, 1.0, 0.0)).unwrap();
        assert!((a - lens.rect.center()).length() < 1.0);
        assert!(b.x > lens.rect.center().x && b.x < lens.rect.right() + 400.0);
    }
}
