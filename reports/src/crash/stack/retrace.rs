//! Stack traces with the names and lines of the source, as R8's Retrace shows them.

use model::descriptors::dotted_name;
use model::mapping::{MappedFrame, MappedLine, Mapping, Retraced, Retracer};

use super::elements::{MAX_FRAMES, Stack, StackElement, Throwable};

/// Retraced stack traces.
#[derive(Debug)]
pub struct RetracedStacks {
    /// The stack traces, in the original order.
    pub stacks: Vec<Stack>,
    /// Number of frames that may be of more methods than are compared.
    pub ambiguous: usize,
    /// Number of frames that keep their names in the app because a limit of frames or time was
    /// reached.
    pub kept: usize,
}

impl Stack {
    /// Translates stack traces by R8's mapping. Frames that the mapping does not contain stay
    /// unchanged, so a stack trace that was retraced before stays complete.
    pub fn retrace_all(stacks: Vec<Stack>, mapping: &Mapping) -> RetracedStacks {
        let mut retracing = Retracing {
            mapping,
            retracer: Retracer::new(mapping),
            left: MAX_FRAMES,
            ambiguous: 0,
            kept: 0,
        };
        let stacks = stacks.into_iter().map(|stack| retracing.stack(stack)).collect();
        let Retracing { ambiguous, kept, .. } = retracing;
        RetracedStacks { stacks, ambiguous, kept }
    }
}

struct Retracing<'m> {
    mapping: &'m Mapping,
    retracer: Retracer<'m>,
    /// Number of frames that may still be added.
    left: usize,
    ambiguous: usize,
    kept: usize,
}

impl<'m> Retracing<'m> {
    fn stack(&mut self, stack: Stack) -> Stack {
        let throwables = stack.throwables.into_iter().map(|t| self.throwable(t));
        Stack { throwables: throwables.collect(), ..stack }
    }

    fn throwable(&mut self, throwable: Throwable) -> Throwable {
        let class = format!("L{};", throwable.class.replace('.', "/"));
        let class = self.mapping.type_descriptor(&class);
        let mut frames = Vec::new();
        let mut outline = None;
        let mut thrown = Some(&*class);
        for element in throwable.frames {
            let StackElement { class, method, line, .. } = &element;
            match self.retracer.retrace(class, method, *line, outline.take()) {
                None => frames.push(element),
                Some(retraced) => {
                    outline = retraced.outline;
                    self.frame(element, &retraced, thrown, &mut frames);
                }
            }
            thrown = None;
        }
        Throwable { class: dotted_name(&class), frames, ..throwable }
    }

    /// Adds the frames for a line of a stack trace.
    fn frame(
        &mut self,
        element: StackElement,
        retraced: &Retraced<'m>,
        thrown: Option<&str>,
        into: &mut Vec<StackElement>,
    ) {
        let mut choices = retraced.choices.iter().map(|c| c.shown(thrown));
        let Some(first) = choices.next() else {
            self.kept += usize::from(retraced.is_cut);
            return into.push(StackElement { class: dotted_name(&retraced.class), ..element });
        };
        // Of several choices with inlined frames, the first is taken.
        let single = choices.filter(|c| c.len() == 1 && first.len() == 1).map(|c| (&c[0], true));
        let all: Vec<_> = first.iter().map(|f| (f, element.or)).chain(single).collect();
        let Some(left) = self.left.checked_sub(all.len()) else {
            self.kept += 1;
            return into.push(element);
        };
        self.left = left;
        self.ambiguous += usize::from(retraced.is_cut);
        into.extend(all.into_iter().map(|(frame, or)| self.shown(&element, frame, or)));
    }

    fn shown(&self, element: &StackElement, frame: &MappedFrame<'_>, or: bool) -> StackElement {
        let line = match frame.line {
            MappedLine::None | MappedLine::Between(..) => None,
            MappedLine::At(line) => Some(line),
            MappedLine::Same => element.line,
        };
        let file = self.mapping.source_file(frame.class, element.file.as_deref());
        StackElement {
            class: dotted_name(frame.class),
            method: frame.name.to_owned(),
            file,
            line,
            or,
        }
    }
}
