//! Steps that a program can repeat: a flow of Maestro, a shell script of `adb`. What cannot be
//! repeated is a comment.

use std::io::{self, Write};

use super::repeat::{BACK, Gesture, RepeatStep};
use super::report::Report;
use crate::base::escape::{quoted, visible};

/// First line of a flow.
pub const FLOW_HEAD: &str =
    "# Steps to a crash. What is marked \"by hand\" has no name in the log.\n";
/// First lines of a script.
pub const SCRIPT_HEAD: &str =
    "#!/bin/sh\n# Steps to a crash. Do what is marked \"by hand\" where it stands.\n";

impl Report<'_, '_> {
    /// Writes the steps to the crash as a flow of Maestro.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_maestro(&self, out: impl Write) -> io::Result<()> {
        maestro(out, &self.program.map.package, &self.repeat_steps())
    }

    /// Writes the steps to the crash as a shell script.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_adb(&self, out: impl Write) -> io::Result<()> {
        adb(out, &self.program.map.package, &self.repeat_steps())
    }
}

/// A step as a comment.
fn comment(number: usize, step: &RepeatStep) -> String {
    let times = if step.times > 1 { format!(", {} times", step.times) } else { String::new() };
    // One line, whatever a name contains.
    visible(&format!("# {number}. {}{times}", step.action)).into_owned()
}

fn maestro(mut out: impl Write, package: &str, steps: &[RepeatStep]) -> io::Result<()> {
    out.write_all(FLOW_HEAD.as_bytes())?;
    writeln!(out, "appId: {}", quoted(package))?;
    writeln!(out, "---")?;
    if !matches!(steps.first(), Some(RepeatStep { gesture: Gesture::Open(_), .. })) {
        writeln!(out, "- launchApp")?;
    }
    for (number, step) in (1..).zip(steps) {
        let comment = comment(number, step);
        let Some(command) = maestro_command(&step.gesture) else {
            writeln!(out, "{comment}: by hand")?;
            continue;
        };
        writeln!(out, "{comment}")?;
        if step.times > 1 {
            writeln!(out, "- repeat:\n    times: {}\n    commands:", step.times)?;
        }
        for line in command.lines() {
            writeln!(out, "{}{line}", if step.times > 1 { "      " } else { "" })?;
        }
    }
    Ok(())
}

/// Returns a command of a flow, or `None` if there is none. Strings of JSON are strings of YAML.
fn maestro_command(gesture: &Gesture) -> Option<String> {
    let on = |command: &str, name: &str| format!("- {command}:\n    id: {}", quoted(name));
    Some(match gesture {
        Gesture::Open(_) => "- launchApp".into(),
        Gesture::Tap(name) => on("tapOn", name),
        Gesture::Hold(name) => on("longPressOn", name),
        Gesture::Key(BACK) => "- back".into(),
        Gesture::Key(code) => {
            let key = match code {
                3 => "Home",
                24 => "Volume Up",
                25 => "Volume Down",
                26 => "Power",
                61 => "Tab",
                66 => "Enter",
                67 => "Backspace",
                _ => return None,
            };
            format!("- pressKey: {key}")
        }
        Gesture::Intent(_) | Gesture::Broadcast(_) | Gesture::Other => return None,
    })
}

fn adb(mut out: impl Write, package: &str, steps: &[RepeatStep]) -> io::Result<()> {
    out.write_all(SCRIPT_HEAD.as_bytes())?;
    writeln!(out, "set -eu")?;
    for (number, step) in (1..).zip(steps) {
        let comment = comment(number, step);
        let Some(command) = adb_command(package, &step.gesture) else {
            writeln!(out, "{comment}: by hand")?;
            continue;
        };
        writeln!(out, "{comment}")?;
        // A person would not do it more often.
        for _ in 0..step.times.min(100) {
            writeln!(out, "{command}")?;
        }
    }
    Ok(())
}

/// Returns a command of a shell, or `None` if there is none.
fn adb_command(package: &str, gesture: &Gesture) -> Option<String> {
    if !is_plain(package) {
        return None;
    }
    match gesture {
        Gesture::Open(class) if is_plain(class) => Some(format!(
            "adb shell am start -W -a android.intent.action.MAIN -c \
             android.intent.category.LAUNCHER -n {package}/{class}"
        )),
        Gesture::Key(code) => Some(format!("adb shell input keyevent {code}")),
        Gesture::Intent(action) if is_plain(action) => {
            Some(format!("adb shell am start -W -a {action} -p {package}"))
        }
        Gesture::Broadcast(action) if is_plain(action) => {
            Some(format!("adb shell am broadcast -a {action} -p {package}"))
        }
        Gesture::Open(_)
        | Gesture::Tap(_)
        | Gesture::Hold(_)
        | Gesture::Intent(_)
        | Gesture::Broadcast(_)
        | Gesture::Other => None,
    }
}

/// Returns true if two shells, this one and the device's, take a word as it is.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(action: &str, gesture: Gesture, times: u64) -> RepeatStep {
        RepeatStep { action: action.into(), gesture, number: 1, times }
    }

    fn steps() -> Vec<RepeatStep> {
        vec![
            step("open the app: Main", Gesture::Open("p.Main".into()), 1),
            step("tap #save", Gesture::Tap("save".into()), 3),
            step("tap #101", Gesture::Other, 1),
            step("press key BACK", Gesture::Key(BACK), 1),
            step("wait for the broadcast p.GO", Gesture::Broadcast("p.GO".into()), 1),
        ]
    }

    #[test]
    fn a_flow_repeats_what_has_a_name() {
        let mut flow = Vec::new();
        maestro(&mut flow, "org.example", &steps()).unwrap();
        let wanted = "\
# Steps to a crash. What is marked \"by hand\" has no name in the log.
appId: \"org.example\"
---
# 1. open the app: Main
- launchApp
# 2. tap #save, 3 times
- repeat:
    times: 3
    commands:
      - tapOn:
          id: \"save\"
# 3. tap #101: by hand
# 4. press key BACK
- back
# 5. wait for the broadcast p.GO: by hand
";
        assert_eq!(String::from_utf8(flow).unwrap(), wanted);
    }

    #[test]
    fn a_script_repeats_what_adb_can_do() {
        let mut script = Vec::new();
        adb(&mut script, "org.example", &steps()).unwrap();
        let wanted = "\
#!/bin/sh
# Steps to a crash. Do what is marked \"by hand\" where it stands.
set -eu
# 1. open the app: Main
adb shell am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n \
org.example/p.Main
# 2. tap #save, 3 times: by hand
# 3. tap #101: by hand
# 4. press key BACK
adb shell input keyevent 4
# 5. wait for the broadcast p.GO
adb shell am broadcast -a p.GO -p org.example
";
        assert_eq!(String::from_utf8(script).unwrap(), wanted);
    }

    #[test]
    fn names_cannot_leave_their_line_or_their_word() {
        let bad = "x\n- runScript: evil\u{2028}; rm -rf / $(id) `id` '\"";
        let steps = [
            step(bad, Gesture::Tap(bad.into()), 1),
            step(bad, Gesture::Broadcast(bad.into()), 1),
            step(bad, Gesture::Open(bad.into()), 1),
        ];
        let mut flow = Vec::new();
        maestro(&mut flow, bad, &steps).unwrap();
        let flow = String::from_utf8(flow).unwrap();
        assert!(!flow.lines().any(|line| line.starts_with("- runScript")), "{flow}");
        let mut script = Vec::new();
        adb(&mut script, "p", &steps).unwrap();
        let script = String::from_utf8(script).unwrap();
        assert!(script.lines().skip(3).all(|line| line.starts_with("# ")), "{script}");
    }
}
