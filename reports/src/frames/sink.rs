//! Receivers of frames. Sinks combine without a virtual call for each event.

use std::io;

use decoder::log::{Process, ThreadLog};

use super::names::Frame;

/// Origin of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opened {
    /// Called by the app.
    Call,
    /// Called from outside the app.
    Callback,
    /// Inlined by the compiler.
    Inlined,
}

/// End of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// It returned.
    Return,
    /// By an exception.
    Exception,
    /// Unknown end: the log breaks off.
    Unknown,
}

/// Wall-clock times of a top-level callback, in µs since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WallTime {
    /// Its start.
    pub begin_us: u64,
    /// Its end, if the log contains it.
    pub end_us: Option<u64>,
}

/// Receives the frames of one thread after the other.
pub trait FrameSink {
    /// Begins a process; its threads follow.
    fn process(&mut self, _process: &Process) {}
    /// Begins a thread. No frame is open.
    fn thread(&mut self, process: &Process, thread: &ThreadLog);
    /// Announces that the next frame is a top-level callback that ran at this time.
    fn top_level(&mut self, _at: WallTime) {}
    /// Sets the time after the events so far, in µs since 1970.
    fn clock(&mut self, _us: u64) {}
    /// Begins a frame in the innermost one.
    fn open(&mut self, frame: Frame, how: Opened);
    /// Records blocks that the innermost frame ran.
    fn steps(&mut self, steps: u64);
    /// Ends the innermost frame.
    fn close(&mut self, how: Closed);
    /// Begins a frame in the innermost one that runs one block and returns.
    #[inline]
    fn leaf(&mut self, frame: Frame) {
        self.open(frame, Opened::Call);
        self.steps(1);
        self.close(Closed::Return);
    }
    /// Adds a remark on the log at this point.
    fn note(&mut self, _text: &str) {}
    /// Ends the thread. No frame is open.
    fn thread_ends(&mut self) {}
    /// Ends the file.
    ///
    /// # Errors
    /// The first error of the output.
    fn finish(&mut self) -> io::Result<()>;
}

/// A sink that writes a file of its own.
pub trait FrameFile: FrameSink {
    /// Returns a remark for the user on the finished file, if there is one.
    fn remark(&self) -> Option<String>;
}

/// Any number of files, in order.
impl FrameSink for Vec<Box<dyn FrameFile + '_>> {
    fn process(&mut self, process: &Process) {
        self.iter_mut().for_each(|file| file.process(process));
    }

    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.iter_mut().for_each(|file| file.thread(process, thread));
    }

    fn top_level(&mut self, at: WallTime) {
        self.iter_mut().for_each(|file| file.top_level(at));
    }

    fn clock(&mut self, us: u64) {
        self.iter_mut().for_each(|file| file.clock(us));
    }

    fn open(&mut self, frame: Frame, how: Opened) {
        self.iter_mut().for_each(|file| file.open(frame, how));
    }

    fn steps(&mut self, steps: u64) {
        self.iter_mut().for_each(|file| file.steps(steps));
    }

    fn close(&mut self, how: Closed) {
        self.iter_mut().for_each(|file| file.close(how));
    }

    fn leaf(&mut self, frame: Frame) {
        self.iter_mut().for_each(|file| file.leaf(frame));
    }

    fn note(&mut self, text: &str) {
        self.iter_mut().for_each(|file| file.note(text));
    }

    fn thread_ends(&mut self) {
        self.iter_mut().for_each(|file| file.thread_ends());
    }

    fn finish(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|file| file.finish())
    }
}

/// A sink that may be absent.
impl<S: FrameSink> FrameSink for Option<S> {
    fn process(&mut self, process: &Process) {
        self.iter_mut().for_each(|s| s.process(process));
    }

    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.iter_mut().for_each(|s| s.thread(process, thread));
    }

    fn top_level(&mut self, at: WallTime) {
        self.iter_mut().for_each(|s| s.top_level(at));
    }

    fn clock(&mut self, us: u64) {
        self.iter_mut().for_each(|s| s.clock(us));
    }

    #[inline]
    fn open(&mut self, frame: Frame, how: Opened) {
        self.iter_mut().for_each(|s| s.open(frame, how));
    }

    #[inline]
    fn steps(&mut self, steps: u64) {
        self.iter_mut().for_each(|s| s.steps(steps));
    }

    #[inline]
    fn close(&mut self, how: Closed) {
        self.iter_mut().for_each(|s| s.close(how));
    }

    #[inline]
    fn leaf(&mut self, frame: Frame) {
        self.iter_mut().for_each(|s| s.leaf(frame));
    }

    fn note(&mut self, text: &str) {
        self.iter_mut().for_each(|s| s.note(text));
    }

    fn thread_ends(&mut self) {
        self.iter_mut().for_each(FrameSink::thread_ends);
    }

    fn finish(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(FrameSink::finish)
    }
}

/// Two sinks, called in order.
impl<A: FrameSink, B: FrameSink> FrameSink for (A, B) {
    fn process(&mut self, process: &Process) {
        self.0.process(process);
        self.1.process(process);
    }

    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.0.thread(process, thread);
        self.1.thread(process, thread);
    }

    fn top_level(&mut self, at: WallTime) {
        self.0.top_level(at);
        self.1.top_level(at);
    }

    fn clock(&mut self, us: u64) {
        self.0.clock(us);
        self.1.clock(us);
    }

    #[inline]
    fn open(&mut self, frame: Frame, how: Opened) {
        self.0.open(frame, how);
        self.1.open(frame, how);
    }

    #[inline]
    fn steps(&mut self, steps: u64) {
        self.0.steps(steps);
        self.1.steps(steps);
    }

    #[inline]
    fn close(&mut self, how: Closed) {
        self.0.close(how);
        self.1.close(how);
    }

    #[inline]
    fn leaf(&mut self, frame: Frame) {
        self.0.leaf(frame);
        self.1.leaf(frame);
    }

    fn note(&mut self, text: &str) {
        self.0.note(text);
        self.1.note(text);
    }

    fn thread_ends(&mut self) {
        self.0.thread_ends();
        self.1.thread_ends();
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.finish()?;
        self.1.finish()
    }
}
