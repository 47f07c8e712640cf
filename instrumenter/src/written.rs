//! The dex files of a build. Each method is taken apart and woven just before its body is written,
//! so only a few are in memory as lists of instructions at any time.

use std::sync::Mutex;

use dex::verify::types::TypeChecker;
use dex::{BodySize, CodeError, CodeId, CodeItem, IndexMap, WriteError};

use crate::analysis::program::{MethodNo, Program};
use crate::cost::parts::{ProbeBytes, ProbeCounter};
use crate::error::InstrumentError;
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::subject::Selection;
use crate::probes::runtime::BuildPackage;
use crate::rewrite::check::{Check, Woven};
use crate::rewrite::{Inputs, weave};

/// Where the bodies of all subjects are in their files.
pub(crate) struct Places {
    /// By dex file and body.
    subjects: Vec<Vec<Option<SubjectId>>>,
    /// By subject.
    bodies: BySubject<CodeId>,
}

impl Places {
    /// Gives each subject a body of its own: one that is other methods', too, is copied.
    pub fn new(program: &mut Program, selection: &Selection) -> Places {
        let mut uses: Vec<Vec<u32>> = program.files.iter().map(|f| f.dex.code_uses()).collect();
        let mut subjects: Vec<Vec<Option<SubjectId>>> =
            uses.iter().map(|uses| vec![None; uses.len()]).collect();
        let bodies = selection.subjects.map(|i, s| {
            let method = &program.methods[s.no.0 as usize];
            let class = &program.classes[method.class.0 as usize];
            let own = method.code.expect("selected by having code");
            // What stays as it is can be others', too.
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
            subjects[body.0 as usize] = Some(i);
            body
        });
        Places { subjects, bodies }
    }
}

/// All dex files in bytes, and what was seen of the woven code.
pub(crate) struct Written {
    /// In the order of the program's files.
    pub files: Vec<Vec<u8>>,
    /// Of each subject.
    pub sizes: BySubject<BodySize>,
    /// What the probes take.
    pub probes: ProbeBytes,
    /// Woven code that must not be given out, and what is wrong.
    pub broken: Vec<(SubjectId, String)>,
}

/// Why the files cannot be written.
pub(crate) enum Unwritable {
    /// The woven code of one method.
    Method(MethodNo, CodeError),
    /// Something else.
    File(InstrumentError),
}

/// Writes all files of the program, with the woven code of the methods that take part.
pub(crate) fn write(
    inputs: &Inputs<'_>,
    places: &Places,
    check: &Check,
    package: &BuildPackage,
) -> Result<Written, Unwritable> {
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
    for (number, file) in program.files.iter().enumerate() {
        let subjects = &places.subjects[number];
        let subject = |body: CodeId| subjects.get(body.0 as usize).copied().flatten();
        let make = |body, map: &IndexMap| Some(weaving.body(subject(body)?, map));
        match file.dex.write_with(&make) {
            Ok(written) => {
                files.push(written.bytes);
                sizes.push(written.bodies);
            }
            Err(WriteError::Body { body, problem, .. }) if subject(body).is_some() => {
                let i = subject(body).expect("just seen");
                return Err(Unwritable::Method(inputs.selection.subjects[i].no, problem));
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
    Ok(Written { files, sizes, probes: weaving.probes.into_bytes(), broken })
}

/// Makes woven bodies.
struct Weaving<'a> {
    inputs: &'a Inputs<'a>,
    check: &'a Check,
    /// By dex file.
    checkers: Vec<TypeChecker<'a>>,
    probes: ProbeCounter,
    broken: Mutex<Vec<(SubjectId, String)>>,
}

impl Weaving<'_> {
    fn body(&self, i: SubjectId, map: &IndexMap) -> Result<CodeItem, CodeError> {
        let program = self.inputs.program;
        let subject = &self.inputs.selection.open_woven(program, i);
        let file = program.class(program.method(subject.no).class).dex;
        let code = &weave(subject, &self.inputs.of(i));
        let checker = &self.checkers[file];
        if let Some(problem) = (self.check)(&Woven { program, checker, subject, code }) {
            self.broken.lock().expect("no panic while held").push((i, problem));
        }
        self.probes.count(file, subject, code);
        dex::lower(code, map)
    }
}
