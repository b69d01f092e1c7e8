//! Docked panels: where they are, how they are moved, hidden and restored.

use crate::ui::action::Action;
use crate::ui::cx::Cx;
use crate::ui::state::{PanelId, WorkspaceTab};
use crate::ui::theme::{self, Theme};
use crate::ui::{panels, timeline};
use eframe::egui::{
    self, Align2, CornerRadius, FontId, Margin, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, vec2,
};
use egui_tiles::{
    Container, Linear, LinearDir, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles, Tree,
    UiResponse,
};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeSet, HashSet};

/// The panels of all workspaces, as they were left.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Layouts {
    #[serde(deserialize_with = "readable")]
    animate: Option<Tree<PanelId>>,
    #[serde(deserialize_with = "readable")]
    rig: Option<Tree<PanelId>>,
    #[serde(deserialize_with = "readable")]
    inspect: Option<Tree<PanelId>>,
}

impl Default for Layouts {
    fn default() -> Self {
        Layouts {
            animate: Some(first_animate()),
            rig: Some(first_rig()),
            inspect: Some(first_inspect()),
        }
    }
}

/// A layout of another version is no reason to lose the other settings.
fn readable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Tree<PanelId>>, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    Ok(serde_json::from_value(value).ok())
}

impl Layouts {
    fn slot(&mut self, tab: WorkspaceTab) -> &mut Option<Tree<PanelId>> {
        match tab {
            WorkspaceTab::Animate => &mut self.animate,
            WorkspaceTab::Rig => &mut self.rig,
            WorkspaceTab::Inspect => &mut self.inspect,
        }
    }

    fn get(&self, tab: WorkspaceTab) -> Option<&Tree<PanelId>> {
        match tab {
            WorkspaceTab::Animate => self.animate.as_ref(),
            WorkspaceTab::Rig => self.rig.as_ref(),
            WorkspaceTab::Inspect => self.inspect.as_ref(),
        }
    }

    /// Takes a workspace's panels out, to be shown; [`Layouts::put`] puts them back.
    pub fn take(&mut self, tab: WorkspaceTab) -> Tree<PanelId> {
        let tree = self.slot(tab).take().filter(|tree| !tree.is_empty());
        let mut tree = tree.unwrap_or_else(|| first(tab));
        // A layout of an earlier version may lack a panel: it is there, hidden.
        for panel in panels_of(tab) {
            if tree.tiles.find_pane(&panel).is_none() {
                add(&mut tree, panel);
                if let Some(tile) = tree.tiles.find_pane(&panel) {
                    tree.set_visible(tile, false);
                }
            }
        }
        tree
    }

    /// Puts a workspace's panels back.
    pub fn put(&mut self, tab: WorkspaceTab, tree: Tree<PanelId>) {
        *self.slot(tab) = Some(tree);
    }

    /// Back to where the panels were at first.
    pub fn reset(&mut self, tab: WorkspaceTab) {
        *self.slot(tab) = Some(first(tab));
    }

    /// Whether a panel is shown, be it behind another tab.
    pub fn is_shown(&self, tab: WorkspaceTab, panel: PanelId) -> bool {
        let Some(tree) = self.get(tab) else { return false };
        tree.tiles.find_pane(&panel).is_some_and(|tile| tree.is_visible(tile))
    }

    /// Shows or hides a panel.
    pub fn show(&mut self, tab: WorkspaceTab, panel: PanelId, shown: bool) {
        let mut tree = self.take(tab);
        if let Some(tile) = tree.tiles.find_pane(&panel) {
            tree.set_visible(tile, shown);
        }
        self.put(tab, tree);
    }

    /// Brings a panel to the front.
    pub fn focus(&mut self, tab: WorkspaceTab, panel: PanelId) {
        let mut tree = self.take(tab);
        if let Some(tile) = tree.tiles.find_pane(&panel) {
            tree.set_visible(tile, true);
            tree.make_active(|id, _| id == tile);
        }
        self.put(tab, tree);
    }
}

/// The panels a workspace can have.
pub fn panels_of(tab: WorkspaceTab) -> impl Iterator<Item = PanelId> {
    PanelId::ALL.into_iter().filter(move |panel| match tab {
        WorkspaceTab::Animate => !matches!(panel, PanelId::Report | PanelId::Pegs),
        WorkspaceTab::Rig => {
            !matches!(panel, PanelId::DopeSheet | PanelId::Curves | PanelId::Report | PanelId::Pegs)
        }
        WorkspaceTab::Inspect => true,
    })
}

fn first(tab: WorkspaceTab) -> Tree<PanelId> {
    match tab {
        WorkspaceTab::Animate => first_animate(),
        WorkspaceTab::Rig => first_rig(),
        WorkspaceTab::Inspect => first_inspect(),
    }
}

fn add(tree: &mut Tree<PanelId>, panel: PanelId) {
    let tile = tree.tiles.insert_pane(panel);
    let tabs = tree.tiles.insert_tab_tile(vec![tile]);
    match tree.root {
        Some(root) => {
            if let Some(Tile::Container(container)) = tree.tiles.get_mut(root) {
                container.add_child(tabs);
            }
        }
        None => tree.root = Some(tabs),
    }
}

fn row(tiles: &mut Tiles<PanelId>, groups: &[(&[PanelId], f32)]) -> TileId {
    let mut linear = Linear::new(LinearDir::Horizontal, Vec::new());
    for (panels, share) in groups {
        let children: Vec<TileId> = panels.iter().map(|panel| tiles.insert_pane(*panel)).collect();
        let tabs = tiles.insert_tab_tile(children);
        linear.add_child(tabs);
        linear.shares.set_share(tabs, *share);
    }
    tiles.insert_container(Container::Linear(linear))
}

fn stacked(
    id: &str,
    mut tiles: Tiles<PanelId>,
    top: TileId,
    bottom: TileId,
    top_share: f32,
) -> Tree<PanelId> {
    let stack = Linear::new_binary(LinearDir::Vertical, [top, bottom], top_share);
    let root = tiles.insert_container(Container::Linear(stack));
    let mut tree = Tree::new(egui::Id::unique(id), root, tiles);
    // It comes with its commands.
    if let Some(tile) = tree.tiles.find_pane(&PanelId::Convert) {
        tree.set_visible(tile, false);
    }
    tree
}

/// With a panel in its place, hidden until it is asked for.
fn without(mut tree: Tree<PanelId>, panel: PanelId) -> Tree<PanelId> {
    if let Some(tile) = tree.tiles.find_pane(&panel) {
        tree.set_visible(tile, false);
    }
    tree
}

fn first_animate() -> Tree<PanelId> {
    let mut tiles = Tiles::default();
    let top = row(
        &mut tiles,
        &[
            (&[PanelId::Hierarchy, PanelId::Files], 0.17),
            (&[PanelId::Viewport], 0.63),
            (&[PanelId::Inspector, PanelId::Convert], 0.2),
        ],
    );
    let bottom =
        [PanelId::DopeSheet, PanelId::Curves, PanelId::Problems, PanelId::Source, PanelId::Compare];
    let bottom = bottom.map(|panel| tiles.insert_pane(panel)).to_vec();
    let bottom = tiles.insert_tab_tile(bottom);
    without(stacked("animate", tiles, top, bottom, 0.56), PanelId::Compare)
}

fn first_rig() -> Tree<PanelId> {
    let mut tiles = Tiles::default();
    let top = row(
        &mut tiles,
        &[
            (&[PanelId::Hierarchy, PanelId::Files], 0.2),
            (&[PanelId::Viewport], 0.6),
            (&[PanelId::Inspector, PanelId::Convert], 0.2),
        ],
    );
    let bottom = [PanelId::Problems, PanelId::Source, PanelId::Compare];
    let bottom = bottom.map(|panel| tiles.insert_pane(panel)).to_vec();
    let bottom = tiles.insert_tab_tile(bottom);
    without(stacked("rig", tiles, top, bottom, 0.74), PanelId::Compare)
}

fn first_inspect() -> Tree<PanelId> {
    let mut tiles = Tiles::default();
    let top = row(
        &mut tiles,
        &[
            (&[PanelId::Report, PanelId::Hierarchy, PanelId::Files], 0.24),
            (&[PanelId::Viewport], 0.46),
            (&[PanelId::Problems, PanelId::Inspector, PanelId::Convert], 0.3),
        ],
    );
    let bottom =
        [PanelId::Pegs, PanelId::DopeSheet, PanelId::Curves, PanelId::Compare, PanelId::Source];
    let bottom = bottom.map(|panel| tiles.insert_pane(panel)).to_vec();
    let bottom = tiles.insert_tab_tile(bottom);
    stacked("inspect", tiles, top, bottom, 0.56)
}

/// What showing the panels brought.
#[derive(Debug, Default)]
pub struct DockOutput {
    /// The panel under the pointer.
    pub pointer_panel: Option<PanelId>,
    /// The panels that were drawn, not behind another tab.
    pub front: BTreeSet<PanelId>,
}

/// Shows the docked panels in what is left of `ui`.
pub fn show(
    ui: &mut Ui,
    tree: &mut Tree<PanelId>,
    cx: &Cx<'_>,
    actions: &mut Vec<Action>,
) -> DockOutput {
    let transport = transport_tile(tree);
    let viewport = tree.tiles.find_pane(&PanelId::Viewport);
    let mut dock = Dock {
        cx,
        actions,
        transport,
        viewport,
        alone: alone(tree),
        output: DockOutput::default(),
    };
    let plays = match cx.tab() {
        WorkspaceTab::Animate => cx.clip().is_some(),
        WorkspaceTab::Rig => false,
        WorkspaceTab::Inspect => cx.duration_secs().is_some(),
    };
    if transport.is_none() && plays {
        egui::Panel::bottom("transport")
            .exact_size(theme::BAR)
            .frame(cx.theme.panel_frame().inner_margin(Margin::symmetric(8, 0)))
            .show_separator_line(false)
            .show(ui, |ui| {
                ui.horizontal_centered(|ui| {
                    timeline::transport(ui, dock.cx, dock.actions);
                    timeline::transport_right(ui, dock.cx, dock.actions);
                });
            });
    }
    tree.ui(&mut dock, ui);
    dock.output
}

/// The tabs that carry the transport: those with the dope sheet, the curves or the table of pegs.
fn transport_tile(tree: &Tree<PanelId>) -> Option<TileId> {
    [PanelId::DopeSheet, PanelId::Curves, PanelId::Pegs].into_iter().find_map(|panel| {
        let tile = tree.tiles.find_pane(&panel)?;
        let parent = tree.tiles.parent_of(tile)?;
        let shown = tree.is_visible(tile) && tree.is_visible_in_layout(parent);
        let tabs = matches!(tree.tiles.get_container(parent), Some(Container::Tabs(_)));
        (shown && tabs).then_some(parent)
    })
}

struct Dock<'a, 'b> {
    cx: &'a Cx<'b>,
    actions: &'a mut Vec<Action>,
    transport: Option<TileId>,
    viewport: Option<TileId>,
    alone: HashSet<TileId>,
    output: DockOutput,
}

impl Dock<'_, '_> {
    fn theme(&self) -> &Theme {
        self.cx.theme
    }

    fn title(&self, panel: PanelId) -> String {
        match panel {
            PanelId::Problems => {
                let count = self.cx.derived.count(self.cx.workspace());
                format!("Problems {}", count.total())
            }
            other => other.name().to_owned(),
        }
    }
}

/// Panels that stand alone in their tabs: such a tab is a title, not a choice.
fn alone(tree: &Tree<PanelId>) -> HashSet<TileId> {
    let mut alone = HashSet::new();
    for tile in tree.tiles.tiles() {
        if let Tile::Container(Container::Tabs(tabs)) = tile {
            let mut shown = tabs.children.iter().filter(|child| tree.is_visible(**child));
            if let (Some(only), None) = (shown.next(), shown.next()) {
                alone.insert(*only);
            }
        }
    }
    alone
}

impl egui_tiles::Behavior<PanelId> for Dock<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, panel: &mut PanelId) -> UiResponse {
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, CornerRadius::same(theme::CORNER), self.theme().panel);
        ui.push_id(*panel, |ui| {
            ui.set_clip_rect(rect.intersect(ui.clip_rect()));
            panels::show(*panel, ui, self.cx, self.actions);
        });
        self.output.front.insert(*panel);
        if ui.rect_contains_pointer(rect) {
            self.output.pointer_panel = Some(*panel);
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &PanelId) -> egui::WidgetText {
        self.title(*panel).into()
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<PanelId>,
        ui: &mut Ui,
        id: egui::Id,
        tile: TileId,
        state: &TabState,
    ) -> Response {
        let theme = self.theme();
        let panel = tiles.get_pane(&tile).copied();
        let title = panel.map_or_else(|| "Panels".to_owned(), |panel| self.title(panel));
        let alone = self.alone.contains(&tile);
        let font = FontId::proportional(theme::TEXT_SIZE);
        let color = match (alone, state.active) {
            (true, _) => theme.text,
            (false, true) => theme.on_accent,
            (false, false) => theme.text,
        };
        let galley = ui.painter().layout_no_wrap(title.clone(), font, color);
        let padding = if alone { 8.0 } else { 14.0 };
        let size = vec2(galley.size().x + 2.0 * padding, ui.available_height());
        let (_, rect) = ui.allocate_space(size);
        let response = ui.interact(rect, id, Sense::click_and_drag());
        response.widget_info(|| {
            WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), state.active, &title)
        });
        let pill =
            Rect::from_center_size(rect.center(), vec2(rect.width() - 4.0, theme::ROW - 2.0));
        if !alone {
            let fill = match (state.active, response.hovered()) {
                (true, _) => theme.accent,
                (false, true) => theme.control_hover,
                (false, false) => theme.control,
            };
            ui.painter().rect_filled(pill, CornerRadius::same(theme::CORNER), fill);
        }
        if response.has_focus() {
            let stroke = Stroke::new(1.0, theme.accent);
            let corner = CornerRadius::same(theme::CORNER);
            ui.painter().rect_stroke(pill, corner, stroke, StrokeKind::Outside);
        }
        let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min;
        ui.painter().galley(at, galley, color);
        if let Some(panel) = panel {
            response.context_menu(|ui| {
                if ui.button(format!("Hide {}", panel.name())).clicked() {
                    self.actions.push(Action::ShowPanel(panel, false));
                    ui.close();
                }
            });
        }
        response.on_hover_text("Drag to move the panel; right-click to hide it")
    }

    fn tab_bar_left_ui(&mut self, _: &Tiles<PanelId>, ui: &mut Ui, tile: TileId, _: &Tabs) {
        if self.transport == Some(tile) {
            ui.add_space(8.0);
            timeline::transport(ui, self.cx, self.actions);
            ui.add_space(16.0);
        } else {
            ui.add_space(4.0);
        }
    }

    fn top_bar_right_ui(
        &mut self,
        _: &Tiles<PanelId>,
        ui: &mut Ui,
        tile: TileId,
        _: &Tabs,
        _: &mut f32,
    ) {
        if self.transport == Some(tile) {
            ui.add_space(8.0);
            timeline::transport_right(ui, self.cx, self.actions);
        }
    }

    fn is_tab_bar_visible(&self, tile: TileId, tabs: &Tabs) -> bool {
        // The stage alone needs no title: its tools stand there.
        let _ = tile;
        self.viewport.is_none_or(|viewport| tabs.children != [viewport])
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        theme::BAR - 2.0
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        theme::GAP
    }

    fn min_size(&self) -> f32 {
        90.0
    }

    fn tab_bar_color(&self, _: &egui::Visuals) -> egui::Color32 {
        self.theme().panel
    }

    fn tab_bar_hline_stroke(&self, _: &egui::Visuals) -> Stroke {
        Stroke::NONE
    }

    fn resize_stroke(&self, _: &egui::Style, state: egui_tiles::ResizeState) -> Stroke {
        match state {
            egui_tiles::ResizeState::Idle => Stroke::NONE,
            egui_tiles::ResizeState::Hovering => Stroke::new(2.0, self.theme().dim),
            egui_tiles::ResizeState::Dragging => Stroke::new(2.0, self.theme().accent),
        }
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            prune_single_child_tabs: false,
            join_nested_linear_containers: true,
            ..SimplificationOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A panic is a failed test.
    use super::*;

    #[test]
    fn panels_are_hidden_restored_and_remembered() {
        let mut layouts = Layouts::default();
        let tab = WorkspaceTab::Animate;
        assert!(layouts.is_shown(tab, PanelId::Inspector));
        layouts.show(tab, PanelId::Inspector, false);
        let text = serde_json::to_string(&layouts).unwrap();
        let mut layouts: Layouts = serde_json::from_str(&text).unwrap();
        assert!(!layouts.is_shown(tab, PanelId::Inspector));
        assert!(layouts.is_shown(WorkspaceTab::Rig, PanelId::Inspector));
        layouts.focus(tab, PanelId::Inspector);
        assert!(layouts.is_shown(tab, PanelId::Inspector));
        for tab in WorkspaceTab::ALL {
            for panel in panels_of(tab).filter(|panel| *panel != PanelId::Convert) {
                // Comparing is for exports at first; elsewhere it comes when it is asked for.
                if panel == PanelId::Compare && tab != WorkspaceTab::Inspect {
                    assert!(!layouts.is_shown(tab, panel));
                    layouts.focus(tab, panel);
                }
                assert!(layouts.is_shown(tab, panel), "{tab:?} {panel:?}");
            }
        }
    }

    #[test]
    fn a_layout_that_cannot_be_read_starts_anew() {
        let mut layouts: Layouts = serde_json::from_str(r#"{"animate": 3}"#).unwrap();
        layouts.show(WorkspaceTab::Animate, PanelId::Curves, true);
        assert!(layouts.is_shown(WorkspaceTab::Animate, PanelId::Curves));
    }
}
