//! Events of Sentry: as an SDK sends them, in an envelope, and as the server returns them.
//! Source: <https://develop.sentry.dev/sdk/event-payloads/exception/> and `/stacktrace/`.

use serde_json::Value;

use super::elements::{
    MAX_FRAMES, Stack, StackElement, StackError, StackKind, Throwable, ThrowableRole,
};

/// Returns the stack traces of an event; none if it has another form.
///
/// # Errors
/// Too many frames.
pub(super) fn stacks(event: &Value, line: usize) -> Result<Vec<Stack>, StackError> {
    // The server returns a list of entries.
    let part = |name: &str| {
        let entries = event.get("entries").and_then(Value::as_array)?;
        let is = |e: &&Value| e.get("type").and_then(Value::as_str) == Some(name);
        entries.iter().find(is)?.get("data")
    };
    let values = |name: &str| {
        let found = event.get(name).or_else(|| part(name))?;
        found.get("values").unwrap_or(found).as_array()
    };
    let threads = values("threads").map(Vec::as_slice).unwrap_or_default();
    let pid = event.pointer("/contexts/app/process_id").and_then(number);
    let process = event.pointer("/contexts/app/app_identifier").and_then(text);
    let mut frames = 0;
    let mut found = Vec::new();
    // The cause comes first.
    let thrown = values("exception").map(Vec::as_slice).unwrap_or_default();
    let mut throwables = Vec::new();
    let mut moment = false;
    for (at, value) in thrown.iter().rev().enumerate() {
        let class = [text_of(value, "module"), text_of(value, "type")];
        let [module, name] = class.map(Option::unwrap_or_default);
        moment |= name == "ApplicationNotResponding";
        let class = if module.is_empty() { name } else { format!("{module}.{name}") };
        let role = if at == 0 { ThrowableRole::Thrown } else { ThrowableRole::Cause };
        let elements = elements(value, &mut frames)?;
        throwables.push(Throwable {
            class,
            message: text_of(value, "value"),
            role,
            frames: elements,
        });
    }
    if throwables.iter().any(|t| !t.frames.is_empty()) {
        let id = |v: &Value, key: &str| v.get(key).and_then(number);
        let of = thrown.last().and_then(|v| id(v, "thread_id").or_else(|| id(v, "threadId")));
        let is = |t: &&Value| of.is_some() && id(t, "id") == of;
        let crashed = |t: &&Value| t.get("crashed").and_then(Value::as_bool) == Some(true);
        let thread = threads.iter().find(is).or_else(|| threads.iter().find(crashed));
        let thread = thread.and_then(|t| text_of(t, "name"));
        let kind = if moment { StackKind::Moment } else { StackKind::Exception };
        found.push(Stack { kind, thread, process, pid, line, throwables });
        return Ok(found);
    }
    for thread in threads {
        let elements = elements(thread, &mut frames)?;
        if !elements.is_empty() {
            let throwables = vec![Throwable {
                class: String::new(),
                message: None,
                role: ThrowableRole::Thrown,
                frames: elements,
            }];
            let thread = text_of(thread, "name");
            let process = process.clone();
            found.push(Stack { kind: StackKind::Moment, thread, process, pid, line, throwables });
        }
    }
    Ok(found)
}

/// Returns the frames of an exception or thread, innermost first; an event has them reversed.
fn elements(value: &Value, count: &mut usize) -> Result<Vec<StackElement>, StackError> {
    let frames = value.pointer("/stacktrace/frames").and_then(Value::as_array);
    let mut found = Vec::new();
    for frame in frames.map(Vec::as_slice).unwrap_or_default().iter().rev() {
        let (Some(class), Some(method)) = (text_of(frame, "module"), text_of(frame, "function"))
        else {
            continue;
        };
        *count += 1;
        if *count > MAX_FRAMES {
            return Err(StackError::TooMany);
        }
        let file = text_of(frame, "filename").filter(|f| !f.is_empty());
        let line = frame.get("lineno").or_else(|| frame.get("lineNo")).and_then(number);
        let line = line.filter(|l| *l > 0);
        found.push(StackElement { class, method, file, line, or: false });
    }
    Ok(found)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn text_of(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(text)
}

/// Returns a number; servers write some as text.
fn number(value: &Value) -> Option<u32> {
    match value {
        Value::String(digits) => digits.parse().ok(),
        value => value.as_u64().and_then(|n| n.try_into().ok()),
    }
}
