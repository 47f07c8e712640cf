//! Slices of paths that are written down by hand.

use decoder::replay::{Program, SendEvents, Via};
use decoder::session::Note;
use dex::{Dex, Version, text};
use instrumenter::{Inline, Options, RuntimeHome, instrument};
use model::map::{Map, MethodId};

use crate::{AppCode, CodeProblem, Criterion, Explanation, History, Role, Thrown};
use crate::{Certainty, ExceptionList, Sought, explain};

/// `get` gives null on one path; `use` reads the length of what `main` passes on. `set` and `read`
/// share a field.
const APP: &str = "\
.class public Lp/C;
.super Ljava/lang/Object;
.field public f:Ljava/lang/String;
.field public static g:I
.method public static get(I)Ljava/lang/String;
.code registers=2
    if-eqz p0, :none
    const-string v0, \"text\"
    return-object v0
:none
    const/4 v0, 0
    return-object v0
.end method
.method public static use(Ljava/lang/String;)I
.code registers=2
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    return v0
.end method
.method public static main(I)V
.code registers=2
    invoke-static {p0}, Lp/C;->get(I)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lp/C;->use(Ljava/lang/String;)I
    return-void
.end method
.method public static set(Lp/C;Ljava/lang/String;)V
.code registers=2
    if-nez p1, :end
    iput-object p1, p0, Lp/C;->f:Ljava/lang/String;
:end
    return-void
.end method
.method public static quiet(I)V
.code registers=1
    sput p0, Lp/C;->g:I
    return-void
.end method
.method public static read(Lp/C;)I
.code registers=2
    iget-object v0, p0, Lp/C;->f:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/String;->length()I
    move-result v0
    return v0
.end method
.method public static both(Lp/C;I)V
.code registers=3
    const/4 v0, 0
    invoke-static {p0, v0}, Lp/C;->set(Lp/C;Ljava/lang/String;)V
    if-eqz p1, :end
    invoke-static {p0}, Lp/C;->read(Lp/C;)I
:end
    return-void
.end method
";

fn app() -> (Dex, Map) {
    let mut dex = Dex::new(Version(39));
    text::parse_classes(APP, &mut dex).unwrap();
    let bytes = dex.write().unwrap();
    let dex = Dex::read(&bytes).unwrap();
    let files = vec![("classes.dex".to_owned(), bytes)];
    let options = Options { inline: Inline::Never, ..Options::default() };
    let out = instrument(files, RuntimeHome::OwnFile, "", &options).unwrap();
    (dex, out.map.unwrap().unpack())
}

/// Drives a history by the names of methods and the positions of blocks.
struct Driver<'p, 'm> {
    program: &'p Program<'m>,
    history: History<'p, 'm>,
}

impl<'p, 'm> Driver<'p, 'm> {
    fn new(program: &'p Program<'m>) -> Self {
        Driver { program, history: History::new(program) }
    }

    fn id(&self, name: &str) -> MethodId {
        let map = self.program.map;
        let at = map.methods.iter().position(|m| map.name(m.name) == name).unwrap();
        MethodId(at as u32 + 1)
    }

    fn enter(&mut self, name: &str, via: Via) {
        self.history.enter(self.id(name), via);
    }

    fn block(&mut self, name: &str, position: usize) {
        let block = self.program.block(self.id(name), position).unwrap();
        self.history.block(block);
    }

    /// Runs `set` to its end, with the write.
    fn set(&mut self) {
        (0..3).for_each(|position| self.block("set", position));
        self.history.leave();
    }

    /// An exception of a block of the innermost frame leaves all frames.
    fn unwind(&mut self, name: &str, position: usize, frames: usize) {
        let block = self.program.block(self.id(name), position).unwrap();
        self.history.unwound(frames, &[block]);
    }
}

fn null_pointer() -> Criterion {
    let class = Some("java.lang.NullPointerException".to_owned());
    Criterion::Exception { number: None, thrown: Thrown { class, ..Thrown::default() } }
}

fn explained<'m>(code: &AppCode<'m>, driver: &Driver<'_, 'm>) -> Option<(Explanation, Sought)> {
    explain(code, &driver.history, "main", &null_pointer(), 15)
}

fn texts(explanation: &Explanation) -> Vec<(Role, &str, &str)> {
    explanation.steps.iter().map(|s| (s.role, s.code.method.as_str(), s.text.as_str())).collect()
}

#[test]
fn null_is_followed_through_a_return_and_an_argument() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    let mut driver = Driver::new(&program);
    driver.enter("main", Via::TopLevel(0));
    driver.block("main", 0);
    driver.enter("get", Via::Call);
    driver.block("get", 0);
    driver.block("get", 2);
    driver.history.leave();
    driver.enter("use", Via::Call);
    driver.block("use", 0);
    driver.unwind("use", 0, 2);
    let (explanation, _) = explained(&code, &driver).unwrap();
    assert!(explanation.left && driver.history.ends_with(1, 1));
    let steps = texts(&explanation);
    assert_eq!(steps[0].0, Role::Event);
    assert_eq!(steps[0].2, "calls String.length(): the object is null");
    let null = (Role::Value, "Lp/C;->get(I)Ljava/lang/String;", "constant 0, false or null");
    assert!(steps.contains(&null), "{steps:?}");
    let branch =
        (Role::Because, "Lp/C;->get(I)Ljava/lang/String;", "the value is 0, false or null");
    assert!(steps.contains(&branch), "{steps:?}");
    // The string of the other alternative did not run.
    assert!(steps.iter().all(|s| !s.2.contains("text")), "{steps:?}");
}

#[test]
fn a_write_to_the_same_object_is_exact_and_its_reason_is_the_branch_before_the_call() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    let mut driver = Driver::new(&program);
    driver.enter("both", Via::TopLevel(0));
    driver.block("both", 0);
    driver.enter("set", Via::Call);
    driver.set();
    driver.block("both", 1);
    driver.enter("read", Via::Call);
    driver.block("read", 0);
    driver.unwind("read", 0, 2);
    let (explanation, sought) = explained(&code, &driver).unwrap();
    let set = explanation.steps.iter().find(|s| s.role == Role::Set).unwrap();
    assert_eq!(set.certainty, Certainty::Exact);
    assert_eq!(set.text, "sets field C.f");
    assert_eq!(sought.fields.into_iter().collect::<Vec<_>>(), ["Lp/C;->f:Ljava/lang/String;"]);
    let steps = texts(&explanation);
    assert!(
        steps.iter().any(|s| s.0 == Role::Because && s.2 == "the value is not 0, false or null"),
        "{steps:?}"
    );
}

#[test]
fn a_write_to_an_object_from_outside_is_a_candidate() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    let mut driver = Driver::new(&program);
    driver.enter("set", Via::TopLevel(0));
    driver.set();
    driver.enter("read", Via::TopLevel(0));
    driver.block("read", 0);
    driver.unwind("read", 0, 1);
    let (explanation, _) = explained(&code, &driver).unwrap();
    let set = explanation.steps.iter().find(|s| s.role == Role::Set).unwrap();
    assert_eq!(set.certainty, Certainty::Candidate);
}

/// The slab between the write and the read is missing: another write may be in it.
#[test]
fn a_write_before_a_gap_is_a_candidate() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    for (gap, certainty) in [(false, Certainty::Exact), (true, Certainty::Candidate)] {
        let mut driver = Driver::new(&program);
        driver.enter("both", Via::TopLevel(0));
        driver.block("both", 0);
        driver.enter("set", Via::Call);
        driver.set();
        if gap {
            driver.history.note(Note::Gap { from: 1, to: 2 });
        }
        driver.block("both", 1);
        driver.enter("read", Via::Call);
        driver.block("read", 0);
        driver.unwind("read", 0, 2);
        let (explanation, _) = explained(&code, &driver).unwrap();
        let set = explanation.steps.iter().find(|s| s.role == Role::Set).unwrap();
        assert_eq!(set.certainty, certainty);
    }
}

#[test]
fn methods_that_decide_nothing_may_write_without_a_trace() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    assert!(code.has_unrecorded_writers("Lp/C;->g:I"));
    assert!(!code.has_unrecorded_writers("Lp/C;->f:Ljava/lang/String;"));
}

#[test]
fn events_without_a_check_or_after_a_doubt_are_marked() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    let mut driver = Driver::new(&program);
    driver.history.note(Note::Unproven);
    driver.enter("use", Via::TopLevel(0));
    driver.block("use", 0);
    let id = driver.id("use");
    driver.history.doubtful(id, 1);
    driver.unwind("use", 0, 1);
    let (explanation, _) = explained(&code, &driver).unwrap();
    assert!(explanation.unproven && explanation.doubtful);
    let mut text = Vec::new();
    explanation.write_text(&mut text, None).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("no check covers it") && text.contains("swallowed"), "{text}");
}

/// Names come from the map, which may be hostile.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let mut explanation = Explanation::new("title \u{1b}[2J".to_owned(), "ma\u{7}in", 1);
    explanation.steps.push(crate::SliceStep {
        role: Role::Event,
        certainty: Certainty::Exact,
        at: crate::SourceLocation {
            method: "a.b\u{1b}c".to_owned(),
            package: String::new(),
            file: None,
            line: None,
            near: false,
        },
        code: crate::Address { method: String::new(), units: 0 },
        text: "calls \u{8}x()".to_owned(),
        probability: None,
        field: None,
        thread: None,
    });
    let mut text = Vec::new();
    explanation.write_text(&mut text, None).unwrap();
    assert!(text.iter().all(|&b| b == b'\n' || b >= b' '), "{}", String::from_utf8_lossy(&text));
}

#[test]
fn the_exception_of_an_earlier_callback_is_found_by_the_callback() {
    let (_, map) = app();
    let program = Program::new(&map);
    let mut driver = Driver::new(&program);
    for _ in 0..2 {
        driver.enter("use", Via::TopLevel(0));
        driver.block("use", 0);
        driver.unwind("use", 0, 1);
    }
    driver.enter("get", Via::TopLevel(0));
    let found = [1, 2, 3].map(|callback| driver.history.last_to_leave(callback));
    assert_eq!(found, [Some(1), Some(2), None]);
}

#[test]
fn a_thread_without_exceptions_has_no_answer() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    let mut driver = Driver::new(&program);
    driver.enter("get", Via::TopLevel(0));
    driver.block("get", 0);
    driver.block("get", 1);
    driver.history.leave();
    assert!(explained(&code, &driver).is_none());
}

#[test]
fn the_code_of_another_app_is_refused() {
    let (_, map) = app();
    let problem = AppCode::new(&map, vec![Dex::new(Version(39))]).err().unwrap();
    assert_eq!(problem, CodeProblem::OtherBuild { missing: 7, other: 0, all: 7 });
}

/// A method with other code, under the same name.
#[test]
fn the_code_of_another_build_is_refused() {
    let (_, map) = app();
    let mut dex = Dex::new(Version(39));
    let changed = APP.replace("    const-string v0, \"text\"\n", "    const/4 v0, 0\n");
    text::parse_classes(&changed, &mut dex).unwrap();
    let dex = Dex::read(&dex.write().unwrap()).unwrap();
    let problem = AppCode::new(&map, vec![dex]).err().unwrap();
    assert_eq!(problem, CodeProblem::OtherBuild { missing: 0, other: 1, all: 7 });
}

/// `main` calls `get`, which catches nothing; `both` runs twice, and an exception ends `read`.
#[test]
fn exceptions_are_listed_with_the_callback_and_the_numbers_that_questions_take() {
    let (dex, map) = app();
    let code = AppCode::new(&map, vec![dex]).unwrap();
    let program = Program::new(&map);
    let driver = Driver::new(&program);
    let (set, read) = (driver.id("set"), driver.id("read"));
    let block = |id, position| program.block(id, position).unwrap();
    let mut list = ExceptionList::new(&program, Some(&code), None, 2);
    for round in 0..4 {
        list.enter(set, Via::TopLevel(0));
        (0..3).for_each(|position| list.block(block(set, position)));
        list.leave();
        list.enter(read, Via::TopLevel(0));
        list.block(block(read, 0));
        if round == 3 {
            list.note(Note::Unproven);
        }
        list.unwound(1, &[block(read, 0)]);
    }
    let mut text = Vec::new();
    list.into_listing().write_text(&mut text, None).unwrap();
    let method = "p.C.read";
    assert_eq!(
        String::from_utf8(text).unwrap(),
        format!(
            "… 2 more before these\n\
             exception 3 in callback #6 [0.000 s]: thrown at {method} (candidate), class not \
             recorded, leaves the app's code\n\
             exception 4 in callback #8 [0.000 s]: thrown at {method} (candidate), class not \
             recorded, leaves the app's code (no check covers it)\n"
        )
    );
}
