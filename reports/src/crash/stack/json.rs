//! Stack traces in JSON: exports of Android Studio, reports of ACRA and Play, events of Sentry,
//! lines of collectors.
//!
//! The elements of a list are events; each is read and dropped before the next one. An event is
//! searched for Sentry's form first ([`super::sentry`]). All other strings that may belong to a
//! stack trace are read as text. The rest of an event is not kept.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer, Map, Value};

use super::elements::{MAX_STACKS, MAX_VALUES, Stack, StackError, throwable};
use super::lines::{StackReader, TextOrigin};
use super::logcat::LineWriter;
use super::sentry;

/// Keys whose lists belong to one event.
const PARTS: [&str; 5] = ["entries", "exception", "frames", "threads", "values"];
/// Keys whose values name the origin of a text, or belong to Sentry's form.
const NAMED: [&str; 24] = [
    "applicationId",
    "app_identifier",
    "crashed",
    "filename",
    "function",
    "id",
    "lineNo",
    "lineno",
    "module",
    "name",
    "pid",
    "process",
    "processName",
    "process_id",
    "tag",
    "threadId",
    "thread_id",
    "tid",
    "type",
    "value",
    "packageName",
    "package",
    "PACKAGE_NAME",
    "title",
];
/// Notes before an exception, in Sentry's form: none of them is the exception.
const LEFT_OUT: &str = "breadcrumbs";

/// Returns the stack traces of a text that is JSON, or has lines that are; `None` for other text.
///
/// # Errors
/// Too many stack traces, or an event that is too large.
pub(super) fn read(text: &str) -> Result<Option<Vec<Stack>>, StackError> {
    if !text.trim_start().starts_with(['{', '[']) {
        return Ok(None);
    }
    match documents(text)? {
        Some(found) => Ok(Some(found)),
        None => lines(text),
    }
}

/// Reads documents, one after the other; `None` if the text is something else.
fn documents(text: &str) -> Result<Option<Vec<Stack>>, StackError> {
    let mut found = JsonStacks::default();
    let mut documents = Deserializer::from_str(text);
    while documents.end().is_err() {
        if !found.document(&mut documents)? {
            return Ok(None);
        }
    }
    found.finish().map(Some)
}

/// Reads lines that are JSON among others: an envelope of Sentry, the output of collectors. `None`
/// if no line is JSON.
fn lines(text: &str) -> Result<Option<Vec<Stack>>, StackError> {
    let mut found = JsonStacks::default();
    let mut any = false;
    for line in text.lines() {
        let is_json =
            line.starts_with(['{', '[']) && found.document(&mut Deserializer::from_str(line))?;
        any |= is_json;
        if !is_json {
            found.reader.line(line)?;
        }
    }
    if any { found.finish().map(Some) } else { Ok(None) }
}

/// Stack traces so far.
#[derive(Default)]
struct JsonStacks {
    reader: StackReader,
    /// Stack traces in Sentry's form.
    events: Vec<Stack>,
    /// Number of values that are kept at this time.
    values: usize,
    /// Error that ends the reading.
    error: Option<StackError>,
}

impl JsonStacks {
    /// Reads a document. Returns false if it is not JSON, or nested deeper than any event.
    fn document<'de>(
        &mut self,
        input: &mut Deserializer<serde_json::de::StrRead<'de>>,
    ) -> Result<bool, StackError> {
        let read = PartialValue { found: self, key: "" }.deserialize(input);
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Ok(value) = read else { return Ok(false) };
        self.event(&value, TextOrigin::default())?;
        self.values = 0;
        Ok(true)
    }

    /// Reads the kept parts of a value.
    fn event(&mut self, value: &Value, origin: TextOrigin<'_>) -> Result<(), StackError> {
        match value {
            Value::String(text) => self.reader.text(origin, text),
            Value::Array(values) => values.iter().try_for_each(|v| self.event(v, origin)),
            Value::Object(values) => self.object(value, values, origin),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    fn object(
        &mut self,
        value: &Value,
        values: &Map<String, Value>,
        around: TextOrigin<'_>,
    ) -> Result<(), StackError> {
        let stacks = sentry::stacks(value, self.reader.next_number())?;
        if !stacks.is_empty() {
            self.events.extend(stacks);
            return if self.events.len() > MAX_STACKS { Err(StackError::TooMany) } else { Ok(()) };
        }
        let ids = ["pid", "tid"].map(|key| text_at(values, &[key]));
        let [pid, tid] = ids.each_ref().map(|id| id.as_deref().unwrap_or_default());
        let tag = text_at(values, &["tag"]);
        let process = text_at(
            values,
            &["processName", "applicationId", "process", "packageName", "PACKAGE_NAME"],
        );
        let writer = LineWriter { pid, tid, tag: tag.as_deref().unwrap_or_default() };
        let origin = TextOrigin {
            writer: if writer == LineWriter::default() { around.writer } else { writer },
            process: process.as_deref().or(around.process),
            key: around.key,
        };
        let mut inside =
            values.iter().filter(|(key, _)| !NAMED.contains(&key.as_str()) || *key == "value");
        inside.try_for_each(|(key, value)| self.event(value, TextOrigin { key, ..origin }))
    }

    fn finish(self) -> Result<Vec<Stack>, StackError> {
        let mut stacks = self.reader.finish()?;
        stacks.extend(self.events);
        stacks.sort_by_key(|s| s.line);
        if stacks.len() > MAX_STACKS { Err(StackError::TooMany) } else { Ok(stacks) }
    }
}

/// Returns a name or number of an object, or of its `header`.
fn text_at<'v>(values: &'v Map<String, Value>, keys: &[&str]) -> Option<Cow<'v, str>> {
    let header = values.get("header").and_then(Value::as_object);
    let found = keys
        .iter()
        .find_map(|key| values.get(*key).or_else(|| header.and_then(|h| h.get(*key))))?;
    match found {
        Value::String(text) => Some(text.into()),
        Value::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}

/// Returns true if a text may belong to a stack trace.
fn is_text(text: &str) -> bool {
    let begin = text.trim_start();
    text.contains("at ")
        || text.contains("FATAL EXCEPTION")
        || ["Caused by", "Process: ", "... "].iter().any(|word| begin.starts_with(word))
        || begin.lines().next().is_some_and(|line| throwable(line).is_some())
}

/// A value that is being read. Strings that may belong to a stack trace are kept; `Null` replaces
/// the rest.
struct PartialValue<'f> {
    found: &'f mut JsonStacks,
    /// Key in the innermost object.
    key: &'f str,
}

impl PartialValue<'_> {
    fn is_named(&self) -> bool {
        NAMED.contains(&self.key)
    }

    /// Reads an element of a list: an event, or a part of one.
    fn element<E: serde::de::Error>(&mut self, value: Value) -> Result<Option<Value>, E> {
        if value.is_null() {
            return Ok(None);
        }
        if value.is_object() && !PARTS.contains(&self.key) {
            let read =
                self.found.event(&value, TextOrigin { key: self.key, ..TextOrigin::default() });
            self.found.values = self.found.values.saturating_sub(count(&value));
            return self.checked(read).map(|()| None);
        }
        Ok(Some(value))
    }

    fn kept<E: serde::de::Error>(&mut self, value: Value) -> Result<Value, E> {
        self.found.values += 1;
        let is_full = self.found.values > MAX_VALUES;
        self.checked::<E>(if is_full { Err(StackError::TooLargeJson) } else { Ok(()) })?;
        Ok(value)
    }

    fn checked<E: serde::de::Error>(&mut self, read: Result<(), StackError>) -> Result<(), E> {
        read.map_err(|error| {
            let text = E::custom(&error);
            self.found.error = Some(error);
            text
        })
    }
}

/// Returns the number of values that a value consists of.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(values) => values.values().map(count).sum(),
        _ => 0,
    }
}

impl<'de> DeserializeSeed<'de> for PartialValue<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PartialValue<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: serde::de::Error>(mut self, value: bool) -> Result<Value, E> {
        if self.is_named() { self.kept(value.into()) } else { Ok(Value::Null) }
    }

    fn visit_i64<E: serde::de::Error>(mut self, value: i64) -> Result<Value, E> {
        if self.is_named() { self.kept(value.into()) } else { Ok(Value::Null) }
    }

    fn visit_u64<E: serde::de::Error>(mut self, value: u64) -> Result<Value, E> {
        if self.is_named() { self.kept(value.into()) } else { Ok(Value::Null) }
    }

    fn visit_str<E: serde::de::Error>(mut self, text: &str) -> Result<Value, E> {
        if self.is_named() || is_text(text) { self.kept(text.into()) } else { Ok(Value::Null) }
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut input: A) -> Result<Value, A::Error> {
        let mut kept = Vec::new();
        loop {
            let part = PartialValue { found: &mut *self.found, key: self.key };
            let Some(value) = input.next_element_seed(part)? else { break };
            kept.extend(self.element::<A::Error>(value)?);
        }
        if kept.is_empty() { Ok(Value::Null) } else { self.kept(kept.into()) }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut input: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = input.next_key::<Cow<'de, str>>()? {
            let value =
                input.next_value_seed(PartialValue { found: &mut *self.found, key: &key })?;
            if !value.is_null() && key != LEFT_OUT {
                kept.insert(key.into_owned(), value);
            }
        }
        if kept.is_empty() { Ok(Value::Null) } else { self.kept(kept.into()) }
    }
}
