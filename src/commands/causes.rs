//! Causes of exceptions, for `why` and `crash`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use apk::{ApkError, AppSet, Fault};
use decoder::crew::Cores;
use decoder::log::{Process, ThreadLog};
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use dex::Dex;
use model::descriptors::dotted_name;
use model::map::{Map, Method};
use model::nouns::counted;
use reports::crash::{CrashPoint, PathEnd, Stack, StackElement, StackKind, Throwable};
use why::{
    AppCode, CodeProblem, Criterion, Explanation, FieldWrites, History, Sought, Thrown, ThrownFrame,
};

use super::Result;
use crate::inputs::FoundMap;

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

/// The files of `--apk`, read.
pub struct OriginalApp {
    /// The first file, for messages.
    path: PathBuf,
    package: String,
    dex: Rc<[Dex]>,
}

impl OriginalApp {
    /// Reads the app.
    ///
    /// # Errors
    /// A package cannot be read.
    pub fn read(apks: &[PathBuf]) -> Result<OriginalApp> {
        let set = AppSet::read(apks)?;
        let path = apks[0].clone();
        let mut dex = Vec::new();
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
                let read = Dex::read(&file.bytes);
                dex.push(read.map_err(|e| format!("{}: {}: {e}", path.display(), file.name))?);
            }
        }
        let manifest = set.base().manifest();
        let package = manifest.map_or(String::new(), |manifest| manifest.package.clone());
        Ok(OriginalApp { path, package, dex: dex.into() })
    }

    /// Returns the code of the methods of a map.
    ///
    /// # Errors
    /// The app is not the one that `instrument` read when it wrote the map. The error names both
    /// files and builds.
    pub fn code_of<'m>(&self, map: &'m Map, map_path: &Path) -> Result<AppCode<'m>> {
        let (file, build, map_file) = (self.path.display(), map.build, map_path.display());
        if let Some(own) = self.dex.iter().find_map(instrumenter::graphs::build_id) {
            return Err(format!(
                "{file}: this is an instrumented app, of build {own}; the app as it was before \
                 `instrument` is needed: the one that {map_file} (build {build}) was made of"
            )
            .into());
        }
        let needed = format!("pass --apk the app that {map_file} (build {build}) was made of");
        if !map.package.is_empty() && !self.package.is_empty() && map.package != self.package {
            let (own, other) = (&self.package, &map.package);
            return Err(format!("{file} is {own}, the logs are of {other}: {needed}").into());
        }
        AppCode::new(map, self.dex.clone()).map_err(|problem| match problem {
            CodeProblem::Instrumented => format!("{file}: {problem}: {needed}").into(),
            CodeProblem::OtherBuild { missing, other, all } => format!(
                "{file} is another build than the logs: of {} of the map, {missing} are not in it \
                 and {other} have other code: {needed}",
                counted(all, "method")
            )
            .into(),
        })
    }
}

/// Reads the app's code.
///
/// # Errors
/// A package cannot be read, or is not the app from before `instrument` that the map is of.
pub fn app_code<'m>(map: &'m Map, map_path: &Path, apks: &[PathBuf]) -> Result<AppCode<'m>> {
    OriginalApp::read(apks)?.code_of(map, map_path)
}

/// Reads the app's code, of each of these maps that the app fits.
///
/// # Errors
/// A package cannot be read, or the app fits none of the maps.
pub fn app_codes<'m>(maps: &'m [FoundMap], apks: &[PathBuf]) -> Result<Vec<Option<AppCode<'m>>>> {
    let app = OriginalApp::read(apks)?;
    let (mut codes, mut problem) = (Vec::new(), None);
    for found in maps {
        let code = app.code_of(&found.map, &found.path);
        codes.push(code.map_err(|error| problem = problem.take().or(Some(error))).ok());
    }
    match problem {
        Some(problem) if codes.iter().all(Option::is_none) => Err(problem),
        _ => Ok(codes),
    }
}
