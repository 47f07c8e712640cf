//! Causes of exceptions, for `why` and `crash`.

use std::collections::HashSet;
use std::path::PathBuf;

use apk::{ApkError, AppSet, Fault};
use decoder::crew::Cores;
use decoder::log::{Process, ThreadLog};
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use dex::Dex;
use model::descriptors::dotted_name;
use model::map::{Map, Method};
use reports::crash::{CrashPoint, PathEnd, Stack, StackElement, StackKind, Throwable};
use why::{AppCode, Criterion, Explanation, FieldWrites, History, Sought, Thrown, ThrownFrame};

use super::Result;

/// Search for causes in the logs of a build.
pub struct Causes<'a, 'p, 'm> {
    /// The app's code.
    pub code: &'a AppCode<'m>,
    /// The program that the logs are of.
    pub program: &'p Program<'m>,
    /// Cores that decode.
    pub cores: Cores,
    /// Maximum number of steps.
    pub most: usize,
}

impl Causes<'_, '_, '_> {
    /// Explains the exception of a crash, if the thread's path ends with one. `stack`: the stack
    /// trace of the crash.
    pub fn of_crash(
        &self,
        process: &Process,
        point: &CrashPoint,
        stack: Option<&Stack>,
    ) -> Option<Explanation> {
        if point.end != PathEnd::Left {
            return None;
        }
        let thread = process.threads.iter().find(|thread| thread.number == point.thread)?;
        let mut history = History::new(self.program);
        decode_thread_on(&self.cores, self.program, thread, &mut history);
        let number = Some(history.last_to_leave(point.callback)?);
        let stack = stack.filter(|stack| stack.kind == StackKind::Exception);
        let thrown = stack.map(|stack| thrown_in_app(self.program.map, stack)).unwrap_or_default();
        let criterion = Criterion::Exception { number, thrown };
        let name = thread_name(thread);
        let found = why::explain(self.code, &history, &name, &criterion, self.most);
        let (mut explanation, sought) = found?;
        self.add_other_threads(process, thread.number, &mut explanation, &sought);
        Some(explanation)
    }

    /// Adds the last writes of the fields on other threads of the process, as candidates.
    pub fn add_other_threads(
        &self,
        process: &Process,
        own: u32,
        explanation: &mut Explanation,
        sought: &Sought,
    ) {
        if sought.fields.is_empty() {
            return;
        }
        for thread in process.threads.iter().filter(|thread| thread.number != own) {
            let mut writes =
                FieldWrites::new(self.code, self.program, &sought.fields, sought.until_us);
            decode_thread_on(&self.cores, self.program, thread, &mut writes);
            let steps = writes.into_steps(&thread_name(thread));
            explanation.add_other_writes(steps, self.most);
        }
    }
}

/// Returns the name of a thread, or its number if the log has no name.
pub fn thread_name(thread: &ThreadLog) -> String {
    thread.name.clone().unwrap_or_else(|| thread.number.to_string())
}

/// Returns the exception of a stack trace that left the app's code: the first one that has a frame
/// of the app. One that the platform wrapped around it has none.
pub fn thrown_in_app(map: &Map, stack: &Stack) -> Thrown {
    let dotted = |id| dotted_name(map.name(id));
    let of_app = |m: &Method| [m.class].into_iter().chain(m.in_app.map(|app| app.class));
    let classes: HashSet<String> = map.methods.iter().flat_map(of_app).map(dotted).collect();
    let is_own = |t: &&Throwable| t.frames.iter().any(|frame| classes.contains(&frame.class));
    let Some(throwable) = stack.throwables.iter().find(is_own) else { return Thrown::default() };
    let frame = |frame: &StackElement| ThrownFrame {
        method: format!("{}.{}", frame.class, frame.method),
        line: frame.line,
    };
    Thrown {
        class: Some(throwable.class.clone()),
        message: throwable.message.clone(),
        frames: throwable.frames.iter().map(frame).collect(),
    }
}

/// Reads the app's code.
///
/// # Errors
/// A package cannot be read, or is not the app from before `instrument` that the map is of.
pub fn app_code<'m>(map: &'m Map, apks: &[PathBuf]) -> Result<AppCode<'m>> {
    let named = |problem: &dyn std::fmt::Display| format!("{}: {problem}", apks[0].display());
    let set = AppSet::read(apks)?;
    let mut files = Vec::new();
    let base = set.base_number();
    let others = (0..set.packages().len()).filter(|&number| number != base);
    for number in [base].into_iter().chain(others) {
        let package = match set.packages()[number].dex_files() {
            Ok(package) => package,
            // Splits for languages and screens have no code.
            Err(ApkError { fault: Fault::NoDex, .. }) if number != base => continue,
            Err(error) => return Err(error.into()),
        };
        for file in package.loaded {
            files.push(Dex::read(&file.bytes).map_err(|e| named(&format!("{}: {e}", file.name)))?);
        }
    }
    Ok(AppCode::new(map, files).map_err(|e| named(&e))?)
}
