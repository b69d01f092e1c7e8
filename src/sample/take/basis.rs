//! Which change of basis a header asks for (A21).

use crate::math::{Axes, Basis};
use crate::model::take::{CoordinateSystem, Hand, UpAxis};

/// What a field of `coordinate_system` is (A21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldState {
    /// Declared, known and as here.
    Canonical,
    /// Declared, known and different: shown raw, converted exactly.
    Different,
    /// Not declared: conversion refuses.
    Missing,
    /// A word that nobody knows: conversion refuses.
    Unknown,
}

/// The states of the six fields, in the order of [`CoordinateSystem::FIELDS`] (A21).
pub fn field_states(system: Option<&CoordinateSystem>) -> [FieldState; 6] {
    let Some(system) = system else { return [FieldState::Missing; 6] };
    let (written, known) = (system.written(), system.known());
    let canonical = system.canonical_fields();
    std::array::from_fn(|field| match (written[field], known[field], canonical[field]) {
        (None, ..) => FieldState::Missing,
        (Some(_), false, _) => FieldState::Unknown,
        (Some(_), true, true) => FieldState::Canonical,
        (Some(_), true, false) => FieldState::Different,
    })
}

/// Why a header asks for no change of basis that could be made (A21).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BasisError {
    /// There is no `coordinate_system`.
    #[error("`coordinate_system` is missing: nobody knows what the values mean")]
    NotDeclared,
    /// One of its fields is missing.
    #[error("`coordinate_system.{0}` is missing: nobody knows what the values mean")]
    Missing(&'static str),
    /// One of its fields has a word that nobody knows.
    #[error("`coordinate_system.{field}` is \"{word}\", no known word")]
    Unknown {
        /// The field.
        field: &'static str,
        /// What it says.
        word: String,
    },
    /// Z up and left-handed at once.
    #[error("`coordinate_system` is both z up and left-handed: which axis was mirrored is unknown")]
    ZUpLeftHanded,
}

/// The change of basis that a header declares, for conversion (A21).
///
/// # Errors
/// Where a field is missing, is no known word, or up z meets hand left: no guessing.
pub fn declared_basis(system: Option<&CoordinateSystem>) -> Result<Basis, BasisError> {
    let Some(system) = system else { return Err(BasisError::NotDeclared) };
    let written = system.written();
    for (field, state) in field_states(Some(system)).into_iter().enumerate() {
        let name = CoordinateSystem::FIELDS[field];
        match state {
            FieldState::Missing => return Err(BasisError::Missing(name)),
            FieldState::Unknown => {
                let word = written[field].unwrap_or("").to_owned();
                return Err(BasisError::Unknown { field: name, word });
            }
            FieldState::Canonical | FieldState::Different => {}
        }
    }
    let basis = shown_basis(Some(system));
    match (system.up.known, system.hand.known) {
        (Some(UpAxis::Z), Some(Hand::Left)) => Err(BasisError::ZUpLeftHanded),
        _ => Ok(basis),
    }
}

/// The change of basis that poses are shown in (A1b, A21): what a header leaves out, or says in
/// words that nobody knows, is taken as canonical; z up and left-handed together as z up.
pub fn shown_basis(system: Option<&CoordinateSystem>) -> Basis {
    let Some(system) = system else { return Basis::CANONICAL };
    let axes = match (system.up.known, system.hand.known) {
        (Some(UpAxis::Z), _) => Axes::ZUp,
        (_, Some(Hand::Left)) => Axes::YUpLeftHanded,
        _ => Axes::YUp,
    };
    Basis { axes, meters: system.unit.known.map_or(1.0, |unit| unit.meters()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::take::Term;

    fn with(change: impl FnOnce(&mut CoordinateSystem)) -> CoordinateSystem {
        let mut system = CoordinateSystem::canonical();
        change(&mut system);
        system
    }

    #[test]
    fn declared_known_and_unknown() {
        assert_eq!(declared_basis(Some(&CoordinateSystem::canonical())), Ok(Basis::CANONICAL));
        assert_eq!(declared_basis(None), Err(BasisError::NotDeclared));
        let cm = with(|s| {
            s.up = Term::new(Some("Z".into()));
            s.unit = Term::new(Some("CM".into()));
        });
        assert_eq!(declared_basis(Some(&cm)), Ok(Basis { axes: Axes::ZUp, meters: 0.01 }));
        assert_eq!(field_states(Some(&cm))[..3], {
            use FieldState::*;
            [Different, Canonical, Different]
        });
        let left = with(|s| s.hand = Term::new(Some("left".into())));
        assert_eq!(declared_basis(Some(&left)).map(|b| b.axes), Ok(Axes::YUpLeftHanded));
        let both = with(|s| {
            s.hand = Term::new(Some("left".into()));
            s.up = Term::new(Some("z".into()));
        });
        assert_eq!(declared_basis(Some(&both)), Err(BasisError::ZUpLeftHanded));
        let unknown = with(|s| s.up = Term::new(Some("x".into())));
        let error = declared_basis(Some(&unknown));
        assert_eq!(error, Err(BasisError::Unknown { field: "up", word: "x".into() }));
        let missing = with(|s| s.rot_repr_rest = Term::default());
        assert_eq!(declared_basis(Some(&missing)), Err(BasisError::Missing("rot_repr_rest")));
        // A rest is always a quaternion: another word is one that we do not know.
        let rest = with(|s| s.rot_repr_rest = Term::new(Some("euler_deg".into())));
        assert!(matches!(declared_basis(Some(&rest)), Err(BasisError::Unknown { .. })));
        assert_eq!(shown_basis(Some(&unknown)), Basis::CANONICAL);
    }
}
