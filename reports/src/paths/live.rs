//! Paths of an app that is running: what is new, thread by thread.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use decoder::Damage;
use decoder::crew::Cores;
use decoder::follow::Follower;
use decoder::log::{InputError, ThreadKey};
use decoder::replay::Program;
use model::trace::Identity;

use super::json::{JsonPaths, process_line};
use super::text::{TextOptions, TextPaths, process_heading};
use crate::base::escape::visible;
use crate::base::filter::{Filter, Filtered};

/// How paths are written.
#[derive(Debug, Clone, Copy)]
pub enum LiveForm<'p> {
    /// Text for people.
    Text(TextOptions<'p>),
    /// JSON lines.
    Json,
}

/// What the writers of all threads write to: it is handed on after each thread's turn.
#[derive(Debug, Clone, Default)]
struct Pending(Rc<RefCell<Vec<u8>>>);

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
enum Writer<'p, 'm> {
    Text(Box<Filtered<'p, TextPaths<'p, 'm, Pending>>>),
    Json(Box<Filtered<'p, JsonPaths<'p, 'm, Pending>>>),
}

/// Writes paths as they come. Filters that look at the whole session ([`Filter::last`]) have no
/// effect.
#[derive(Debug)]
pub struct Live<'p, 'm> {
    program: &'p Program<'m>,
    filter: &'p Filter,
    form: LiveForm<'p>,
    pending: Pending,
    /// The processes, in the order in which they came.
    processes: Vec<Identity>,
    threads: BTreeMap<ThreadKey, Writer<'p, 'm>>,
    /// The thread that was written last.
    last: Option<ThreadKey>,
}

impl<'p, 'm> Live<'p, 'm> {
    /// A writer for all processes of a build.
    pub fn new(program: &'p Program<'m>, filter: &'p Filter, form: LiveForm<'p>) -> Self {
        Self {
            program,
            filter,
            form,
            pending: Pending::default(),
            processes: vec![],
            threads: BTreeMap::new(),
            last: None,
        }
    }

    /// Writes what is new of the threads that have something new, and when the log is `over`, all
    /// that is left. Returns the damage that is new.
    ///
    /// # Errors
    /// The first error of the output; a log that cannot be read again.
    pub fn write(
        &mut self,
        follower: &mut Follower<'p, 'm>,
        over: bool,
        cores: &Cores,
        out: &mut impl Write,
    ) -> Result<Damage, LiveError> {
        let mut damage = Damage::NONE;
        for key in if over { follower.threads() } else { follower.fresh(false) } {
            damage += self.thread(follower, &key, over, cores, out)?;
        }
        Ok(damage)
    }

    fn thread(
        &mut self,
        follower: &mut Follower<'p, 'm>,
        key: &ThreadKey,
        over: bool,
        cores: &Cores,
        out: &mut impl Write,
    ) -> Result<Damage, LiveError> {
        let (program, filter) = (self.program, self.filter);
        let (process, log) = (follower.process(key), follower.thread(key)?);
        if !filter.has_thread(&log) {
            return Ok(follower.pass_on(key, over, cores, &mut decoder::replay::NoSink)?);
        }
        let known = self.processes.iter().position(|p| *p == key.identity);
        let number = 1 + known.unwrap_or(self.processes.len());
        if known.is_none() {
            self.processes.push(key.identity.clone());
            match self.form {
                LiveForm::Text(_) => writeln!(out, "{}", visible(&process_heading(&process)))?,
                LiveForm::Json => writeln!(out, "{}", process_line(number, &process, false))?,
            }
        }
        let (form, pending) = (self.form, &self.pending);
        let filtered = || (filter, cores, program, &log);
        let writer = self.threads.entry(key.clone()).or_insert_with(|| match form {
            LiveForm::Text(options) => {
                let paths = TextPaths::with(program, pending.clone(), &process, options);
                let (filter, cores, program, log) = filtered();
                Writer::Text(Box::new(Filtered::new(paths, filter, cores, program, log)))
            }
            LiveForm::Json => {
                let paths = JsonPaths::new(program, pending.clone(), number, &process, &log);
                let (filter, cores, program, log) = filtered();
                Writer::Json(Box::new(Filtered::new(paths, filter, cores, program, log)))
            }
        });
        let damage = match writer {
            Writer::Text(paths) => {
                if self.last.as_ref() != Some(key) {
                    let name = log.name.as_deref().unwrap_or("?");
                    let (process, pid) = (&process.name, process.pid);
                    let text = format!("=== {process} (pid {pid}), thread {} {name:?}", log.number);
                    paths.inner().heading(text, false);
                }
                follower.pass_on(key, over, cores, &mut **paths)?
            }
            Writer::Json(paths) => follower.pass_on(key, over, cores, &mut **paths)?,
        };
        if over && let Some(Writer::Text(paths)) = self.threads.remove(key) {
            paths.into_inner().finish()?;
        }
        let mut written = self.pending.0.borrow_mut();
        if !written.is_empty() {
            self.last = Some(key.clone());
        }
        out.write_all(&written)?;
        written.clear();
        Ok(damage)
    }
}

/// Why paths could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The output.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// The log.
    #[error("{0}")]
    Log(#[from] InputError),
}
