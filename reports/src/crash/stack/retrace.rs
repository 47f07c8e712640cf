//! Stack traces with the names and lines of the source, as R8's Retrace gives them.

use model::mapping::{Frame, Line, Mapping};

use super::elements::{Element, MAX_FRAMES, Stack, Throwable};
use crate::dotted_name;

impl Stack {
    /// The stack trace as R8's mapping translates it. Frames that it does not know stay as they
    /// are, so one that was retraced before stays whole.
    pub fn retraced(self, mapping: &Mapping) -> Stack {
        let mut left = MAX_FRAMES;
        let of = |t: Throwable| {
            let class = format!("L{};", t.class.replace('.', "/"));
            let class = mapping.type_descriptor(&class);
            let frames = frames(&t.frames, &class, mapping, &mut left);
            Throwable { class: dotted_name(&class), frames, ..t }
        };
        Stack { throwables: self.throwables.into_iter().map(of).collect(), ..self }
    }
}

fn frames(all: &[Element], thrown: &str, mapping: &Mapping, left: &mut usize) -> Vec<Element> {
    let mut found = Vec::new();
    let mut outline = None;
    let mut thrown = Some(thrown);
    for element in all {
        let Element { class, method, line, .. } = element;
        let retraced = mapping.retrace(class, method, *line, outline.take());
        let Some(retraced) = retraced.filter(|_| *left > 0) else {
            found.push(element.clone());
            thrown = None;
            continue;
        };
        outline = retraced.outline;
        let shown = |f: &Frame<'_>, or: bool| {
            let line = match f.line {
                Line::None | Line::Between(..) => None,
                Line::At(line) => Some(line),
                Line::Same => *line,
            };
            let file = mapping.source_file(f.class, element.file.as_deref());
            Element { class: dotted_name(f.class), method: f.name.to_owned(), file, line, or }
        };
        let thrown = thrown.take();
        let mut choices = retraced.choices.iter().map(|c| c.shown(thrown));
        match choices.next() {
            None => {
                found.push(Element { class: dotted_name(&retraced.class), ..element.clone() });
            }
            Some(first) => {
                found.extend(first.iter().map(|f| shown(f, element.or)));
                // Of choices with inlined frames the first is taken.
                let single = choices.filter(|c| c.len() == 1 && first.len() == 1);
                found.extend(single.map(|c| shown(&c[0], true)));
            }
        }
        *left = left.saturating_sub(found.len().min(1 << 8));
    }
    found
}
