//! Stack traces in JSON: exports of Android Studio, reports of ACRA and Play, events of Sentry,
//! lines of collectors.
//!
//! Elements of a list are events; each is read and forgotten before the next one. In an event,
//! Sentry's form is looked for first ([`super::sentry`]); all other strings that may be part of a
//! stack trace are text. What else an event holds is not kept.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer, Map, Value};

use super::elements::{MAX_STACKS, MAX_VALUES, Stack, StackError, throwable};
use super::lines::{Origin, Reader};
use super::logcat::Writer;
use super::sentry;

/// Keys whose lists are parts of one event.
const PARTS: [&str; 5] = ["entries", "exception", "frames", "threads", "values"];
/// Keys whose values say where a text comes from, or are part of Sentry's form.
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
/// Notes of what came before an exception, in Sentry's form: none of them is the exception.
const LEFT_OUT: &str = "breadcrumbs";

/// Stack traces of a text that is JSON, or has lines that are; `None` for all other text.
///
/// # Errors
/// Too many, or an event that is too large.
pub(super) fn read(text: &str) -> Result<Option<Vec<Stack>>, StackError> {
    if !text.trim_start().starts_with(['{', '[']) {
        return Ok(None);
    }
    match documents(text)? {
        Some(found) => Ok(Some(found)),
        None => lines(text),
    }
}

/// Documents one after the other; `None` if the text is something else.
fn documents(text: &str) -> Result<Option<Vec<Stack>>, StackError> {
    let mut found = Found::default();
    let mut documents = Deserializer::from_str(text);
    while documents.end().is_err() {
        if !found.document(&mut documents)? {
            return Ok(None);
        }
    }
    found.finish().map(Some)
}

/// Lines that are JSON among others: an envelope of Sentry, the output of collectors. `None` if no
/// line is JSON.
fn lines(text: &str) -> Result<Option<Vec<Stack>>, StackError> {
    let mut found = Found::default();
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

/// What has been found.
#[derive(Default)]
struct Found {
    reader: Reader,
    /// Stack traces in Sentry's form.
    events: Vec<Stack>,
    /// Values that are kept at this time.
    values: usize,
    /// Ends the reading.
    error: Option<StackError>,
}

impl Found {
    /// Reads a document. Returns false if it is no JSON, or nested deeper than any event is.
    fn document<'de>(
        &mut self,
        input: &mut Deserializer<serde_json::de::StrRead<'de>>,
    ) -> Result<bool, StackError> {
        let read = Part { found: self, key: "" }.deserialize(input);
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Ok(value) = read else { return Ok(false) };
        self.event(&value, Origin::default())?;
        self.values = 0;
        Ok(true)
    }

    /// Reads what was kept of a value.
    fn event(&mut self, value: &Value, origin: Origin<'_>) -> Result<(), StackError> {
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
        around: Origin<'_>,
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
        let writer = Writer { pid, tid, tag: tag.as_deref().unwrap_or_default() };
        let origin = Origin {
            writer: if writer == Writer::default() { around.writer } else { writer },
            process: process.as_deref().or(around.process),
            key: around.key,
        };
        let mut inside =
            values.iter().filter(|(key, _)| !NAMED.contains(&key.as_str()) || *key == "value");
        inside.try_for_each(|(key, value)| self.event(value, Origin { key, ..origin }))
    }

    fn finish(self) -> Result<Vec<Stack>, StackError> {
        let mut stacks = self.reader.finish()?;
        stacks.extend(self.events);
        stacks.sort_by_key(|s| s.line);
        if stacks.len() > MAX_STACKS { Err(StackError::TooMany) } else { Ok(stacks) }
    }
}

/// A name or number of an object, or of its `header`.
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

/// Tests if a text may be, or belong to, a stack trace.
fn is_text(text: &str) -> bool {
    let begin = text.trim_start();
    text.contains("at ")
        || text.contains("FATAL EXCEPTION")
        || ["Caused by", "Process: ", "... "].iter().any(|word| begin.starts_with(word))
        || begin.lines().next().is_some_and(|line| throwable(line).is_some())
}

/// A value that is being read: what may belong to a stack trace is kept, `Null` stands for the rest.
struct Part<'f> {
    found: &'f mut Found,
    /// Key in the innermost object.
    key: &'f str,
}

impl Part<'_> {
    fn is_named(&self) -> bool {
        NAMED.contains(&self.key)
    }

    /// Reads an element of a list: an event, or a part of one.
    fn element<E: serde::de::Error>(&mut self, value: Value) -> Result<Option<Value>, E> {
        if value.is_null() {
            return Ok(None);
        }
        if value.is_object() && !PARTS.contains(&self.key) {
            let read = self.found.event(&value, Origin { key: self.key, ..Origin::default() });
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

/// Values that a value consists of.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(values) => values.values().map(count).sum(),
        _ => 0,
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, input: D) -> Result<Value, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
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
            let part = Part { found: &mut *self.found, key: self.key };
            let Some(value) = input.next_element_seed(part)? else { break };
            kept.extend(self.element::<A::Error>(value)?);
        }
        if kept.is_empty() { Ok(Value::Null) } else { self.kept(kept.into()) }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut input: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = input.next_key::<Cow<'de, str>>()? {
            let value = input.next_value_seed(Part { found: &mut *self.found, key: &key })?;
            if !value.is_null() && key != LEFT_OUT {
                kept.insert(key.into_owned(), value);
            }
        }
        if kept.is_empty() { Ok(Value::Null) } else { self.kept(kept.into()) }
    }
}
