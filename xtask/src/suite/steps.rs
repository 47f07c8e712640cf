//! The steps of `cargo xtask test`, in their order.

/// One step: a command that succeeds or fails.
pub struct Step {
    /// Its name; `--step` takes any part of it.
    pub name: &'static str,
    /// The command line. Words are separated by blanks; there is no quoting.
    pub command: &'static str,
    /// Whether `--fast` runs it.
    pub fast: bool,
}

const fn fast(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: true }
}

const fn slow(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: false }
}

/// Builds the binary that all later steps test.
pub const RELEASE: &str = "release build";

/// All steps. Debian packages come first: the runtime's tests need a JDK.
pub const STEPS: &[Step] = &[
    fast("Debian packages", "tests/prerequisites.sh build run fixtures"),
    fast("formatting", "cargo fmt --check"),
    fast("lints", "cargo clippy --workspace --all-targets --quiet -- -D warnings"),
    fast("documentation", "env RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --quiet"),
    fast("tables are what their CSV files give", "cargo xtask results check"),
    fast("dependencies and licences", "cargo xtask dependencies"),
    fast("cargo tests", "cargo test --workspace --quiet"),
    fast("damaged files of every kind", "cargo xtask mutants --count 1000 --every 50 --time 6"),
    slow("Debian packages for ART and other tools", "tests/prerequisites.sh oracles art"),
    slow(RELEASE, "cargo build --release --quiet"),
    slow("ART host", "cargo xtask art setup"),
    slow("device runtime: runtime.dex is what its sources give", "cargo xtask runtime check"),
    slow("fixtures: the recipes give the prebuilt files", "cargo xtask fixtures check"),
    slow("fixtures: every VM prints the same", "cargo xtask fixtures agree"),
    slow("dexdiff finds seeded changes", "cargo xtask oracles dexdiff-selftest"),
    slow("lines are as before, codec none", "cargo xtask oracles lines"),
    slow("frames of a mapping are those of R8's Retrace", "cargo xtask oracles retrace"),
    slow("JSON is what its schemas say", "cargo xtask oracles schemas"),
    slow(
        "compare: planted faults are found",
        "cargo xtask oracles compare --pairs 20 --sessions 400 --draws 2",
    ),
    slow("reports: D8 takes profiles, as the tracer has them", "cargo xtask oracles profiles"),
    slow("split apps by bundletool keep their entries and paths", "cargo xtask oracles splits"),
    slow("the real adb installs, fetches and watches", "cargo xtask oracles device"),
    slow("reports: coverage agrees with the tracer", "cargo xtask oracles coverage 1 2 3"),
    slow("reports: Perfetto and speedscope agree with decode", "cargo xtask oracles traces"),
    slow("reports: pages in Chromium agree with decode and the tracer", "cargo xtask oracles html"),
    slow(
        "fleet: tables, models and questions of a small beta",
        "cargo xtask fleet check --old 30 --new 60 --draws 20",
    ),
    slow("fleet: three apps' tables are the same under four codecs", "cargo xtask fleet codecs"),
    slow(
        "ART run-tests, codec none",
        "cargo xtask art run-tests --representative --codec none --mode int",
    ),
    slow(
        "ART run-tests, codec arith",
        "cargo xtask art run-tests --representative --codec arith --decode",
    ),
    slow("ART's verifiers, before and after", "cargo xtask art verify --representative"),
    slow("ART's verifiers, rules of register kinds", "cargo xtask art types"),
    slow("ART's compiler, before and after", "cargo xtask art compiled"),
    slow(
        "truth: decoded paths against an independent tracer",
        "cargo xtask truth run --prebuilt --vm int --vm jit --vm art11",
    ),
    slow(
        "truth: a fixture for each hazard",
        "cargo xtask truth run --fixtures --vm int --vm jit --vm art11",
    ),
    slow("truth: inlined callees, 1,600 callers", "cargo xtask truth inline"),
    slow("truth: the fixture apps", "cargo xtask truth apps 1"),
    slow("truth: counts of edges beside logs", "cargo xtask truth counts 1"),
    slow(
        "truth: counts of selected paths",
        "cargo xtask truth paths prebuilt-3 prebuilt-14 prebuilt-1009 fixture-exceptions \
         fixture-handlers fixture-threads",
    ),
    slow("truth: stack traces of R8's output", "cargo xtask truth traces"),
    slow(
        "truth: exceptions at random places of a library that R8 made",
        "cargo xtask truth sites --app jsoup --form 26 --codec arith",
    ),
    slow("truth: paths of R8's output beside the debug build", "cargo xtask truth mapped"),
    slow("truth: first probes at the end of a stack", "cargo xtask truth startup"),
    slow("death: SIGKILL at random moments", "cargo xtask death kill 20"),
    slow("death: uncaught exceptions", "cargo xtask death crash"),
    slow("death: dumps of threads", "cargo xtask death dumps"),
    slow("death: several processes", "cargo xtask death processes"),
    slow("death: several builds in one process", "cargo xtask death builds"),
    slow("death: processes that end themselves", "cargo xtask death exits"),
    slow("death: endless callbacks in a ring", "cargo xtask death rings"),
    slow("death: processes that begin with kept tables", "cargo xtask death tables"),
    slow("death: SIGKILL while counting", "cargo xtask death counting 12"),
    slow("death: a hundred million iterations", "cargo xtask death long"),
    slow("death: storage", "cargo xtask death storage"),
    slow(
        "a model makes no log larger",
        "cargo xtask bench own-model --workload crypt --workload search --workload gson",
    ),
    slow("the demo", "./demo.sh"),
];
