//! Paths of a running app: the new events, thread by thread.

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

/// Format of the paths.
#[derive(Debug, Clone, Copy)]
pub enum LiveForm<'p> {
    /// Text for people.
    Text(TextOptions<'p>),
    /// JSON lines.
    Json,
}

/// The common output of all threads' writers. It is passed on after each thread's turn.
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
enum ThreadWriter<'p, 'm> {
    Text(Box<Filtered<'p, TextPaths<'p, 'm, Pending>>>),
    Json(Box<Filtered<'p, JsonPaths<'p, 'm, Pending>>>),
}

/// Writes paths as they come. Filters that need the whole session ([`Filter::last`]) have no
/// effect.
#[derive(Debug)]
pub struct Live<'p, 'm> {
    program: &'p Program<'m>,
    filter: &'p Filter,
    form: LiveForm<'p>,
    pending: Pending,
    /// The processes, in order of appearance.
    processes: Vec<Identity>,
    threads: BTreeMap<ThreadKey, ThreadWriter<'p, 'm>>,
    /// The thread that was written last.
    last: Option<ThreadKey>,
}

impl<'p, 'm> Live<'p, 'm> {
    /// Creates a writer for all processes of a build.
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

    /// Writes the new events of all threads, and when the log is `over`, also the pending ones.
    /// Returns the new damage.
    ///
    /// # Errors
    /// The first error of the output; a log that cannot be read again.
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
                ThreadWriter::Text(Box::new(Filtered::new(paths, filter, cores, program, log)))
            }
            LiveForm::Json => {
                let paths = JsonPaths::new(program, pending.clone(), number, &process, &log);
                let (filter, cores, program, log) = filtered();
                ThreadWriter::Json(Box::new(Filtered::new(paths, filter, cores, program, log)))
            }
        });
        let damage = match writer {
            ThreadWriter::Text(paths) => {
                if self.last.as_ref() != Some(key) {
                    let name = log.name.as_deref().unwrap_or("?");
                    let (process, pid) = (&process.name, process.pid);
                    let text = format!("=== {process} (pid {pid}), thread {} {name:?}", log.number);
                    paths.inner().heading(text, false);
                }
                follower.pass_on(key, over, cores, &mut **paths)?
            }
            ThreadWriter::Json(paths) => follower.pass_on(key, over, cores, &mut **paths)?,
        };
        if over && let Some(ThreadWriter::Text(paths)) = self.threads.remove(key) {
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

/// Reason why paths could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// Error of the output.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// Error of the log.
    #[error("{0}")]
    Log(#[from] InputError),
}
