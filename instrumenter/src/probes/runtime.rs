//! The device runtime in every instrumented app, and the names by which probes and patches refer to
//! it.
//!
//! Sources, build recipe and the meaning of each method: `runtime/` in the repository's root
//! folder.

use std::borrow::Cow;

use dex::{Dex, DexString, FieldIdx, MethodIdx};
use model::map::{BuildId, SlotId};
use model::protocol::probes::{Probe, STATE};

/// The runtime's classes as a DEX file, version 035, minimum API level 19 (`cargo xtask runtime
/// build`).
pub const RUNTIME_DEX: &[u8] = include_bytes!("../../../runtime/prebuilt/runtime.dex");

/// Package of all runtime classes, as the prefix of their descriptors. In an app it only contains
/// [`DOOR`]; the other classes are in [`BuildPackage`]s below it.
pub const PACKAGE: &str = "Lpathlight/";

/// Class with `flush()` and `off()` for the app's own code: the only class with the same name and
/// code in every build. It reaches all builds of the process, so any of its copies may be loaded.
pub const DOOR: &str = "Lpathlight/Pathlight;";

/// Number of hexadecimal digits of the build id in the package name: enough that no two builds
/// share a name.
const PACKAGE_DIGITS: usize = 16;

/// Package of one build's runtime, `pathlight/b0123456789abcdef/`. Several builds may run in one
/// process (an app and its feature splits, an app and the plugin that it loads): each has its own
/// runtime, since method ids depend on the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPackage {
    /// Prefix of its descriptors: `Lpathlight/b0123456789abcdef/`.
    prefix: String,
}

impl BuildPackage {
    /// Returns the package of a build.
    pub fn new(build: BuildId) -> BuildPackage {
        let digits = build.to_string();
        BuildPackage { prefix: format!("{PACKAGE}b{}/", &digits[..PACKAGE_DIGITS]) }
    }

    /// Returns the descriptor of a class of [`RUNTIME_DEX`] in this build; other descriptors stay
    /// unchanged.
    pub fn name<'a>(&self, descriptor: &'a str) -> Cow<'a, str> {
        match descriptor.strip_prefix(PACKAGE) {
            Some(class) if descriptor != DOOR => Cow::Owned(format!("{}{class}", self.prefix)),
            _ => Cow::Borrowed(descriptor),
        }
    }

    /// Returns true if a class is one of the runtime's in this build.
    pub fn owns(&self, descriptor: &str) -> bool {
        descriptor.starts_with(&self.prefix)
    }

    /// Interns a method of a runtime class in a dex file of the app.
    pub fn method(&self, dex: &mut Dex, class: &str, method: Probe) -> MethodIdx {
        let params: Vec<_> = method.params.iter().map(|p| self.name(p)).collect();
        let params: Vec<&str> = params.iter().map(AsRef::as_ref).collect();
        dex.intern_method(&self.name(class), method.name, &self.name(method.ret), &params)
    }

    /// Interns an instance field of [`STATE`] in a dex file of the app.
    pub fn state_field(&self, dex: &mut Dex, name: &str, ty: &str) -> FieldIdx {
        dex.intern_field(&self.name(STATE), name, ty)
    }

    /// Moves the classes of [`RUNTIME_DEX`] into this package. All strings with the prefix of their
    /// descriptors, or of an array's, are such descriptors, including those in annotations.
    pub(crate) fn rename(&self, runtime: &mut Dex) {
        let renamed: Vec<DexString> =
            runtime.strings.items().iter().map(|s| self.string(s)).collect();
        runtime.strings = renamed.into();
    }

    fn string(&self, s: &DexString) -> DexString {
        let Ok(text) = std::str::from_utf8(&s.0) else { return s.clone() };
        let element = text.trim_start_matches('[');
        let dimensions = &text[..text.len() - element.len()];
        DexString(format!("{dimensions}{}", self.name(element)).into_bytes().into())
    }
}

/// Returns true if a descriptor is that of a runtime class, in the package of any build.
pub fn is_class(descriptor: &str, class: &str) -> bool {
    let (Some(rest), Some(class)) = (descriptor.strip_prefix(PACKAGE), class.strip_prefix(PACKAGE))
    else {
        return false;
    };
    let name = match rest.split_once('/') {
        Some((package, name)) if is_build_package(package) => name,
        _ => rest,
    };
    name == class
}

fn is_build_package(package: &str) -> bool {
    package.strip_prefix('b').is_some_and(|digits| {
        digits.len() == PACKAGE_DIGITS
            && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Returns the call token of a slot: its complement, so that the first 32,768 slots need no long
/// constants.
pub const fn slot_token(slot: SlotId) -> i32 {
    !(slot.0 as i32)
}

/// Class with the protocol's constants, which is not part of apps.
pub const PROTOCOL: &str = "Lpathlight/Protocol;";

/// Class whose static values the instrumenter replaces.
pub const CONFIG: &str = "Lpathlight/Config;";

#[cfg(test)]
mod tests {
    use model::protocol::probes::{COUNTS, PACKED, PROBE_METHODS, PROBES, WIRE_METHODS};

    use super::*;

    #[test]
    fn arrays_of_the_runtime_s_classes_move_with_them() {
        let package = BuildPackage::new(BuildId([7; 16]));
        let moved = |s: &str| package.string(&DexString(s.as_bytes().into()));
        let text = |s: &str| DexString(s.as_bytes().into());
        assert_eq!(moved("[[Lpathlight/State;"), text(&format!("[[{}", package.name(STATE))));
        assert_eq!(moved("[Ljava/lang/Object;"), text("[Ljava/lang/Object;"));
        assert_eq!(moved("[["), text("[["));
    }

    /// ART inlines methods of at most 32 code units
    /// (`CompilerOptions::kDefaultInlineMaxCodeUnits`).
    #[test]
    fn every_probe_exists_and_fits_the_inliner() {
        let all = sizes(PROBES);
        for probe in PROBE_METHODS {
            assert!(all.iter().any(|(name, _)| name == probe.name), "{} is missing", probe.name);
        }
        for (name, units) in all {
            assert!(units <= 32, "{name} has {units} code units");
        }
        let words = sizes(PACKED);
        for probe in WIRE_METHODS {
            let units =
                words.iter().filter(|(name, _)| name == probe.name).map(|(_, units)| *units).max();
            assert!(units.is_some_and(|u| u <= 32), "{}: {units:?} code units", probe.name);
        }
        // Of the counting probes, those on hot paths.
        let quick = ["page", "enter", "leaf", "hit", "far", "open", "call", "none", "caught"];
        let counts = sizes(COUNTS);
        for name in quick.into_iter().chain(["exitGuarded", "frame", "broken"]) {
            let units = counts.iter().filter(|(n, _)| n == name).map(|(_, units)| *units).max();
            assert!(units.is_some_and(|u| u <= 32), "{name}: {units:?} code units");
        }
    }

    /// Slow paths of probes must be real calls: ART would otherwise inline them with all their
    /// callees, at every probe.
    #[test]
    fn the_slow_path_of_an_entry_does_not_fit_the_inliner() {
        let enter = sizes("Lpathlight/Start;")
            .into_iter()
            .find(|(name, _)| name == "enter")
            .expect("is there");
        assert!(enter.1 > 32, "{} code units", enter.1);
    }

    /// Returns names and code units of a runtime class's static methods.
    fn sizes(class: &str) -> Vec<(String, usize)> {
        let dex = Dex::read(RUNTIME_DEX).unwrap();
        let class = dex.classes.iter().find(|c| dex.type_name(c.ty) == class).unwrap();
        let methods = class.direct_methods.iter().filter_map(|m| {
            let dex::Body::Raw(code) = &dex.codes[m.code?.0 as usize] else { return None };
            let id = &dex.methods.items()[m.method.index()];
            Some((dex.string(id.name).into_owned(), code.insns.len()))
        });
        methods.collect()
    }

    /// A static initialiser that overflows the stack leaves its class unusable forever. (D8 emits
    /// an empty one in `Config`, which is not used before there is enough stack for it.)
    #[test]
    fn no_class_but_config_has_a_static_initialiser() {
        let dex = Dex::read(RUNTIME_DEX).unwrap();
        let mut with = Vec::new();
        for class in &dex.classes {
            for m in &class.direct_methods {
                let id = &dex.methods.items()[m.method.index()];
                if dex.string(id.name) == "<clinit>" {
                    with.push(dex.type_name(class.ty).to_string());
                }
            }
        }
        assert_eq!(with, [CONFIG]);
    }
}
