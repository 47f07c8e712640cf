//! Origins of callbacks: constants of the app that show where a callback came from
//! (`docs/PROTOCOL.md` §5).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::graph::ids::NameId;

/// Largest number of origins of a build.
pub const MAX_ORIGINS: u32 = 1 << 20;

/// Largest number of ranges of origins.
pub const MAX_RANGES: usize = 64;

/// Kinds of origins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OriginKind {
    /// The id of a view or of a menu item.
    Id,
    /// A position in a list, from 0.
    Position,
    /// A key code of Android.
    Key,
    /// The action of an intent; the value is its number among the build's actions.
    Action,
}

impl OriginKind {
    /// Its number in the runtime's configuration.
    pub const fn number(self) -> u32 {
        match self {
            OriginKind::Id => 0,
            OriginKind::Position => 1,
            OriginKind::Key => 2,
            OriginKind::Action => 3,
        }
    }
}

/// Origins of one kind with consecutive values. Their ids continue those of methods and of ranges
/// before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginRange {
    /// Kind of each.
    pub kind: OriginKind,
    /// The first value.
    pub first: u32,
    /// The number of values.
    pub count: u32,
    /// The name of each value, or none at all.
    pub names: Vec<Option<NameId>>,
}

impl OriginRange {
    /// Returns true if all values exist, and all names.
    pub(crate) fn is_sound(&self, names: usize) -> bool {
        (1..=MAX_ORIGINS).contains(&self.count)
            && self.first.checked_add(self.count - 1).is_some()
            && (self.names.is_empty() || self.names.len() == self.count as usize)
            && self.names.iter().flatten().all(|name| (name.0 as usize) < names)
    }
}

/// An origin with its name, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallbackOrigin<'m> {
    /// Its kind.
    pub kind: OriginKind,
    /// The value.
    pub value: u32,
    /// Its name in the app's resources, or the action itself.
    pub name: Option<&'m str>,
}

/// Ids below this are numbers that the app chose; others are resource ids.
const FIRST_RESOURCE: u32 = 0x0100_0000;

/// Names of keys that most devices have (`android.view.KeyEvent`).
const KEYS: [(u32, &str); 20] = [
    (3, "HOME"),
    (4, "BACK"),
    (19, "DPAD_UP"),
    (20, "DPAD_DOWN"),
    (21, "DPAD_LEFT"),
    (22, "DPAD_RIGHT"),
    (23, "DPAD_CENTER"),
    (24, "VOLUME_UP"),
    (25, "VOLUME_DOWN"),
    (26, "POWER"),
    (27, "CAMERA"),
    (61, "TAB"),
    (62, "SPACE"),
    (66, "ENTER"),
    (67, "DEL"),
    (79, "HEADSETHOOK"),
    (82, "MENU"),
    (84, "SEARCH"),
    (85, "MEDIA_PLAY_PAUSE"),
    (111, "ESCAPE"),
];

/// `#save`, `#101`, `0x7f0b0012`, `position 3`, `key BACK`, `org.example.CLIENT`.
impl fmt::Display for CallbackOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match (self.kind, self.name) {
            (OriginKind::Id, Some(name)) => write!(f, "#{name}"),
            (OriginKind::Id, None) if value >= FIRST_RESOURCE => write!(f, "{value:#010x}"),
            (OriginKind::Id, None) => write!(f, "#{value}"),
            (OriginKind::Position, _) => write!(f, "position {value}"),
            (OriginKind::Key, _) => match KEYS.iter().find(|key| key.0 == value) {
                Some((_, key)) => write!(f, "key {key}"),
                None => write!(f, "key {value}"),
            },
            (OriginKind::Action, Some(name)) => f.write_str(name),
            (OriginKind::Action, None) => write!(f, "action {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_shown_as_the_app_s_sources_name_them() {
        let shown = |kind, value, name| CallbackOrigin { kind, value, name }.to_string();
        assert_eq!(shown(OriginKind::Id, 0x7f0b_0012, Some("save")), "#save");
        assert_eq!(shown(OriginKind::Id, 0x7f0b_0012, None), "0x7f0b0012");
        assert_eq!(shown(OriginKind::Id, 101, None), "#101");
        assert_eq!(shown(OriginKind::Position, 3, None), "position 3");
        assert_eq!(shown(OriginKind::Key, 4, None), "key BACK");
        assert_eq!(shown(OriginKind::Key, 300, None), "key 300");
        assert_eq!(shown(OriginKind::Action, 0, Some("a.b.C")), "a.b.C");
    }

    #[test]
    fn ranges_beyond_all_values_are_unsound() {
        let range = |first, count, names| OriginRange { kind: OriginKind::Id, first, count, names };
        assert!(range(u32::MAX, 1, vec![]).is_sound(0));
        assert!(!range(u32::MAX, 2, vec![]).is_sound(0));
        assert!(!range(1, 0, vec![]).is_sound(0));
        assert!(!range(1, MAX_ORIGINS + 1, vec![]).is_sound(0));
        assert!(range(1, 2, vec![None, Some(NameId(0))]).is_sound(1));
        assert!(!range(1, 2, vec![None, Some(NameId(1))]).is_sound(1));
        assert!(!range(1, 2, vec![None]).is_sound(1));
    }
}
