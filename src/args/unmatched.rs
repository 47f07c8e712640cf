//! Filters of the command line that match nothing: an error that shows what there is.

use decoder::log::Process;
use reports::Unmatched;

use super::near;
use crate::error::Result;
use crate::outputs::print::note;

/// The number of names that a message lists if none is similar.
const LISTED: usize = 5;

/// Fails if no pattern matches; notes one that does not beside others that do.
pub fn check(unmatched: Option<Unmatched>) -> Result {
    match unmatched {
        Some(unmatched) if unmatched.others_match => {
            note(format_args!("warning: {}", wording(&unmatched)));
            Ok(())
        }
        Some(unmatched) => Err(wording(&unmatched).into()),
        None => Ok(()),
    }
}

/// Words the error.
fn wording(unmatched: &Unmatched) -> String {
    let Unmatched { noun, pattern, names, .. } = unmatched;
    let wanted = pattern.replace('*', "");
    let near = near::names(&wanted, names.iter().map(String::as_str));
    let plural = if *noun == "class" { "classes".to_owned() } else { format!("{noun}s") };
    let shown = match &near[..] {
        [] if names.is_empty() => format!("there are no {plural}"),
        [] if names.len() <= LISTED => format!("{plural}: {}", names.join(", ")),
        [] => {
            let left = names.len() - LISTED;
            format!("{plural}: {} and {left} more", names[..LISTED].join(", "))
        }
        near => format!("near: {}", near.join(", ")),
    };
    format!("no {noun} matches {pattern}; {shown}")
}

/// Threads of all processes that were read, to compare with those that were asked for.
pub struct Threads<'a> {
    asked: &'a [String],
    names: Vec<String>,
    numbers: Vec<String>,
}

impl<'a> Threads<'a> {
    /// Looks for these names and numbers.
    pub fn new(asked: &'a [String]) -> Threads<'a> {
        Threads { asked, names: Vec::new(), numbers: Vec::new() }
    }

    /// Notes the threads of a process.
    pub fn see(&mut self, process: &Process) {
        if self.asked.is_empty() {
            return;
        }
        for thread in &process.threads {
            self.add(thread.number, thread.name.as_deref());
        }
    }

    /// Notes a thread.
    pub fn add(&mut self, number: u32, name: Option<&str>) {
        let number = number.to_string();
        if !self.numbers.contains(&number) {
            self.numbers.push(number);
        }
        if let Some(name) = name.filter(|name| !self.names.iter().any(|known| known == name)) {
            self.names.push(name.to_owned());
        }
    }

    /// Fails if a thread that was asked for is none of those.
    pub fn check(self) -> Result {
        let is_number = |pattern: &String| self.numbers.contains(pattern);
        let asked: Vec<String> = self.asked.iter().filter(|t| !is_number(t)).cloned().collect();
        let names = match self.names.is_empty() {
            true => self.numbers.clone(),
            false => self.names,
        };
        let unmatched = Unmatched::first("thread", &asked, names, |pattern, name| pattern == name);
        let others = asked.len() < self.asked.len();
        check(unmatched.map(|u| Unmatched { others_match: u.others_match || others, ..u }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worded(pattern: &str, names: &[&str]) -> String {
        let names = names.iter().map(|name| (*name).to_owned());
        let unmatched = Unmatched::first("class", &[pattern.to_owned()], names, |a, b| a == b);
        wording(&unmatched.expect("nothing matches"))
    }

    #[test]
    fn similar_names_are_shown_else_the_first() {
        let names = ["a.Settings", "a.Setup", "b.Network"];
        let text = worded("Setings", &names);
        assert_eq!(text, "no class matches Setings; near: a.Settings");
        let text = worded("*Zygote*", &names);
        assert_eq!(text, "no class matches *Zygote*; classes: a.Settings, a.Setup, b.Network");
        let many = ["1", "2", "3", "4", "5", "6", "7"];
        let text = worded("Zygote", &many);
        assert_eq!(text, "no class matches Zygote; classes: 1, 2, 3, 4, 5 and 2 more");
        assert_eq!(worded("Zygote", &[]), "no class matches Zygote; there are no classes");
    }
}
