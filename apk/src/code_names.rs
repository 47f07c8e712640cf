//! API levels of Android's code names. Manifests built for a preview of a version name the version
//! by its code name.
//!
//! Source: `android.os.Build.VERSION_CODES` of AOSP, and `ro.build.version.codename` of the
//! previews, which aapt2 lists from Q on (`SdkConstants.cpp`).

/// Code names in the order of their levels.
const LEVELS: [(&str, u32); 22] = [
    ("Cupcake", 3),
    ("Donut", 4),
    ("Eclair", 5),
    ("Froyo", 8),
    ("Gingerbread", 9),
    ("Honeycomb", 11),
    ("IceCreamSandwich", 14),
    ("JellyBean", 16),
    ("KitKat", 19),
    ("L", 21),
    ("M", 23),
    ("N", 24),
    ("O", 26),
    ("P", 28),
    ("Q", 29),
    ("R", 30),
    ("S", 31),
    ("Sv2", 32),
    ("Tiramisu", 33),
    ("UpsideDownCake", 34),
    ("VanillaIceCream", 35),
    ("Baklava", 36),
];

/// The API level of a code name. A fingerprint may follow it (`Tiramisu.0123abcd`), and its first
/// letters are enough (`T`). A name that is not in the table is of a later version, and counts as
/// the last one that is.
pub(super) fn api_level(text: &str) -> Option<u32> {
    let name = text.split('.').next().unwrap_or(text);
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let exact = LEVELS.iter().find(|(known, _)| *known == name);
    let begun = LEVELS.iter().find(|(known, _)| known.starts_with(name));
    exact.or(begun).or(LEVELS.last()).map(|&(_, level)| level)
}

#[cfg(test)]
mod tests {
    use super::api_level;

    /// The levels of `Build.VERSION_CODES`: L, N, S, S_V2, TIRAMISU, UPSIDE_DOWN_CAKE, BAKLAVA.
    #[test]
    fn code_names_have_the_level_of_their_release() {
        let levels = ["L", "N", "S", "Sv2", "T", "UpsideDownCake.0123abcd", "Baklava"];
        assert_eq!(levels.map(api_level), [21, 24, 31, 32, 33, 34, 36].map(Some));
    }

    #[test]
    fn an_unknown_code_name_is_of_a_later_version_and_other_text_is_none() {
        assert_eq!(api_level("Zabaione"), Some(36));
        assert_eq!((api_level("@integer/min"), api_level("")), (None, None));
    }
}
