//! The shell parts of `action.yml` and of `ci/pathlight.gitlab-ci.yml`, run with the program on the
//! fixture app. The services themselves are not here.

use std::path::Path;
use std::process::Command;

use crate::support::{Ran, Work, pathlight, repository};

/// Texts of the blocks `KEY: |` of a YAML file, without their indentation.
fn blocks(yaml: &str, key: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    let mut lines = yaml.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim() != key {
            continue;
        }
        let outer = indent(line);
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|l| l.trim().is_empty() || indent(l) > outer) {
            block.push(line);
        }
        let inner = block.first().map_or(0, |first| indent(first));
        let text: String =
            block.iter().map(|l| format!("{}\n", l.get(inner..).unwrap_or(""))).collect();
        found.push(text);
    }
    found
}

/// A shell that runs in the folder of `work` with the program that the tests are for.
fn shell(work: &Work, name: &str) -> Command {
    let program = pathlight(Path::new("."));
    let mut command = Command::new(name);
    command.current_dir(work.path("")).env("PATHLIGHT", program.get_program());
    for (variable, value) in program.get_envs().filter_map(|(k, v)| Some((k, v?))) {
        command.env(variable, value);
    }
    command
}

fn run(command: &mut Command) -> Ran {
    Ran::from(command.output().expect("the shell starts"))
}

/// A script of the template as GitLab's runner gives it to the image's shell.
fn template(number: usize) -> String {
    let yaml = std::fs::read_to_string(repository("ci/pathlight.gitlab-ci.yml")).expect("text");
    blocks(&yaml, "- |").swap_remove(number)
}

fn action(work: &Work) -> Command {
    let mut command = shell(work, "bash");
    command.arg(repository("ci/instrument.sh")).env("GITHUB_OUTPUT", work.path("outputs"));
    command
}

#[test]
fn the_action_writes_app_and_map_and_names_them() {
    let work = Work::new();
    let options = "--codec arith-adaptive";
    let mut command = action(&work);
    command.env("PATHLIGHT_APP", "app.apk").env("PATHLIGHT_OPTIONS", options);
    let ran = run(&mut command).ok();
    let outputs = std::fs::read_to_string(work.path("outputs")).expect("outputs");
    let lines: Vec<&str> = outputs.lines().collect();
    assert_eq!(lines[..2], ["apk=pathlight-out/app-pathlight.apk", "map=pathlight-out/app.plmap"]);
    let build = lines[2].strip_prefix("build=").expect("the build");
    assert!(ran.out.contains(build), "{}", ran.out);
    let inspected = work.run("inspect pathlight-out/app.plmap").ok().out;
    assert!(inspected.contains(build) && inspected.contains("arith-adaptive"), "{inspected}");
    // A second build replaces the first in the folder of the job.
    run(action(&work).env("PATHLIGHT_APP", "app.apk")).ok();
}

#[test]
fn the_action_names_what_is_missing() {
    let work = Work::new();
    run(&mut action(&work)).fails("error: no app: set the input apk");
    run(action(&work).env("PATHLIGHT_APP", "none.apk")).fails("error: none.apk: no such file");
    let mut command = action(&work);
    command.env("PATHLIGHT_APP", "app.apk").env("PATHLIGHT", "no-such-program");
    run(&mut command).fails("error: no program no-such-program");
    let mut command = action(&work);
    command.env("PATHLIGHT_APP", "app.apk").env("PATHLIGHT_MAPPING", "none.txt");
    run(&mut command).fails("error: none.txt: no such file");
}

#[test]
fn inputs_of_the_action_are_never_shell_code() {
    let yaml = std::fs::read_to_string(repository("action.yml")).expect("text");
    let runs: Vec<&str> =
        yaml.lines().filter(|line| line.trim_start().starts_with("run:")).collect();
    assert_eq!(runs, ["      run: bash \"$GITHUB_ACTION_PATH/ci/instrument.sh\""]);
    // Every variable of the script is an input, and every input reaches the script or the artifact.
    let script = std::fs::read_to_string(repository("ci/instrument.sh")).expect("text");
    for line in yaml.lines().map(str::trim).filter(|line| line.starts_with("PATHLIGHT")) {
        let name = line.split(':').next().expect("a name");
        assert!(script.contains(&format!("${{{name}:-")), "{name}");
    }
    let work = Work::new();
    let mut command = action(&work);
    command.env("PATHLIGHT_APP", "app.apk").env("PATHLIGHT_OPTIONS", "$(touch evil) `touch evil`");
    assert_ne!(run(&mut command).code, Some(0));
    assert!(!work.path("evil").exists());
}

#[test]
fn the_template_instruments_and_reports_coverage() {
    let work = Work::new();
    for number in [0, 1] {
        run(shell(&work, "bash").args(["-n", "-c", &template(number)])).ok();
    }
    let instrument = |work: &Work, app: &str| {
        let mut command = shell(work, "sh");
        command.args(["-c", &template(0)]).env("PATHLIGHT_APP", app).env("PATHLIGHT_OUT", "made");
        command.env("PATHLIGHT_MAPPING", "").env("PATHLIGHT_OPTIONS", "--codec huffman");
        run(&mut command)
    };
    let ran = instrument(&work, "app.apk").ok();
    assert!(
        ran.out.contains("wrote made/app-pathlight.apk and its map made/app.plmap"),
        "{}",
        ran.out
    );
    assert!(work.run("inspect made/app.plmap").ok().out.contains("huffman"));
    instrument(&work, "none.apk").fails("error: PATHLIGHT_APP=none.apk: no such file");

    // The logs of the folder are of another build of the same app.
    let coverage = |out: &str| {
        let mut command = shell(&work, "sh");
        command.args(["-c", &template(1)]).env("PATHLIGHT_OUT", out);
        run(command.env("PATHLIGHT_LOGS", "logs").env("PATHLIGHT_SOURCES", "."))
    };
    std::fs::create_dir_all(work.path("logs/a b")).expect("folders");
    std::fs::create_dir(work.path("maps")).expect("a folder");
    std::fs::copy(work.path("app.plmap"), work.path("maps/app.plmap")).expect("copied");
    coverage("none").fails("error: none has no map");
    coverage("maps").fails("error: logs has no logs");
    std::fs::copy(work.path("session.plt"), work.path("logs/a b/session.plt")).expect("copied");
    let printed = coverage("maps").ok().out;
    // The line that the template's `coverage:` finds.
    let percent =
        printed.lines().find_map(|l| l.strip_prefix("line coverage: ")?.strip_suffix('%'));
    let percent: f64 = percent.expect("a share").parse().expect("a figure");
    let xml = std::fs::read_to_string(work.path("pathlight-coverage.xml")).expect("a report");
    let rate = |key: &str| -> f64 {
        let (_, rest) = xml.split_once(&format!("{key}=\"")).expect(key);
        rest.split('"').next().expect("a value").parse().expect("a figure")
    };
    let lines = 100.0 * rate("lines-covered") / rate("lines-valid");
    assert!(lines > 0.0 && (percent - lines).abs() < 0.1, "{percent} and {lines}");
}

#[test]
fn workflows_call_the_projects_own_commands_only() {
    for (file, command) in
        [("ci.yml", "tests/all.sh"), ("release.yml", "cargo xtask release --check --out dist")]
    {
        let path = repository(".github/workflows").join(file);
        let yaml = std::fs::read_to_string(path).expect("text");
        assert!(yaml.contains(&format!("run: {command}\n")), "{file}");
        for line in yaml.lines().filter(|line| line.contains("cargo ")) {
            let step = line.trim().trim_start_matches("- run: ");
            assert_eq!(step, "cargo xtask release --check --out dist", "{file}");
        }
    }
}
