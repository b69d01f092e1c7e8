//! The one table of commands: menus, tooltips, palette, shortcuts and the guide come from it.

mod when;

use super::cx::Cx;
use super::keys::{self, Keymap};
use super::state::PanelId;
use when::{
    active_clip, active_skeleton, active_take, always, any_dirty, can_compare, can_export,
    can_redo, can_revert, can_undo, has_before, has_clip, has_document, has_keys, has_nodes,
    has_rig, has_scene, has_selection, is_compared, not_animate, not_rig, plays, two_nodes,
};

pub use when::{is_enabled, why_not};

/// A command. What it does is in `apply` where it concerns the whole window; a panel that it is
/// for asks [`Cx::invoked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CommandId {
    /// A new clip for a rig.
    NewRigClip,
    /// A new clip for a procedural model.
    NewModelClip,
    /// A new rig.
    NewRig,
    /// Open files.
    Open,
    /// Open a folder as a project.
    OpenFolder,
    /// Save the current document.
    Save,
    /// Save it under another name.
    SaveAs,
    /// Save all documents.
    SaveAll,
    /// Back to what is on disk.
    Revert,
    /// Choose the folder that bindings are relative to.
    SetProjectRoot,
    /// Make an export of a clip or a rig.
    Export,
    /// Make a rig and a clip of an export.
    CreateRigAndClip,
    /// Make a rig of a skeleton.
    CreateRig,
    /// Close the current document.
    Close,
    /// Close the window.
    Quit,
    /// Take back the last step.
    Undo,
    /// Do it again.
    Redo,
    /// Copy the selected keys or nodes and delete them.
    Cut,
    /// Copy the selected keys or nodes.
    Copy,
    /// Paste at the playhead, or below the selected node.
    Paste,
    /// Paste with left and right swapped.
    PasteFlipped,
    /// Copy in place.
    Duplicate,
    /// Delete what is selected.
    Delete,
    /// Select everything in the panel.
    SelectAll,
    /// Select nothing.
    SelectNone,
    /// Select what is not selected.
    SelectInverse,
    /// Draw a box around what shall be selected.
    BoxSelect,
    /// Rename in place.
    Rename,
    /// Find a command by its name.
    Palette,
    /// The Blender shortcuts.
    KeymapBlender,
    /// The Maya and Unity shortcuts.
    KeymapMaya,
    /// The Animate workspace.
    WorkspaceAnimate,
    /// The Rig workspace.
    WorkspaceRig,
    /// Panels for looking at exports.
    WorkspaceInspect,
    /// Frame what is selected.
    FrameSelected,
    /// Frame everything.
    FrameAll,
    /// Look from the front.
    ViewFront,
    /// Look from the side.
    ViewSide,
    /// Look from above.
    ViewTop,
    /// Perspective on and off.
    ViewPerspective,
    /// Names of nodes in the viewport.
    ShowNames,
    /// Bones in front of the models.
    BonesInFront,
    /// Poses before and after the playhead.
    ShowGhosts,
    /// The way of the selected nodes.
    ShowTrail,
    /// Orbit the view.
    Orbit,
    /// Pan the view.
    Pan,
    /// Zoom the view.
    Zoom,
    /// Times as frames or as seconds.
    ShowFrames,
    /// Angles in radians or in degrees.
    ShowRadians,
    /// Compare with a file.
    CompareFile,
    /// Compare with the version before the last export.
    CompareBefore,
    /// To the next difference.
    CompareNext,
    /// To the difference before.
    ComparePrevious,
    /// The dark or the light theme.
    ToggleTheme,
    /// A larger interface.
    ScaleUp,
    /// A smaller interface.
    ScaleDown,
    /// The interface at its own size.
    ScaleReset,
    /// All panels where they were at first.
    ResetLayout,
    /// Play and pause.
    Play,
    /// One frame back.
    FrameBack,
    /// One frame on.
    FrameForward,
    /// To the key before.
    KeyBack,
    /// To the next key.
    KeyForward,
    /// To the start.
    GoStart,
    /// To the end.
    GoEnd,
    /// Make a key at the playhead.
    InsertKey,
    /// Choose how the track moves between its keys.
    Interpolation,
    /// Move all later keys along.
    Extend,
    /// Open a gap in the clip.
    InsertTime,
    /// Take a piece out of the clip.
    RemoveTime,
    /// Play around and around.
    ToggleLoop,
    /// Snap times to frames.
    ToggleSnap,
    /// The tool that selects.
    ToolSelect,
    /// The tool that moves.
    ToolMove,
    /// The tool that rotates.
    ToolRotate,
    /// The tool that scales.
    ToolScale,
    /// A new joint below the selected one.
    AddChild,
    /// A new joint at the end of the selected one, ready to be moved.
    Extrude,
    /// Hang the selected nodes under the last selected one.
    Parent,
    /// Make the selected nodes roots.
    Unparent,
    /// A mirrored copy of the selected nodes.
    Mirror,
    /// All shortcuts on one page.
    ShortcutGuide,
    /// The first page.
    Welcome,
    /// What this program is.
    About,
}

/// A menu of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Menu {
    /// Documents.
    File,
    /// Undo, clipboard, selection.
    Edit,
    /// Panels, cameras, themes.
    View,
    /// The clip.
    Key,
    /// The hierarchy.
    Rig,
    /// What becomes of exports.
    Import,
    /// Guides.
    Help,
}

impl Menu {
    /// All, from left to right.
    pub const ALL: [Menu; 7] =
        [Menu::File, Menu::Edit, Menu::View, Menu::Key, Menu::Rig, Menu::Import, Menu::Help];

    /// Its title.
    pub fn name(self) -> &'static str {
        match self {
            Menu::File => "File",
            Menu::Edit => "Edit",
            Menu::View => "View",
            Menu::Key => "Key",
            Menu::Rig => "Rig",
            Menu::Import => "Import",
            Menu::Help => "Help",
        }
    }
}

/// A row of the table.
pub struct Command {
    /// Which.
    pub id: CommandId,
    /// Its name in menus and in the palette.
    pub name: &'static str,
    /// The menu that holds it; a new group begins where the number changes.
    pub menu: (Menu, u8),
    /// One sentence for the tooltip.
    pub help: &'static str,
    /// Shortcuts in the Blender and in the Maya/Unity keymap, as [`keys::parse`] reads them; what
    /// it cannot read is a gesture of the mouse, for the guide.
    pub keys: [&'static [&'static str]; 2],
    /// Panels whose pointer it needs; empty: anywhere.
    pub panels: &'static [PanelId],
    /// Whether it would do something now.
    pub enabled: fn(&Cx<'_>) -> bool,
}

impl Command {
    /// The shortcuts as they are shown, in a keymap.
    pub fn shortcut(&self, keymap: Keymap) -> Option<String> {
        self.keys[keymap as usize].first().map(|word| keys::show(word))
    }

    /// Help, and the shortcuts, for a tooltip.
    pub fn tooltip(&self, keymap: Keymap) -> String {
        let words: Vec<String> = self.keys[keymap as usize].iter().map(|w| keys::show(w)).collect();
        if words.is_empty() {
            self.help.to_owned()
        } else {
            format!("{} ({})", self.help, words.join(", "))
        }
    }
}

const TIME: &[PanelId] = &[PanelId::DopeSheet, PanelId::Curves];
const SPACE: &[PanelId] = &[PanelId::Viewport];
const NODES: &[PanelId] = &[PanelId::Viewport, PanelId::Hierarchy];
const TOOLS: &[PanelId] = &[PanelId::Viewport, PanelId::DopeSheet, PanelId::Curves];
const THINGS: &[PanelId] =
    &[PanelId::Viewport, PanelId::Hierarchy, PanelId::DopeSheet, PanelId::Curves];
/// Where arrows and signs move the playhead: lists and trees keep them for their rows.
const PLAYING: &[PanelId] = &[
    PanelId::Viewport,
    PanelId::Inspector,
    PanelId::DopeSheet,
    PanelId::Curves,
    PanelId::Report,
    PanelId::Pegs,
];
const NONE: [&[&str]; 2] = [&[], &[]];

macro_rules! both {
    ($($key:literal),*) => { [&[$($key),*], &[$($key),*]] };
}

macro_rules! row {
    ($id:ident, $name:literal, $menu:ident $group:literal, $help:literal, $keys:expr, $panels:expr,
     $enabled:ident) => {
        Command {
            id: CommandId::$id,
            name: $name,
            menu: (Menu::$menu, $group),
            help: $help,
            keys: $keys,
            panels: $panels,
            enabled: $enabled,
        }
    };
}

/// Every command there is, in the order of the menus.
#[rustfmt::skip] // A table: one command, two lines.
pub static COMMANDS: &[Command] = &[
    row!(NewRigClip, "New Rig Clip…", File 0,
        "A new clip for a rig", both!("Ctrl+N"), &[], always),
    row!(NewModelClip, "New Model Clip", File 0,
        "A new clip for a procedural model", NONE, &[], always),
    row!(NewRig, "New Rig", File 0,
        "A new hierarchy of joints", both!("Ctrl+Shift+N"), &[], always),
    row!(Open, "Open…", File 1,
        "Open clips, rigs and scenes", both!("Ctrl+O"), &[], always),
    row!(OpenFolder, "Open Folder…", File 1,
        "Open a folder as a project, with its files in the Files panel", both!("Ctrl+Shift+O"), &[], always),
    row!(Save, "Save", File 2,
        "Save the current document", both!("Ctrl+S"), &[], has_document),
    row!(SaveAs, "Save As…", File 2,
        "Save the current document under another name", both!("Ctrl+Shift+S"), &[], has_document),
    row!(SaveAll, "Save All", File 2,
        "Save every document that has changed", both!("Ctrl+Alt+S"), &[], any_dirty),
    row!(Export, "Export…", File 3,
        "Make an .anm of this clip, or a .pvt of this rig, with the error measured", NONE, &[], can_export),
    row!(Revert, "Revert", File 3,
        "Back to the file as it is on disk; undo brings the changes back", NONE, &[], can_revert),
    row!(SetProjectRoot, "Set Project Root…", File 3,
        "Choose the folder that this clip's binding is relative to", NONE, &[], active_clip),
    row!(Close, "Close", File 4,
        "Close the current document", both!("Ctrl+W"), &[], has_document),
    row!(Quit, "Quit", File 4,
        "Close the window", both!("Ctrl+Q"), &[], always),

    row!(Undo, "Undo", Edit 0,
        "Take back the last step of this document", both!("Ctrl+Z"), &[], can_undo),
    row!(Redo, "Redo", Edit 0,
        "Do again what was taken back", [&["Ctrl+Shift+Z"], &["Ctrl+Y", "Ctrl+Shift+Z"]], &[], can_redo),
    row!(Cut, "Cut", Edit 1,
        "Copy the selected keys or nodes, and delete them", both!("Ctrl+X"), THINGS, has_selection),
    row!(Copy, "Copy", Edit 1,
        "Copy the selected keys or nodes", both!("Ctrl+C"), THINGS, has_selection),
    row!(Paste, "Paste", Edit 1,
        "Paste keys at the playhead, or nodes below the selected one", both!("Ctrl+V"), THINGS, has_scene),
    row!(PasteFlipped, "Paste Flipped", Edit 1,
        "Paste with left and right swapped", both!("Ctrl+Shift+V"), THINGS, has_clip),
    row!(Duplicate, "Duplicate", Edit 1,
        "Copy the selected keys or nodes in place", [&["Shift+D"], &["Ctrl+D", "Alt+drag in the dope sheet"]], THINGS, has_selection),
    row!(Delete, "Delete", Edit 1,
        "Delete the selected keys or nodes", [&["X", "Delete"], &["Delete"]], THINGS, has_selection),
    row!(SelectAll, "Select All", Edit 2,
        "Select everything in the panel", [&["A"], &["Ctrl+A"]], THINGS, has_scene),
    row!(SelectNone, "Select None", Edit 2,
        "Select nothing", [&["Alt+A"], &["Ctrl+Shift+A"]], THINGS, has_selection),
    row!(SelectInverse, "Invert Selection", Edit 2,
        "Select what is not selected", both!("Ctrl+I"), THINGS, has_scene),
    row!(BoxSelect, "Box Select", Edit 2,
        "Draw a box around what shall be selected", [&["B"], &["drag on empty ground"]], TOOLS, has_scene),
    row!(Rename, "Rename", Edit 3,
        "Rename the selected node", both!("F2"), &[], has_nodes),
    row!(Palette, "Find a Command…", Edit 4,
        "Find a command by its name", both!("F3", "Ctrl+Shift+P"), &[], always),
    row!(KeymapBlender, "Blender Shortcuts", Edit 5,
        "Use the shortcuts of Blender", NONE, &[], always),
    row!(KeymapMaya, "Maya/Unity Shortcuts", Edit 5,
        "Use the shortcuts of Maya and Unity", NONE, &[], always),

    row!(WorkspaceAnimate, "Animate Workspace", View 0,
        "Panels for keying clips", both!("Ctrl+Alt+1"), &[], not_animate),
    row!(WorkspaceRig, "Rig Workspace", View 0,
        "Panels for building hierarchies", both!("Ctrl+Alt+2"), &[], not_rig),
    row!(WorkspaceInspect, "Inspect Workspace", View 0,
        "Look at exports: report, pegs, problems, cameras", NONE, &[], always),
    row!(FrameSelected, "Frame Selected", View 1,
        "Bring what is selected into view", [&["Numpad ."], &["F"]], THINGS, has_scene),
    row!(FrameAll, "Frame All", View 1,
        "Bring everything into view", [&["Home"], &["A"]], THINGS, has_scene),
    row!(ViewFront, "Front View", View 2,
        "Look along −Z", [&["Numpad 1"], &[]], SPACE, has_scene),
    row!(ViewSide, "Side View", View 2,
        "Look along −X", [&["Numpad 3"], &[]], SPACE, has_scene),
    row!(ViewTop, "Top View", View 2,
        "Look along −Y", [&["Numpad 7"], &[]], SPACE, has_scene),
    row!(ViewPerspective, "Perspective", View 2,
        "Perspective on and off", [&["Numpad 5"], &[]], SPACE, has_scene),
    row!(Orbit, "Orbit", View 2,
        "Turn the view around what it looks at", [&["MMB"], &["Alt+LMB"]], SPACE, has_scene),
    row!(Pan, "Pan", View 2,
        "Move the view sideways", [&["Shift+MMB"], &["Alt+MMB"]], SPACE, has_scene),
    row!(Zoom, "Zoom", View 2,
        "Closer and farther", [&["wheel"], &["wheel", "Alt+RMB"]], SPACE, has_scene),
    row!(ShowNames, "Node Names", View 3,
        "Names of nodes in the viewport", NONE, &[], has_scene),
    row!(BonesInFront, "Bones in Front", View 3,
        "Draw bones in front of the models", NONE, &[], has_scene),
    row!(ShowGhosts, "Ghosts", View 3,
        "Poses before the playhead in violet, after it in teal", NONE, &[], plays),
    row!(ShowTrail, "Trail", View 3,
        "The way of the selected nodes through the clip", NONE, &[], plays),
    row!(ShowFrames, "Times as Frames", View 4,
        "Show times as frames or as seconds", NONE, &[], always),
    row!(ShowRadians, "Angles in Radians", View 4,
        "Show angles in radians or in degrees", NONE, &[], always),
    row!(CompareFile, "Compare with a File…", View 7,
        "What changed from another file to this one, in words", NONE, &[], can_compare),
    row!(CompareBefore, "Compare with the Version Before", View 7,
        "What changed since the version that was last looked at", NONE, &[], has_before),
    row!(CompareNext, "Next Difference", View 7,
        "To the next thing that differs, at the moment at which it differs most", both!("F7"), &[], is_compared),
    row!(ComparePrevious, "Previous Difference", View 7,
        "To the thing that differs before", both!("Shift+F7"), &[], is_compared),
    row!(ToggleTheme, "Light Theme", View 5,
        "The dark or the light theme", NONE, &[], always),
    row!(ScaleUp, "Larger Interface", View 5,
        "A larger interface, up to three times its size", both!("Ctrl++"), &[], always),
    row!(ScaleDown, "Smaller Interface", View 5,
        "A smaller interface", both!("Ctrl+-"), &[], always),
    row!(ScaleReset, "Interface at Its Size", View 5,
        "The interface at its own size", both!("Ctrl+0"), &[], always),
    row!(ResetLayout, "Reset Panels", View 6,
        "All panels of this workspace where they were at first", NONE, &[], always),

    row!(Play, "Play", Key 0,
        "Play and pause", [&["Space"], &["Space", "Alt+V"]], &[], plays),
    row!(FrameBack, "Previous Frame", Key 0,
        "One frame back", [&["←"], &["Alt+,"]], PLAYING, plays),
    row!(FrameForward, "Next Frame", Key 0,
        "One frame on", [&["→"], &["Alt+."]], PLAYING, plays),
    row!(KeyBack, "Previous Key", Key 0,
        "To the key before the playhead", [&["↓"], &[","]], PLAYING, plays),
    row!(KeyForward, "Next Key", Key 0,
        "To the next key", [&["↑"], &["."]], PLAYING, plays),
    row!(GoStart, "Go to Start", Key 0,
        "To the start of the clip, or of the range", [&["Shift+←"], &["Shift+,"]], PLAYING, plays),
    row!(GoEnd, "Go to End", Key 0,
        "To the end of the clip, or of the range", [&["Shift+→"], &["Shift+."]], PLAYING, plays),
    row!(InsertKey, "Insert Key", Key 1,
        "Make keys at the playhead for what is selected", [&["I"], &["S", "K"]], THINGS, has_keys),
    row!(Interpolation, "Interpolation…", Key 1,
        "Choose how the selected tracks move between their keys; of an export, how its selected keys move on, and their handles", both!("T"), TIME, has_keys),
    row!(Extend, "Extend", Key 1,
        "Move all keys after the playhead along", [&["E"], &["2 held from before the drag"]], TIME, has_keys),
    row!(InsertTime, "Insert Time…", Key 1,
        "Open a gap: all later keys move along, and the clip gets longer", NONE, &[], has_clip),
    row!(RemoveTime, "Remove Time…", Key 1,
        "Take a piece of time out with its keys: the range, the selected keys' time, or at the playhead", NONE, &[], has_clip),
    row!(ToggleLoop, "Loop Playback", Key 2,
        "Play around and around, whatever the clip itself says", NONE, &[], plays),
    row!(ToggleSnap, "Snap to Frames", Key 2,
        "Times land on frames; Ctrl inverts it", NONE, &[], plays),

    row!(ToolSelect, "Select Tool", Rig 0,
        "Click and draw boxes to select", [&[], &["Q"]], SPACE, has_scene),
    row!(ToolMove, "Move", Rig 0,
        "Move what is selected", [&["G"], &["W"]], TOOLS, has_scene),
    row!(ToolRotate, "Rotate", Rig 0,
        "Rotate what is selected", [&["R"], &["E"]], SPACE, has_scene),
    row!(ToolScale, "Scale", Rig 0,
        "Scale what is selected; keys about the playhead", [&["S"], &["R"]], TOOLS, has_scene),
    row!(AddChild, "Add Child", Rig 1,
        "A new joint below the selected one", [&["Shift+A"], &[]], NODES, has_rig),
    row!(Extrude, "Extrude", Rig 1,
        "A new joint at the end of the selected one, ready to be moved", [&["E"], &["Ctrl+E"]], SPACE, has_nodes),
    row!(Parent, "Parent", Rig 1,
        "Hang the selected nodes under the one selected last", [&["Ctrl+P"], &["P"]], NODES, two_nodes),
    row!(Unparent, "Unparent", Rig 1,
        "Make the selected nodes roots", [&["Alt+P"], &["Shift+P"]], NODES, has_nodes),
    row!(Mirror, "Mirror", Rig 1,
        "A mirrored copy of the selected nodes: left becomes right", NONE, NODES, has_nodes),

    row!(CreateRigAndClip, "Create Rig and Clip…", Import 0,
        "Make a .rig and a .motion of this export: few keys, the error measured", NONE, &[], active_take),
    row!(CreateRig, "Create Rig…", Import 0,
        "Make a .rig of this skeleton", NONE, &[], active_skeleton),

    row!(ShortcutGuide, "Shortcuts", Help 0,
        "All shortcuts on one page", both!("F1"), &[], always),
    row!(Welcome, "Welcome", Help 0,
        "Sample projects, recent files, new documents", NONE, &[], always),
    row!(About, "About Posewright", Help 1,
        "What this program is", NONE, &[], always),
];

/// The row of a command.
pub fn command(id: CommandId) -> &'static Command {
    // Every id has a row: a test counts them.
    COMMANDS.iter().find(|c| c.id == id).unwrap_or(&COMMANDS[0])
}

/// The commands a panel's pointer reaches by a shortcut, the panel's own before those for
/// anywhere.
pub fn in_panel(panel: Option<PanelId>) -> impl Iterator<Item = &'static Command> {
    let own = move |c: &&Command| panel.is_some_and(|p| c.panels.contains(&p));
    COMMANDS.iter().filter(own).chain(COMMANDS.iter().filter(|c| c.panels.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn no_command_stands_twice() {
        let ids: BTreeSet<CommandId> = COMMANDS.iter().map(|c| c.id).collect();
        assert_eq!(ids.len(), COMMANDS.len());
        let names: BTreeSet<&str> = COMMANDS.iter().map(|c| c.name).collect();
        assert_eq!(names.len(), COMMANDS.len());
        assert_eq!(ids.len(), CommandId::About as usize + 1, "a command has no row");
    }

    #[test]
    fn no_two_commands_of_a_keymap_clash_in_a_panel() {
        for keymap in Keymap::ALL {
            for panel in PanelId::ALL {
                let mut taken: BTreeMap<String, CommandId> = BTreeMap::new();
                for command in in_panel(Some(panel)) {
                    for word in command.keys[keymap as usize] {
                        let Some(shortcut) = keys::parse(word) else { continue };
                        let before = taken.insert(format!("{shortcut:?}"), command.id);
                        assert!(
                            before.is_none(),
                            "{keymap:?}, {panel:?}: {word} is {before:?} and {:?}",
                            command.id
                        );
                    }
                }
            }
        }
    }

    /// What hands do, row by row: command, Blender, Maya/Unity.
    #[rustfmt::skip]
    const HANDS: &[(CommandId, &[&str], &[&str])] = &[
        (CommandId::Play, &["Space"], &["Space", "Alt+V"]),
        (CommandId::FrameBack, &["←"], &["Alt+,"]),
        (CommandId::FrameForward, &["→"], &["Alt+."]),
        (CommandId::KeyForward, &["↑"], &["."]),
        (CommandId::KeyBack, &["↓"], &[","]),
        (CommandId::GoStart, &["Shift+←"], &["Shift+,"]),
        (CommandId::GoEnd, &["Shift+→"], &["Shift+."]),
        (CommandId::InsertKey, &["I"], &["S", "K"]),
        (CommandId::ToolMove, &["G"], &["W"]),
        (CommandId::ToolRotate, &["R"], &["E"]),
        (CommandId::ToolScale, &["S"], &["R"]),
        (CommandId::SelectAll, &["A"], &["Ctrl+A"]),
        (CommandId::SelectNone, &["Alt+A"], &["Ctrl+Shift+A"]),
        (CommandId::SelectInverse, &["Ctrl+I"], &["Ctrl+I"]),
        (CommandId::BoxSelect, &["B"], &["drag on empty ground"]),
        (CommandId::Delete, &["X", "Delete"], &["Delete"]),
        (CommandId::Duplicate, &["Shift+D"], &["Ctrl+D", "Alt+drag in the dope sheet"]),
        (CommandId::Copy, &["Ctrl+C"], &["Ctrl+C"]),
        (CommandId::Paste, &["Ctrl+V"], &["Ctrl+V"]),
        (CommandId::PasteFlipped, &["Ctrl+Shift+V"], &["Ctrl+Shift+V"]),
        (CommandId::Interpolation, &["T"], &["T"]),
        (CommandId::FrameSelected, &["Numpad ."], &["F"]),
        (CommandId::FrameAll, &["Home"], &["A"]),
        (CommandId::Extend, &["E"], &["2 held from before the drag"]),
        (CommandId::Rename, &["F2"], &["F2"]),
        (CommandId::Parent, &["Ctrl+P"], &["P"]),
        (CommandId::Unparent, &["Alt+P"], &["Shift+P"]),
        (CommandId::Extrude, &["E"], &["Ctrl+E"]),
        (CommandId::Orbit, &["MMB"], &["Alt+LMB"]),
        (CommandId::Pan, &["Shift+MMB"], &["Alt+MMB"]),
        (CommandId::Zoom, &["wheel"], &["wheel", "Alt+RMB"]),
        (CommandId::ViewFront, &["Numpad 1"], &[]),
        (CommandId::ViewSide, &["Numpad 3"], &[]),
        (CommandId::ViewTop, &["Numpad 7"], &[]),
        (CommandId::ViewPerspective, &["Numpad 5"], &[]),
        (CommandId::Undo, &["Ctrl+Z"], &["Ctrl+Z"]),
        (CommandId::Redo, &["Ctrl+Shift+Z"], &["Ctrl+Y", "Ctrl+Shift+Z"]),
        (CommandId::Save, &["Ctrl+S"], &["Ctrl+S"]),
        (CommandId::SaveAs, &["Ctrl+Shift+S"], &["Ctrl+Shift+S"]),
        (CommandId::Open, &["Ctrl+O"], &["Ctrl+O"]),
        (CommandId::Close, &["Ctrl+W"], &["Ctrl+W"]),
        (CommandId::Palette, &["F3", "Ctrl+Shift+P"], &["F3", "Ctrl+Shift+P"]),
    ];

    #[test]
    fn the_table_holds_what_hands_do() {
        for (id, blender, maya) in HANDS {
            assert_eq!(command(*id).keys, [*blender, *maya], "{id:?}");
        }
    }

    #[test]
    fn letters_alone_are_no_shortcut_for_anywhere_but_space() {
        // A letter belongs to the panel under the pointer.
        for command in COMMANDS.iter().filter(|c| c.panels.is_empty()) {
            for word in command.keys.iter().flat_map(|words| words.iter()) {
                assert!(
                    word.chars().count() > 1 || !word.starts_with(char::is_alphabetic),
                    "{word}"
                );
            }
        }
    }
}
