//! Texts to models and back.
