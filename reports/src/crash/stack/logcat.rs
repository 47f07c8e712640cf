//! Prefixes of logcat lines, in any of `logcat`'s formats and in that of Android Studio. Source:
//! `android_log_formatLogLine` in `liblog/logprint.cpp`.

/// Writer of a line: process, thread and tag, as far as the format names them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct LineWriter<'t> {
    pub pid: &'t str,
    pub tid: &'t str,
    pub tag: &'t str,
}

/// Splits a line into its writer and the message; `None` for a line without such a prefix.
pub(super) fn split(line: &str) -> Option<(LineWriter<'_>, &str)> {
    let line = line.trim_end_matches(['\r', '\n']);
    brief(line).or_else(|| {
        let rest = times(line)?;
        brief(rest).or_else(|| thread_time(rest)).or_else(|| studio(rest))
    })
}

/// Returns the text after date and time (`11-22 06:50:58.501`), or seconds since an epoch.
fn times(line: &str) -> Option<&str> {
    let numbers = |token: &str, marks: &[char]| {
        token.starts_with(|c: char| c.is_ascii_digit())
            && token.chars().all(|c| c.is_ascii_digit() || marks.contains(&c))
    };
    let (first, rest) = token(line)?;
    let rest = if numbers(first, &['-']) && first.contains('-') {
        let (time, rest) = token(rest)?;
        (numbers(time, &[':', '.', ',']) && time.contains(':')).then_some(rest)?
    } else {
        (numbers(first, &['.']) && first.contains('.')).then_some(rest)?
    };
    match token(rest) {
        Some((zone, behind)) if zone.len() == 5 && zone.starts_with(['+', '-']) => Some(behind),
        _ => Some(rest),
    }
}

/// Splits `E/AndroidRuntime( 2159): message`, also without `( 2159)`; `E( 2159:2160) message
/// (tag)`.
fn brief(line: &str) -> Option<(LineWriter<'_>, &str)> {
    let line = line.trim_start();
    let rest = priority(line)?;
    if let Some(rest) = rest.strip_prefix('/') {
        let (before, message) = message(rest)?;
        let (tag, pid) = match before.rsplit_once('(') {
            Some((tag, pid)) => (tag, pid.strip_suffix(')')?.trim()),
            None => (before, ""),
        };
        return Some((LineWriter { pid, tid: "", tag: tag.trim() }, message));
    }
    let (ids, message) = rest.strip_prefix('(')?.split_once(") ")?;
    let (pid, tid) = ids.split_once(':').unwrap_or((ids, ""));
    let (pid, tid) = (pid.trim(), tid.trim());
    is_id(pid).then_some(())?;
    match message.strip_suffix(')').and_then(|m| m.rsplit_once("  (")) {
        Some((message, tag)) if tid.is_empty() => Some((LineWriter { pid, tid, tag }, message)),
        _ => Some((LineWriter { pid, tid, tag: "" }, message)),
    }
}

/// Splits `2159  2160 E AndroidRuntime: message`, optionally with a user id before it.
fn thread_time(line: &str) -> Option<(LineWriter<'_>, &str)> {
    let (mut ids, mut rest) = (Vec::new(), line);
    loop {
        let (next, behind) = token(rest)?;
        if next.len() == 1 && priority(next).is_some() {
            rest = behind;
            break;
        }
        if ids.len() == 3 || !(is_id(next) || ids.is_empty()) {
            return None;
        }
        ids.push(next);
        rest = behind;
    }
    let [.., pid, tid] = ids[..] else { return None };
    let (tag, message) = message(rest)?;
    is_id(pid).then_some((LineWriter { pid, tid, tag: tag.trim() }, message))
}

/// Splits `2159-2160  AndroidRuntime  org.example.tether  E  message`, and the form before 2022,
/// `2159-2160/org.example.tether E/AndroidRuntime: message`.
fn studio(line: &str) -> Option<(LineWriter<'_>, &str)> {
    let (ids, rest) = token(line)?;
    let (pid, tid) = ids.split_once('-')?;
    if let Some((tid, _)) = tid.split_once('/') {
        let (writer, message) = brief(rest)?;
        return (is_id(pid) && is_id(tid)).then_some((LineWriter { pid, tid, ..writer }, message));
    }
    let (tag, rest) = token(rest)?;
    let (_, rest) = token(rest)?;
    let rest = rest.trim_start();
    let message = priority(rest)?;
    (is_id(pid) && is_id(tid) && (message.is_empty() || message.starts_with(' ')))
        .then(|| (LineWriter { pid, tid, tag }, message.strip_prefix("  ").unwrap_or(message)))
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the text after the letter of a priority.
fn priority(text: &str) -> Option<&str> {
    text.strip_prefix(['V', 'D', 'I', 'W', 'E', 'F', 'A', 'S'])
}

/// Splits tag and message.
fn message(text: &str) -> Option<(&str, &str)> {
    text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, "")))
}

fn token(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}
