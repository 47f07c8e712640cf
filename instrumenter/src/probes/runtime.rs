//! The device runtime that goes into every instrumented app, and the names under which probes and patches refer to it.
//!
//! Sources, build recipe and the meaning of each method: `runtime/` at the top of the repository.

use std::borrow::Cow;

use dex::{Dex, DexString, FieldIdx, MethodIdx};
use model::map::{BuildId, SlotId};

/// The runtime's classes as a DEX file, version 035, minimum API level 19 (`runtime/build.sh`).
pub const RUNTIME_DEX: &[u8] = include_bytes!("../../../runtime/prebuilt/runtime.dex");

/// Package of all runtime classes, as the start of their descriptors. In an app it is the package of
/// [`DOOR`] alone; the other classes are in [`BuildPackage`]s below it.
pub const PACKAGE: &str = "Lpathlight/";

/// `flush()` and `off()` for the app's own code: the one class with the same name and code in every
/// build. It reaches all builds of the process, so it does not matter whose copy is loaded.
pub const DOOR: &str = "Lpathlight/Pathlight;";

/// Hexadecimal digits of the build id in the package name: enough that no two builds share a name.
const PACKAGE_DIGITS: usize = 16;

/// The package of one build's runtime, `pathlight/b0123456789abcdef/`. Several builds may meet in one
/// process (an app and its feature splits, an app and the plugin that it loads): each has its own
/// runtime, since method ids mean something together with one map only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPackage {
    /// As a descriptor begins: `Lpathlight/b0123456789abcdef/`.
    prefix: String,
}

impl BuildPackage {
    /// The package for a build.
    pub fn new(build: BuildId) -> BuildPackage {
        let digits = build.to_string();
        BuildPackage { prefix: format!("{PACKAGE}b{}/", &digits[..PACKAGE_DIGITS]) }
    }

    /// The descriptor that a class of [`RUNTIME_DEX`] has in this build; others stay as they are.
    pub fn name<'a>(&self, descriptor: &'a str) -> Cow<'a, str> {
        match descriptor.strip_prefix(PACKAGE) {
            Some(class) if descriptor != DOOR => Cow::Owned(format!("{}{class}", self.prefix)),
            _ => Cow::Borrowed(descriptor),
        }
    }

    /// Interns a method of a runtime class in a dex file of the app.
    pub fn method(&self, dex: &mut Dex, class: &str, method: ProbeMethod) -> MethodIdx {
        let params: Vec<_> = method.params.iter().map(|p| self.name(p)).collect();
        let params: Vec<&str> = params.iter().map(AsRef::as_ref).collect();
        dex.intern_method(&self.name(class), method.name, &self.name(method.ret), &params)
    }

    /// Interns an instance field of [`STATE`] in a dex file of the app.
    pub fn state_field(&self, dex: &mut Dex, name: &str, ty: &str) -> FieldIdx {
        dex.intern_field(&self.name(STATE), name, ty)
    }

    /// Moves the classes of [`RUNTIME_DEX`] into this package. All strings that begin like a
    /// descriptor of theirs are such descriptors, also in annotations.
    pub(crate) fn rename(&self, runtime: &mut Dex) {
        let renamed: Vec<DexString> = runtime.strings.items().iter().map(|s| self.string(s)).collect();
        runtime.strings = renamed.into();
    }

    fn string(&self, s: &DexString) -> DexString {
        match std::str::from_utf8(&s.0) {
            Ok(text) => DexString(self.name(text).as_bytes().into()),
            Err(_) => s.clone(),
        }
    }
}

/// Whether a class is this one of the runtime, in the package of whichever build.
pub fn is_class(descriptor: &str, class: &str) -> bool {
    let (Some(rest), Some(class)) = (descriptor.strip_prefix(PACKAGE), class.strip_prefix(PACKAGE)) else {
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
        digits.len() == PACKAGE_DIGITS && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Per-thread state; what probes keep in a register.
pub const STATE: &str = "Lpathlight/State;";
/// `State`, instance field, `int`: the call token.
pub const STATE_CALL_TOKEN: &str = "callToken";
/// `State`, instance field, `int`: progress (entries and normal exits).
pub const STATE_PROGRESS: &str = "progress";

/// `State`, instance field, `int[]`: slices of path numbers.
pub const STATE_PATHS: &str = "paths";

/// The probes.
pub const PROBES: &str = "Lpathlight/Probes;";

/// A static method of [`PROBES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeMethod {
    /// Method name.
    pub name: &'static str,
    /// Parameter type descriptors, in order.
    pub params: &'static [&'static str],
    /// Return type descriptor.
    pub ret: &'static str,
}

const fn probe(name: &'static str, params: &'static [&'static str], ret: &'static str) -> ProbeMethod {
    ProbeMethod { name, params, ret }
}

/// `enter(id)`: entry of an unguarded method; gives the thread's state.
pub const ENTER: ProbeMethod = probe("enter", &["I"], STATE);
/// `enterGuarded(id)`: entry of a guarded method; gives the thread's state.
pub const ENTER_GUARDED: ProbeMethod = probe("enterGuarded", &["I"], STATE);
/// `exit(state)`: normal exit of an unguarded method.
pub const EXIT: ProbeMethod = probe("exit", &[STATE], "V");
/// `exitGuarded(state, frame)`: normal exit of a guarded method.
pub const EXIT_GUARDED: ProbeMethod = probe("exitGuarded", &[STATE, "I"], "V");
/// `leaf(id)`: entry and exit at once, of an unguarded method in which nothing else can happen.
pub const LEAF: ProbeMethod = probe("leaf", &["I"], "V");
/// `leafGuarded(id)`: the same for a guarded method.
pub const LEAF_GUARDED: ProbeMethod = probe("leafGuarded", &["I"], "V");
/// `frame(state)`: the frame number, right after entry.
pub const FRAME: ProbeMethod = probe("frame", &[STATE], "I");
/// `step(state, cum << 16 | freq)`: one symbol.
pub const STEP: ProbeMethod = probe("step", &[STATE, "I"], "V");
/// `first(state, freq)`: the symbol of a slice that begins at 0.
pub const FIRST: ProbeMethod = probe("first", &[STATE, "I"], "V");
/// `last(state, cum)`: the symbol of a slice that ends where ESC's begins.
pub const LAST: ProbeMethod = probe("last", &[STATE, "I"], "V");
/// `even0(state)`: the first of two alternatives of which nothing is known.
pub const EVEN_FIRST: ProbeMethod = probe("even0", &[STATE], "V");
/// `even1(state)`: the second of two alternatives of which nothing is known.
pub const EVEN_SECOND: ProbeMethod = probe("even1", &[STATE], "V");
/// `put(state, bits << 5 | length)`: one symbol on the packed wire.
pub const PUT: ProbeMethod = probe("put", &[STATE, "I"], "V");
/// `call(state, token)`: leaves a call token.
pub const CALL: ProbeMethod = probe("call", &[STATE, "I"], "V");
/// `none(state, token)`: after a call through a slot.
pub const NONE: ProbeMethod = probe("none", &[STATE, "I"], "V");
/// `caught(state, handler, frame)`: first in a handler.
pub const CAUGHT: ProbeMethod = probe("caught", &[STATE, "I", "I"], "V");
/// `unwound(state, frame)`: in the catch-all at the boundary of a guarded method.
pub const UNWOUND: ProbeMethod = probe("unwound", &[STATE, "I"], "V");
/// `path(state, number)`: the symbol of a fused region.
pub const PATH: ProbeMethod = probe("path", &[STATE, "I"], "V");
/// `lookupPacked(state, base, key)`: the symbol of the way that a switch takes.
pub const LOOKUP_PACKED: ProbeMethod = probe("lookupPacked", &[STATE, "I", "I"], "V");
/// `lookupSparse(state, base, key)`: the same for a switch whose keys have gaps.
pub const LOOKUP_SPARSE: ProbeMethod = probe("lookupSparse", &[STATE, "I", "I"], "V");
/// `lookupSparse(state, base)`: the same with the key that [`KEY`] left.
pub const LOOKUP_SPARSE_KEY: ProbeMethod = probe("lookupSparse", &[STATE, "I"], "V");
/// `key(state, key)`: what the next [`LOOKUP_PACKED_KEY`] or [`LOOKUP_SPARSE_KEY`] is about.
pub const KEY: ProbeMethod = probe("key", &[STATE, "I"], "V");
/// `lookupPacked(state, base)`: the same with the key that [`KEY`] left.
pub const LOOKUP_PACKED_KEY: ProbeMethod = probe("lookupPacked", &[STATE, "I"], "V");
/// `trips(state, base, count)`: the symbol of a counted loop.
pub const TRIPS: ProbeMethod = probe("trips", &[STATE, "I", "I"], "V");
/// `lap(state, register)`: a counted loop's register is full; the loop goes on.
pub const LAP: ProbeMethod = probe("lap", &[STATE, "I"], "V");
/// `broken(state, register)`: an exception leaves while a path may be open.
pub const BROKEN: ProbeMethod = probe("broken", &[STATE, "I"], "V");
/// `caught(state, handler, register, frame)`: first in a handler of a method with regions or counted loops.
pub const CAUGHT_BROKEN: ProbeMethod = probe("caught", &[STATE, "I", "I", "I"], "V");
/// `terminal(state)`: end of a terminal callback (`onStop`, `onDestroy`).
pub const TERMINAL: ProbeMethod = probe("terminal", &[STATE], "V");
/// `flush()`: on request.
pub const FLUSH: ProbeMethod = probe("flush", &[], "V");

/// Probes of [`WIRE_METHODS`] on the packed wire; on the range wire they are in [`PROBES`].
pub const PACKED: &str = "Lpathlight/Packed;";
/// Probes for path numbers, which there are for each wire: a branch on the wire would be in every one of them.
pub const WIRE_METHODS: &[ProbeMethod] =
    &[PATH, LOOKUP_PACKED, LOOKUP_PACKED_KEY, LOOKUP_SPARSE, LOOKUP_SPARSE_KEY, TRIPS];
/// The probes of codec `pap`.
pub const PAP: &str = "Lpathlight/Pap;";
/// The probes of branches that adapt.
pub const ADAPT: &str = "Lpathlight/Adapt;";
/// `inc0(state, cell)`: first alternative of a pair, published rule.
pub const INC_FIRST: ProbeMethod = probe("inc0", &[STATE, "I"], "V");
/// `inc1(state, cell)`: second alternative of a pair, published rule.
pub const INC_SECOND: ProbeMethod = probe("inc1", &[STATE, "I"], "V");
/// `shift0(state, cell)`: first alternative of a pair, shift rule.
pub const SHIFT_FIRST: ProbeMethod = probe("shift0", &[STATE, "I"], "V");
/// `shift1(state, cell)`: second alternative of a pair, shift rule.
pub const SHIFT_SECOND: ProbeMethod = probe("shift1", &[STATE, "I"], "V");
/// `many(state, cell << 8 | alternative)`: an alternative of a larger branch, either rule.
pub const ADAPT_MANY: ProbeMethod = probe("many", &[STATE, "I"], "V");

/// All methods of [`PROBES`].
pub const PROBE_METHODS: &[ProbeMethod] = &[
    ENTER,
    ENTER_GUARDED,
    EXIT,
    EXIT_GUARDED,
    LEAF,
    LEAF_GUARDED,
    FRAME,
    STEP,
    FIRST,
    LAST,
    EVEN_FIRST,
    EVEN_SECOND,
    PUT,
    CALL,
    NONE,
    CAUGHT,
    UNWOUND,
    PATH,
    LOOKUP_PACKED,
    KEY,
    LOOKUP_PACKED_KEY,
    LOOKUP_SPARSE,
    LOOKUP_SPARSE_KEY,
    TRIPS,
    LAP,
    BROKEN,
    CAUGHT_BROKEN,
    TERMINAL,
    FLUSH,
];

/// The call token of a slot: its complement, so that the first 32,768 slots need no long constants.
pub const fn slot_token(slot: SlotId) -> i32 {
    !(slot.0 as i32)
}

/// The class whose static values the instrumenter replaces.
pub const CONFIG: &str = "Lpathlight/Config;";
/// `String`: build id, 32 hexadecimal digits.
pub const CONFIG_BUILD_ID: &str = "BUILD_ID";
/// `int`: width of method and handler ids in bits, 1 to 32.
pub const CONFIG_ID_BITS: &str = "ID_BITS";
/// `boolean`: symbols are code words.
pub const CONFIG_PACKED: &str = "PACKED";
/// `String`: slot tables.
pub const CONFIG_SLOTS: &str = "SLOTS";
/// `String`: method id to next-callback distribution.
pub const CONFIG_NEXT_CALLBACKS: &str = "NEXT_CALLBACKS";
/// `String`: slices of path numbers, two units each.
pub const CONFIG_PATHS: &str = "PATHS";
/// `int`: 0 trace file, 1 logcat, 2 nowhere.
pub const CONFIG_SINK: &str = "SINK";
/// `int`: largest trace file in bytes.
pub const CONFIG_CAP_BYTES: &str = "CAP_BYTES";
/// `int`: all trace files in the folder together, in bytes.
pub const CONFIG_KEEP_BYTES: &str = "KEEP_BYTES";
/// `boolean`: a full file reuses its oldest slabs.
pub const CONFIG_RING: &str = "RING";
/// `int`: slab size in bytes, 128 to 65,536.
pub const CONFIG_SLAB: &str = "SLAB";

#[cfg(test)]
mod tests {
    use super::*;

    /// ART inlines methods of at most 32 code units (`CompilerOptions::kDefaultInlineMaxCodeUnits`).
    #[test]
    fn every_probe_is_there_and_fits_the_inliner() {
        let all = sizes(PROBES);
        for probe in PROBE_METHODS {
            assert!(all.iter().any(|(name, _)| name == probe.name), "{} is missing", probe.name);
        }
        for (name, units) in all {
            assert!(units <= 32, "{name} has {units} code units");
        }
        let words = sizes(PACKED);
        for probe in WIRE_METHODS {
            let units = words.iter().filter(|(name, _)| name == probe.name).map(|(_, units)| *units).max();
            assert!(units.is_some_and(|u| u <= 32), "{}: {units:?} code units", probe.name);
        }
    }

    /// What a probe calls when it must would be put in line with all that it calls, at every place where the probe is.
    #[test]
    fn the_slow_way_into_a_method_does_not_fit_the_inliner() {
        let enter = sizes("Lpathlight/Start;").into_iter().find(|(name, _)| name == "enter").expect("is there");
        assert!(enter.1 > 32, "{} code units", enter.1);
    }

    /// Names and code units of a runtime class's static methods.
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

    /// A static initialiser that meets the end of a stack leaves its class unusable for ever. (D8 leaves an empty one in `Config`, which is
    /// not touched before there is stack for it.)
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
