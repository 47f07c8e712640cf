//! Writes the dex files of a build. Each method is decoded and woven just before its body is
//! written, so only a few are in memory as lists of instructions at any time.

use std::sync::Mutex;

use dex::verify::types::TypeChecker;
use dex::{
    BodySize, Code, CodeError, CodeId, CodeItem, EncodedMethod, IndexMap, MethodIdx, WriteError,
};

use crate::analysis::program::{MethodNo, Program};
use crate::art::{COMPILE_UNITS, INLINE_UNITS};
use crate::cost::growth::{ProbeBytes, ProbeCounter};
use crate::error::InstrumentError;
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::clones::{self, Clones};
use crate::plan::inline_coders::Edges;
use crate::plan::subject::{Selection, Subject};
use crate::probes::runtime::BuildPackage;
use crate::rewrite::check::{Check, WovenMethod};
use crate::rewrite::keep_compiled::least_units;
use crate::rewrite::{BuildContext, MethodContext, weave};

/// Positions of all subjects' bodies in their files.
pub(crate) struct SubjectBodies {
    /// Subject and form by dex file and body.
    subjects: Vec<Vec<Option<(SubjectId, BodyForm)>>>,
    /// Own body of each subject.
    bodies: BySubject<CodeId>,
}

/// Form of a subject's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyForm {
    /// The method's own body.
    Own,
    /// Body of the method's clone with this name.
    Clone(MethodIdx),
}

impl SubjectBodies {
    /// Gives each subject a body of its own: a body that several methods share is copied.
    pub fn new(program: &mut Program, selection: &Selection) -> SubjectBodies {
        let mut uses: Vec<Vec<u32>> = program.files.iter().map(|f| f.dex.code_uses()).collect();
        let mut subjects: Vec<Vec<Option<(SubjectId, BodyForm)>>> =
            uses.iter().map(|uses| vec![None; uses.len()]).collect();
        let bodies = selection.subjects.map(|i, s| {
            let method = &program.methods[s.no.0 as usize];
            let class = &program.classes[method.class.0 as usize];
            let own = method.code.expect("selected by having code");
            // Methods that stay unchanged may share their body.
            if s.implied {
                return own;
            }
            let dex = &mut program.files[class.dex].dex;
            let users = &mut uses[class.dex][own.0 as usize];
            let subjects = &mut subjects[class.dex];
            let body = if *users > 1 {
                let body = CodeId(dex.codes.len() as u32);
                dex.codes.push(dex.codes[own.0 as usize].clone());
                let mut methods = dex.classes[class.def].methods_mut();
                methods.nth(method.position).expect("positions are the class's own").code =
                    Some(body);
                subjects.push(None);
                body
            } else {
                own
            };
            *users -= 1;
            subjects[body.0 as usize] = Some((i, BodyForm::Own));
            body
        });
        SubjectBodies { subjects, bodies }
    }

    /// Adds the clones to their classes.
    pub fn add(&mut self, program: &mut Program, selection: &Selection, clones: &Clones) {
        for &(i, name) in &clones.all {
            let method = &program.methods[selection.subjects[i].no.0 as usize];
            let class = &program.classes[method.class.0 as usize];
            let (file, def, own) = (class.dex, class.def, method.method);
            let dex = &mut program.files[file].dex;
            let body = CodeId(dex.codes.len() as u32);
            dex.codes.push(dex.codes[self.bodies[i].0 as usize].clone());
            let class = &mut dex.classes[def];
            for list in [&mut class.direct_methods, &mut class.virtual_methods] {
                if let Some(own) = list.iter().find(|m| m.method == own) {
                    let clone = EncodedMethod { code: Some(body), ..clones::declared(own, name) };
                    list.push(clone);
                    break;
                }
            }
            self.subjects[file].push(Some((i, BodyForm::Clone(name))));
        }
    }
}

/// Dex files as bytes, and measurements of the woven code.
pub(crate) struct DexOutput {
    /// Bytes of each file, in the order of the program's files.
    pub files: Vec<Vec<u8>>,
    /// Size of each subject's own body.
    pub sizes: BySubject<BodySize>,
    /// Size of all clones in bytes.
    pub clones: u64,
    /// Size of all probes.
    pub probes: ProbeBytes,
    /// Woven code that ART's verifier would reject: the subject, true for its clone, and the
    /// objection.
    pub broken: Vec<(SubjectId, bool, String)>,
}

/// Reasons why the files cannot be written.
pub(crate) enum Unwritable {
    /// The woven code of one method.
    Method(MethodNo, CodeError),
    /// The woven code of a method's clone.
    Clone(MethodNo),
    /// Another problem of a file.
    File(InstrumentError),
}

/// Writes all files of the program, with the woven code of the methods that take part.
pub(crate) fn write(
    inputs: &BuildContext<'_>,
    places: &SubjectBodies,
    check: &Check,
    package: &BuildPackage,
) -> Result<DexOutput, Unwritable> {
    let program = inputs.program;
    let checkers: Vec<TypeChecker<'_>> =
        program.files.iter().map(|f| TypeChecker::new(&f.dex)).collect();
    let weaving = Weaving {
        inputs,
        check,
        checkers,
        probes: ProbeCounter::new(program, package),
        broken: Mutex::default(),
    };
    let mut files = Vec::new();
    let mut sizes = Vec::new();
    let mut clones = 0;
    for (number, file) in program.files.iter().enumerate() {
        let subjects = &places.subjects[number];
        let subject = |body: CodeId| subjects.get(body.0 as usize).copied().flatten();
        let make = |body, map: &IndexMap| {
            let (i, form) = subject(body)?;
            Some(weaving.body(i, form, map))
        };
        match file.dex.write_with(&make) {
            Ok(written) => {
                let is_clone = |s: &Option<(SubjectId, BodyForm)>| {
                    s.is_some_and(|(_, form)| form != BodyForm::Own)
                };
                let sizes_of_clones =
                    written.bodies.iter().zip(subjects).filter(|(_, s)| is_clone(s));
                clones += sizes_of_clones.map(|(size, _)| code_bytes(*size)).sum::<u64>();
                files.push(written.bytes);
                sizes.push(written.bodies);
            }
            Err(WriteError::Body { body, problem, .. }) if subject(body).is_some() => {
                let (i, form) = subject(body).expect("just seen");
                let no = inputs.selection.subjects[i].no;
                return Err(match form {
                    BodyForm::Own => Unwritable::Method(no, problem),
                    BodyForm::Clone(_) => Unwritable::Clone(no),
                });
            }
            Err(problem) => {
                let file = file.name.clone();
                return Err(Unwritable::File(InstrumentError::Write { file, problem }));
            }
        }
    }
    let mut broken = weaving.broken.into_inner().expect("no panic while held");
    broken.sort_unstable();
    let sizes = inputs.selection.subjects.map(|i, s| {
        let file = program.class(program.method(s.no).class).dex;
        sizes[file][places.bodies[i].0 as usize]
    });
    Ok(DexOutput { files, sizes, clones, probes: weaving.probes.into_bytes(), broken })
}

/// Returns code with its hottest symbols inline if that has no other cost: code that ART inlines
/// must stay as short as it is.
fn with_symbols_in_line(
    subject: &Subject,
    plan: MethodContext<'_>,
    without: &Code,
) -> Option<Code> {
    let is_long = least_units(without) > INLINE_UNITS;
    let wanted = is_long && !plan.in_line.is_empty();
    wanted.then(|| weave(subject, &MethodContext { in_place: true, ..plan }))
}

/// Weaves a clone. ART never inlines a long clone, so the clone has its coder inline.
fn weave_clone(subject: &Subject, plan: MethodContext<'_>) -> Code {
    let plan = MethodContext { in_line: Edges::None, ..plan };
    let code = weave(subject, &plan);
    if least_units(&code) <= INLINE_UNITS {
        return code;
    }
    let longer = weave(subject, &MethodContext { in_place: true, ..plan });
    if least_units(&longer) < COMPILE_UNITS { longer } else { code }
}

/// Size of a body in bytes, without its debug info.
fn code_bytes(size: BodySize) -> u64 {
    /// Size of a `code_item` header in bytes.
    const HEADER: u64 = 16;
    (HEADER + 2 * u64::from(size.units) + u64::from(size.protection)).next_multiple_of(4)
}

/// Weaves bodies while files are written.
struct Weaving<'a> {
    inputs: &'a BuildContext<'a>,
    check: &'a Check,
    /// Type checkers by dex file.
    checkers: Vec<TypeChecker<'a>>,
    probes: ProbeCounter,
    broken: Mutex<Vec<(SubjectId, bool, String)>>,
}

impl Weaving<'_> {
    fn body(&self, i: SubjectId, form: BodyForm, map: &IndexMap) -> Result<CodeItem, CodeError> {
        let program = self.inputs.program;
        if form == BodyForm::Own {
            self.inputs.progress.add();
        }
        let subject = self.inputs.selection.open_woven(program, i);
        let own = program.method(subject.no).method;
        let (subject, method) = match form {
            BodyForm::Own => (subject, own),
            BodyForm::Clone(name) => (subject.into_clone(), name),
        };
        let subject = &subject;
        let file = program.class(program.method(subject.no).class).dex;
        let plan = self.inputs.of(i);
        let is_clone = form != BodyForm::Own;
        let code = match is_clone {
            true => weave_clone(subject, plan),
            false => weave(subject, &MethodContext { in_line: Edges::None, ..plan }),
        };
        let checker = &self.checkers[file];
        let check =
            |code: &Code| (self.check)(&WovenMethod { program, checker, subject, method, code });
        let longer = with_symbols_in_line(subject, plan, &code);
        let longer = longer.filter(|longer| check(longer).is_none()).and_then(|longer| {
            let body = dex::lower(&longer, map).ok()?;
            (body.insns.len() < COMPILE_UNITS as usize).then_some((longer, Ok(body)))
        });
        let (code, body) = match longer {
            Some(longer) => longer,
            None => {
                if let Some(problem) = check(&code) {
                    self.broken.lock().expect("no panic while held").push((i, is_clone, problem));
                }
                let body = dex::lower(&code, map);
                (code, body)
            }
        };
        if !is_clone {
            self.probes.count(file, subject, &code);
        }
        body
    }
}
