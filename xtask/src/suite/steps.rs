//! The steps of `cargo xtask test`, in their order.

/// One step: a command that succeeds or fails.
pub struct Step {
    /// Its name; `--step` takes any part of it.
    pub name: &'static str,
    /// The command line. Words are separated by blanks; there is no quoting.
    pub command: &'static str,
    /// True if `--fast` runs it.
    pub fast: bool,
    /// The steps that may run at the same time.
    pub beside: Beside,
}

/// Steps that may run beside one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// None: it makes files that others need.
    Nothing,
    /// Those with other resources.
    Others,
    /// Those with other resources. Judges wait until it has ended.
    Build,
    /// Those with other resources, when all of [`Beside::Build`] have ended: it needs what they
    /// make.
    OthersAfterBuilds,
}

impl Step {
    /// The resource that the step needs for itself, such as a folder: steps with the same one run
    /// one after the other. It is the chore of `xtask`. Judges, fleets, truth and deaths work in a
    /// folder for each task, so there it is the chore and the task. Of other programs it is the
    /// whole command.
    pub fn resource(&self) -> &'static str {
        let Some(chore) = self.command.strip_prefix("cargo xtask ") else { return self.command };
        let judges = ["oracles ", "fleet ", "truth ", "death "];
        let by_task = judges.iter().any(|judge| chore.starts_with(judge));
        let end = chore.match_indices(' ').nth(usize::from(by_task));
        end.map_or(chore, |(end, _)| &chore[..end])
    }
}

const fn fast(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: true, beside: Beside::Nothing }
}

const fn slow(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: false, beside: Beside::Nothing }
}

const fn beside(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: false, beside: Beside::Others }
}

const fn build(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: false, beside: Beside::Build }
}

const fn judge(name: &'static str, command: &'static str) -> Step {
    Step { name, command, fast: false, beside: Beside::OthersAfterBuilds }
}

/// Builds the binary that the judges run.
pub const RELEASE: &str = "release build";

/// All steps. Debian packages come first: the runtime's tests need a JDK.
pub const STEPS: &[Step] = &[
    fast("Debian packages", "tests/prerequisites.sh build run fixtures"),
    fast("formatting", "cargo fmt --check"),
    fast("words and names", "cargo xtask words"),
    fast("lints", "cargo clippy --workspace --all-targets --quiet -- -D warnings"),
    fast("documentation", "env RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --quiet"),
    fast("tables are what their CSV files give", "cargo xtask results check"),
    fast("dependencies and licences", "cargo xtask dependencies"),
    fast("cargo tests", "cargo test --workspace --quiet"),
    // Steps beside each other must find all packages: only one program at a time can install some.
    slow(
        "Debian packages for ART and other tools",
        "tests/prerequisites.sh oracles art bench device browser fleet release",
    ),
    // Static, so that the downloads are made of the same binary.
    build(RELEASE, "cargo xtask release --binary-only"),
    build("ART host", "cargo xtask art setup"),
    Step {
        name: "damaged files of every kind",
        command: "cargo xtask mutants --count 1000 --every 50 --time 3",
        fast: true,
        beside: Beside::Others,
    },
    beside("device runtime: runtime.dex is what its sources give", "cargo xtask runtime check"),
    beside("fixtures: the recipes give the prebuilt files", "cargo xtask fixtures check"),
    beside("the Gradle plugin compiles", "cargo xtask oracles gradle"),
    // The longest ones come first, so that none is left alone at the end.
    judge("truth: each probe as the first of a process", "cargo xtask truth starts"),
    judge("death: SIGKILL while counting", "cargo xtask death counting 6 --threads 100"),
    judge("fixtures: every VM prints the same", "cargo xtask fixtures agree"),
    judge("dexdiff finds seeded changes", "cargo xtask oracles dexdiff-selftest"),
    judge("lines are as before, codec none", "cargo xtask oracles lines"),
    judge("frames of a mapping are those of R8's Retrace", "cargo xtask oracles retrace"),
    judge("why: planted causes are found, all steps ran", "cargo xtask oracles why --form d8"),
    judge(
        "why: no step of a build by R8 that did not run",
        "cargo xtask oracles why --form r8 Builder OtherThread Swallowed",
    ),
    judge("JSON matches its schemas", "cargo xtask oracles schemas"),
    judge(
        "compare: planted faults are found",
        "cargo xtask oracles compare --pairs 12 --sessions 400 --draws 2",
    ),
    judge("reports: D8 takes profiles, as the tracer has them", "cargo xtask oracles profiles"),
    judge("baseline profiles: ART reads the same rules", "cargo xtask oracles baseline"),
    judge("split apps by bundletool keep their entries and paths", "cargo xtask oracles splits"),
    judge("the real adb installs, fetches and watches", "cargo xtask oracles device"),
    judge("reports: coverage agrees with the tracer", "cargo xtask oracles coverage 1 2 3"),
    judge("reports: Perfetto and speedscope agree with decode", "cargo xtask oracles traces"),
    judge(
        "reports: pages in Chromium agree with decode and the tracer",
        "cargo xtask oracles html",
    ),
    judge(
        "fleet: tables, models and questions of a small beta",
        "cargo xtask fleet check --old 30 --new 60 --draws 20",
    ),
    judge("fleet: three apps' tables are the same under four codecs", "cargo xtask fleet codecs"),
    judge(
        "ART run-tests, codec arith",
        "cargo xtask art run-tests --representative --codec arith --decode --mode int,jit",
    ),
    judge("ART's verifiers, before and after", "cargo xtask art verify --representative"),
    judge("ART's verifiers, rules of register kinds", "cargo xtask art types"),
    judge("ART's compilers, before and after", "cargo xtask art compiled"),
    judge("truth: seeds give the committed programs", "cargo xtask truth run --check-prebuilt"),
    judge(
        "truth: decoded paths against an independent tracer",
        "cargo xtask truth run --prebuilt --vm int --vm jit --vm art11 --vm art14",
    ),
    judge(
        "truth: a fixture for each hazard",
        "cargo xtask truth run --fixtures --vm int --vm jit --vm art14",
    ),
    judge(
        "truth: paths beside methods that were left",
        "cargo xtask truth run --prebuilt --vm int --vm art14jit --instrument-arg=--exclude \
         --instrument-arg=A*",
    ),
    judge("truth: inlined callees, 1,600 callers", "cargo xtask truth inline"),
    judge("truth: types that branches narrow, 800 methods", "cargo xtask truth narrowing"),
    judge("truth: the fixture apps", "cargo xtask truth apps 1"),
    judge("truth: steps to crashes", "cargo xtask truth steps"),
    judge("truth: counts of edges beside logs", "cargo xtask truth counts 1"),
    judge(
        "truth: counts of selected paths",
        "cargo xtask truth paths --encodings prebuilt-3 prebuilt-14 prebuilt-1009 \
         fixture-exceptions fixture-handlers fixture-threads fixture-monitors \
         fixture-monitors-release",
    ),
    judge("truth: stack traces of R8's output", "cargo xtask truth traces"),
    judge(
        "truth: exceptions at random places of a library that R8 made",
        "cargo xtask truth sites --app jsoup --form 26 --codec arith --vm art",
    ),
    judge("truth: paths of R8's output beside the debug build", "cargo xtask truth mapped"),
    judge("truth: first probes at the end of a stack", "cargo xtask truth startup"),
    judge("death: SIGKILL at random moments", "cargo xtask death kill 20"),
    judge("death: uncaught exceptions", "cargo xtask death crash"),
    judge("death: dumps of threads", "cargo xtask death dumps"),
    judge("death: several processes", "cargo xtask death processes"),
    judge("death: several builds in one process", "cargo xtask death builds"),
    judge("death: processes that end themselves", "cargo xtask death exits"),
    judge("death: reasons of exits, noted by the next process", "cargo xtask death reasons"),
    judge("death: endless callbacks in a ring", "cargo xtask death rings"),
    judge("death: processes that begin with kept tables", "cargo xtask death tables"),
    judge("death: a hundred million iterations", "cargo xtask death long"),
    judge("death: storage", "cargo xtask death storage"),
    judge(
        "a model makes no log larger",
        "cargo xtask bench own-model --workload crypt --workload search --workload gson",
    ),
    judge(
        "downloads install and run in empty root folders",
        "cargo xtask release --check --out target/downloads",
    ),
    judge("the demo", "./demo.sh"),
];
