//! The runtime's methods and fields that instrumented code names: classes, names and signatures.
//!
//! `runtime/README.md` describes each method. Descriptors are those of the runtime as it is built;
//! in an app its classes are in the build's own package.

/// Per-thread state; what probes keep in a register.
pub const STATE: &str = "Lpathlight/State;";
/// `State`, instance field, `int`: the call token.
pub const STATE_CALL_TOKEN: &str = "callToken";
/// `State`, instance field, `int`: progress (entries and normal exits).
pub const STATE_PROGRESS: &str = "progress";

/// `State`, instance field, `int[]`: slices of path numbers.
pub const STATE_PATHS: &str = "paths";
/// `State`, instance field, `int`: the path register that has no symbol yet.
pub const STATE_GATHERED: &str = "gathered";
/// `State`, instance field, `long`: the range coder's low end.
pub const STATE_LOW: &str = "low";
/// `State`, instance field, `long`: the range coder's range.
pub const STATE_RANGE: &str = "range";
/// `State`, instance field, `long[]`: codec `pap`'s ring of numbers that found no stack.
pub const STATE_LOST: &str = "lost";
/// `State`, instance field, `int`: where the ring ends.
pub const STATE_LOST_END: &str = "lostEnd";
/// The fields of [`STATE`] that instrumented code touches, with their types.
pub const STATE_FIELDS: &[(&str, &str)] = &[
    (STATE_CALL_TOKEN, "I"),
    (STATE_PROGRESS, "I"),
    (STATE_PATHS, "[I"),
    (STATE_GATHERED, "I"),
    (STATE_LOW, "J"),
    (STATE_RANGE, "J"),
    (STATE_LOST, "[J"),
    (STATE_LOST_END, "I"),
];

/// The probes.
pub const PROBES: &str = "Lpathlight/Probes;";

/// A static method of [`PROBES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// Method name.
    pub name: &'static str,
    /// Parameter type descriptors, in order.
    pub params: &'static [&'static str],
    /// Return type descriptor.
    pub ret: &'static str,
}

const fn probe(name: &'static str, params: &'static [&'static str], ret: &'static str) -> Probe {
    Probe { name, params, ret }
}

/// `enter(id)`: entry of an unguarded method; gives the thread's state.
pub const ENTER: Probe = probe("enter", &["I"], STATE);
/// `enterGuarded(id)`: entry of a guarded method; gives the thread's state.
pub const ENTER_GUARDED: Probe = probe("enterGuarded", &["I"], STATE);
/// `exit(state)`: normal exit of an unguarded method.
pub const EXIT: Probe = probe("exit", &[STATE], "V");
/// `exitGuarded(state, frame)`: normal exit of a guarded method.
pub const EXIT_GUARDED: Probe = probe("exitGuarded", &[STATE, "I"], "V");
/// `leaf(id)`: entry and exit at once, of an unguarded method in which nothing else can happen.
pub const LEAF: Probe = probe("leaf", &["I"], "V");
/// `leafGuarded(id)`: the same for a guarded method.
pub const LEAF_GUARDED: Probe = probe("leafGuarded", &["I"], "V");
/// `frame(state)`: the frame number, right after entry.
pub const FRAME: Probe = probe("frame", &[STATE], "I");
/// `step(state, cum << 16 | freq)`: one symbol.
pub const STEP: Probe = probe("step", &[STATE, "I"], "V");
/// `first(state, freq)`: the symbol of a slice that begins at 0.
pub const FIRST: Probe = probe("first", &[STATE, "I"], "V");
/// `last(state, cum)`: the symbol of a slice that ends where ESC's begins.
pub const LAST: Probe = probe("last", &[STATE, "I"], "V");
/// `even0(state)`: the first of two alternatives of which nothing is known.
pub const EVEN_FIRST: Probe = probe("even0", &[STATE], "V");
/// `even1(state)`: the second of two alternatives of which nothing is known.
pub const EVEN_SECOND: Probe = probe("even1", &[STATE], "V");
/// `zero0(state, value)`: of two alternatives of which nothing is known the first if the value is
/// 0, else the second.
pub const ZERO_FIRST: Probe = probe("zero0", &[STATE, "I"], "V");
/// `zero1(state, value)`: the second if the value is 0, else the first.
pub const ZERO_SECOND: Probe = probe("zero1", &[STATE, "I"], "V");
/// `null0(state, object)`: the first if it is null, else the second.
pub const NULL_FIRST: Probe = probe("null0", &[STATE, "Ljava/lang/Object;"], "V");
/// `null1(state, object)`: the second if it is null, else the first.
pub const NULL_SECOND: Probe = probe("null1", &[STATE, "Ljava/lang/Object;"], "V");
/// `negative0(state, value)`: the first if it is below 0, else the second.
pub const NEGATIVE_FIRST: Probe = probe("negative0", &[STATE, "I"], "V");
/// `negative1(state, value)`: the second if it is below 0, else the first.
pub const NEGATIVE_SECOND: Probe = probe("negative1", &[STATE, "I"], "V");
/// `positive0(state, value)`: the first if it is above 0, else the second.
pub const POSITIVE_FIRST: Probe = probe("positive0", &[STATE, "I"], "V");
/// `positive1(state, value)`: the second if it is above 0, else the first.
pub const POSITIVE_SECOND: Probe = probe("positive1", &[STATE, "I"], "V");
/// `same0(state, a, b)`: the first if they are equal, else the second.
pub const SAME_FIRST: Probe = probe("same0", &[STATE, "I", "I"], "V");
/// `same1(state, a, b)`: the second if they are equal, else the first.
pub const SAME_SECOND: Probe = probe("same1", &[STATE, "I", "I"], "V");
/// `same0(state, a, b)` of references.
pub const SAME_OBJECT_FIRST: Probe =
    probe("same0", &[STATE, "Ljava/lang/Object;", "Ljava/lang/Object;"], "V");
/// `same1(state, a, b)` of references.
pub const SAME_OBJECT_SECOND: Probe =
    probe("same1", &[STATE, "Ljava/lang/Object;", "Ljava/lang/Object;"], "V");
/// `less0(state, a, b)`: the first if a is less than b, else the second.
pub const LESS_FIRST: Probe = probe("less0", &[STATE, "I", "I"], "V");
/// `less1(state, a, b)`: the second if a is less than b, else the first.
pub const LESS_SECOND: Probe = probe("less1", &[STATE, "I", "I"], "V");
/// `put(state, bits << 5 | length)`: one symbol on the packed wire.
pub const PUT: Probe = probe("put", &[STATE, "I"], "V");
/// `call(state, token)`: leaves a call token.
pub const CALL: Probe = probe("call", &[STATE, "I"], "V");
/// `none(state, token)`: after a call through a slot.
pub const NONE: Probe = probe("none", &[STATE, "I"], "V");
/// `caught(state, handler, frame)`: first in a handler.
pub const CAUGHT: Probe = probe("caught", &[STATE, "I", "I"], "V");
/// `unwound(state, frame)`: in the catch-all at the boundary of a guarded method.
pub const UNWOUND: Probe = probe("unwound", &[STATE, "I"], "V");
/// `path(state, number)`: the symbol of a fused region.
pub const PATH: Probe = probe("path", &[STATE, "I"], "V");
/// `lookupPacked(state, base, key)`: the symbol of the case that a switch takes.
pub const LOOKUP_PACKED: Probe = probe("lookupPacked", &[STATE, "I", "I"], "V");
/// `lookupSparse(state, base, key)`: the same for a switch whose keys have gaps.
pub const LOOKUP_SPARSE: Probe = probe("lookupSparse", &[STATE, "I", "I"], "V");
/// `lookupSparse(state, base)`: the same with the key that [`KEY`] left.
pub const LOOKUP_SPARSE_KEY: Probe = probe("lookupSparse", &[STATE, "I"], "V");
/// `key(state, key)`: what the next [`LOOKUP_PACKED_KEY`] or [`LOOKUP_SPARSE_KEY`] is about.
pub const KEY: Probe = probe("key", &[STATE, "I"], "V");
/// `lookupPacked(state, base)`: the same with the key that [`KEY`] left.
pub const LOOKUP_PACKED_KEY: Probe = probe("lookupPacked", &[STATE, "I"], "V");
/// `trips(state, base, count)`: the symbol of a counted loop.
pub const TRIPS: Probe = probe("trips", &[STATE, "I", "I"], "V");
/// `lap(state, register)`: a counted loop's register is full; the loop continues.
pub const LAP: Probe = probe("lap", &[STATE, "I"], "V");
/// `broken(state, register)`: an exception leaves while a path may be open.
pub const BROKEN: Probe = probe("broken", &[STATE, "I"], "V");
/// `caught(state, handler, register, frame)`: first in a handler of a method with regions or
/// counted loops.
pub const CAUGHT_BROKEN: Probe = probe("caught", &[STATE, "I", "I", "I"], "V");
/// `gather(state, register)`: the path register that an exception would break off from now on; 0:
/// none.
pub const GATHER: Probe = probe("gather", &[STATE, "I"], "V");
/// `terminal(state)`: end of a terminal callback (`onStop`, `onDestroy`).
pub const TERMINAL: Probe = probe("terminal", &[STATE], "V");
/// `flush()`: on request.
pub const FLUSH: Probe = probe("flush", &[], "V");

/// Target of calls that list the members of a class.
pub const MEMBERS: &str = "Lpathlight/Members;";
/// `methods(all)`: those without clones.
pub const LISTED_METHODS: Probe =
    probe("methods", &["[Ljava/lang/reflect/Method;"], "[Ljava/lang/reflect/Method;");
/// `constructors(all)`: those without clones.
pub const LISTED_CONSTRUCTORS: Probe = probe(
    "constructors",
    &["[Ljava/lang/reflect/Constructor;"],
    "[Ljava/lang/reflect/Constructor;",
);

/// Probes of [`WIRE_METHODS`] on the packed wire; on the range wire they are in [`PROBES`].
pub const PACKED: &str = "Lpathlight/Packed;";
/// Probes for path numbers, which there are for each wire: a branch on the wire would be in every
/// one of them.
pub const WIRE_METHODS: &[Probe] =
    &[PATH, LOOKUP_PACKED, LOOKUP_PACKED_KEY, LOOKUP_SPARSE, LOOKUP_SPARSE_KEY, TRIPS];
/// The probes of codec `pap`.
pub const PAP: &str = "Lpathlight/Pap;";
/// The probes of branches that adapt.
pub const ADAPT: &str = "Lpathlight/Adapt;";
/// `inc0(state, cell)`: first alternative of a pair, published rule.
pub const INC_FIRST: Probe = probe("inc0", &[STATE, "I"], "V");
/// `inc1(state, cell)`: second alternative of a pair, published rule.
pub const INC_SECOND: Probe = probe("inc1", &[STATE, "I"], "V");
/// `shift0(state, cell)`: first alternative of a pair, shift rule.
pub const SHIFT_FIRST: Probe = probe("shift0", &[STATE, "I"], "V");
/// `shift1(state, cell)`: second alternative of a pair, shift rule.
pub const SHIFT_SECOND: Probe = probe("shift1", &[STATE, "I"], "V");
/// `many(state, cell << 8 | alternative)`: an alternative of a larger branch, either rule.
pub const ADAPT_MANY: Probe = probe("many", &[STATE, "I"], "V");

/// All methods of [`ADAPT`].
pub const ADAPT_METHODS: &[Probe] = &[INC_FIRST, INC_SECOND, SHIFT_FIRST, SHIFT_SECOND, ADAPT_MANY];

/// The probes of codec `counts`.
pub const COUNTS: &str = "Lpathlight/Counts;";
/// The file of codec `counts`.
pub const COUNT_FILE: &str = "Lpathlight/CountFile;";
/// A thread's cells of a page; what probes of codec `counts` keep in a register.
pub const CELLS: &str = "Lpathlight/CountCells;";
/// `page(page)`: entry of a method; gives the thread's cells of its page.
pub const PAGE: Probe = probe("page", &["I"], CELLS);
/// `enter(page, id)`: the same for a method that a slot can reach.
pub const COUNT_ENTER: Probe = probe("enter", &["I", "I"], CELLS);
/// `enterGuarded(page, id)`: the same for a guarded method.
pub const COUNT_ENTER_GUARDED: Probe = probe("enterGuarded", &["I", "I"], CELLS);
/// `frame(cells)`: the place in the guard stack, right after entry of a guarded method.
pub const COUNT_FRAME: Probe = probe("frame", &[CELLS], "I");
/// `exitGuarded(cells, frame)`: normal exit of a guarded method.
pub const COUNT_EXIT_GUARDED: Probe = probe("exitGuarded", &[CELLS, "I"], "V");
/// `leaf(id)`: all of a method that a slot can reach and in which nothing else can happen.
pub const COUNT_LEAF: Probe = probe("leaf", &["I"], "V");
/// `leafGuarded(id)`: all of a guarded method in which nothing else can happen.
pub const COUNT_LEAF_GUARDED: Probe = probe("leafGuarded", &["I"], "V");
/// `hit(cells, address)`: a symbol, by the address of its cell in the method's page.
pub const HIT: Probe = probe("hit", &[CELLS, "I"], "V");
/// `far(cells, address)`: a symbol whose cell is in any page.
pub const FAR: Probe = probe("far", &[CELLS, "I"], "V");
/// `open(cells, base)`: the path register counts the rounds of this loop from now on.
pub const OPEN: Probe = probe("open", &[CELLS, "I"], "V");
/// `trips(cells, base, register)`: a counted loop is left; its cells are in the method's page.
pub const COUNT_TRIPS: Probe = probe("trips", &[CELLS, "I", "I"], "V");
/// `farTrips(cells, base, register)`: the same, wherever its cells are.
pub const COUNT_FAR_TRIPS: Probe = probe("farTrips", &[CELLS, "I", "I"], "V");
/// `lap(cells, base, register)`: a counted loop's register is full; the loop continues.
pub const COUNT_LAP: Probe = probe("lap", &[CELLS, "I", "I"], "V");
/// `call(cells, token)`: leaves a slot's token.
pub const COUNT_CALL: Probe = probe("call", &[CELLS, "I"], "V");
/// `none(cells, token)`: after a call through a slot.
pub const COUNT_NONE: Probe = probe("none", &[CELLS, "I"], "V");
/// `caught(cells)`: first in a handler.
pub const COUNT_CAUGHT: Probe = probe("caught", &[CELLS], "V");
/// `caught(cells, register)`: first in a handler of a method with regions or counted loops.
pub const COUNT_CAUGHT_BROKEN: Probe = probe("caught", &[CELLS, "I"], "V");
/// `broken(cells, register)`: an exception leaves while a path may be open.
pub const COUNT_BROKEN: Probe = probe("broken", &[CELLS, "I"], "V");
/// `unwound(cells, frame)`: in the catch-all at the boundary of a guarded method.
pub const COUNT_UNWOUND: Probe = probe("unwound", &[CELLS, "I"], "V");
/// `terminal(cells)`: end of a terminal callback.
pub const COUNT_TERMINAL: Probe = probe("terminal", &[CELLS], "V");
/// All methods of [`COUNTS`] that probes call.
pub const COUNT_METHODS: &[Probe] = &[
    PAGE,
    COUNT_ENTER,
    COUNT_ENTER_GUARDED,
    COUNT_FRAME,
    COUNT_EXIT_GUARDED,
    COUNT_LEAF,
    COUNT_LEAF_GUARDED,
    HIT,
    FAR,
    OPEN,
    COUNT_TRIPS,
    COUNT_FAR_TRIPS,
    COUNT_LAP,
    COUNT_CALL,
    COUNT_NONE,
    COUNT_CAUGHT,
    COUNT_CAUGHT_BROKEN,
    COUNT_BROKEN,
    COUNT_UNWOUND,
    COUNT_TERMINAL,
];

/// The probe of builds that count selected paths.
pub const HITS: &str = "Lpathlight/Hits;";
/// Their file.
pub const HIT_FILE: &str = "Lpathlight/HitFile;";
/// `hit(path)`: a selected path is complete.
pub const PATH_HIT: Probe = probe("hit", &["I"], "V");
/// `count(path)`: the same in a build whose counts are published.
pub const PATH_COUNT: Probe = probe("count", &["I"], "V");

const PAP_PARAMS: &[&str] = &[STATE, "I", "I", "I", "J"];
/// `full(state, temp, frame, block, number)`: a path number is full.
pub const PAP_FULL: Probe = probe("full", PAP_PARAMS, "V");
/// `leave(…)`: normal exit of a method with branches.
pub const PAP_LEAVE: Probe = probe("leave", PAP_PARAMS, "V");
/// `caught(…)`: first in a handler.
pub const PAP_CAUGHT: Probe = probe("caught", PAP_PARAMS, "V");
/// `unwound(…)`: in the catch-all at the boundary.
pub const PAP_UNWOUND: Probe = probe("unwound", PAP_PARAMS, "V");
/// All methods of [`PAP`].
pub const PAP_METHODS: &[Probe] = &[PAP_FULL, PAP_LEAVE, PAP_CAUGHT, PAP_UNWOUND];

/// `restart(state, place, frame)`: at the head of a loop, in a ring.
pub const RESTART: Probe = probe("restart", &[STATE, "I", "I"], "V");

/// The probes that record where a callback came from.
pub const ORIGINS: &str = "Lpathlight/Origins;";
/// `view(state, view)`: the view that was touched.
pub const ORIGIN_VIEW: Probe = probe("view", &[STATE, "Landroid/view/View;"], "V");
/// `menu(state, item)`: the menu item that was chosen.
pub const ORIGIN_MENU: Probe = probe("menu", &[STATE, "Landroid/view/MenuItem;"], "V");
/// `intent(state, intent)`: the intent that was received.
pub const ORIGIN_INTENT: Probe = probe("intent", &[STATE, "Landroid/content/Intent;"], "V");
/// `position(state, position)`: the position of an item in its list.
pub const ORIGIN_POSITION: Probe = probe("position", &[STATE, "I"], "V");
/// `key(state, code)`: the code of the key.
pub const ORIGIN_KEY: Probe = probe("key", &[STATE, "I"], "V");
/// All methods of [`ORIGINS`].
pub const ORIGIN_METHODS: &[Probe] =
    &[ORIGIN_VIEW, ORIGIN_MENU, ORIGIN_INTENT, ORIGIN_POSITION, ORIGIN_KEY];

/// All methods of [`PROBES`].
pub const PROBE_METHODS: &[Probe] = &[
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
    ZERO_FIRST,
    ZERO_SECOND,
    NULL_FIRST,
    NULL_SECOND,
    NEGATIVE_FIRST,
    NEGATIVE_SECOND,
    POSITIVE_FIRST,
    POSITIVE_SECOND,
    SAME_FIRST,
    SAME_SECOND,
    SAME_OBJECT_FIRST,
    SAME_OBJECT_SECOND,
    LESS_FIRST,
    LESS_SECOND,
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
    GATHER,
    TERMINAL,
    FLUSH,
    RESTART,
];
