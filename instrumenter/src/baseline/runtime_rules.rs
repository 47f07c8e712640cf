//! Rules for the runtime's own classes.

use artprofile::MethodFlags;
use dex::Dex;

use super::HOT;
use super::builder::ProfileBuilder;
use super::dex_names::{MethodPlace, NewFiles};
use super::names::{ClassName, Entry};
use crate::probes::runtime::{BuildPackage, PACKAGE};

/// Classes whose methods run at branches, calls and returns. The other classes of the runtime run
/// when a process starts, and rarely afterwards.
const ON_PROBE_PATH: [&str; 15] = [
    "Adapt",
    "Coder",
    "CountCells",
    "CountPage",
    "Counts",
    "Events",
    "HitCells",
    "Hits",
    "Packed",
    "Pap",
    "Probes",
    "Restarts",
    "Slots",
    "Start",
    "State",
];

/// Adds the classes of the runtime of a build, and their methods that have code. Returns the number
/// of rules.
pub(super) fn add(
    files: &mut NewFiles<'_>,
    host: usize,
    build: &BuildPackage,
    builder: &mut ProfileBuilder,
) -> usize {
    let mut added = 0;
    // The runtime is in a file of its own, which is the last, or in the first.
    let last = files.len().saturating_sub(1);
    for file in if last == 0 { vec![0] } else { vec![last, 0] } {
        if files.package(file) != host {
            continue;
        }
        let (classes, methods) = files.dex(file).map(|dex| of_file(dex, build)).unwrap_or_default();
        for class in &classes {
            let Some(place) = files.class(host, Entry { position: file, defines: true }, class)
            else {
                continue;
            };
            added += usize::from(builder.add_class(place) == Some(true));
            builder.add_definition(place);
        }
        for (index, flags) in methods {
            added +=
                usize::from(builder.add_method(MethodPlace { file, index }, flags) == Some(true));
        }
        if !classes.is_empty() {
            break;
        }
    }
    added
}

/// Returns the classes of a build's runtime in a file, and their methods with flags.
fn of_file(dex: &Dex, build: &BuildPackage) -> (Vec<ClassName>, Vec<(u16, MethodFlags)>) {
    let (mut classes, mut methods) = (Vec::new(), Vec::new());
    for class in &dex.classes {
        let name = dex.type_name(class.ty);
        if !build.owns(&name) {
            continue;
        }
        classes.push(ClassName(
            dex.strings.items()[dex.types.items()[class.ty.index()].index()].clone(),
        ));
        let flags = if is_on_probe_path(&name, build) { HOT } else { MethodFlags::STARTUP };
        let with_code = class.methods().filter(|method| method.code.is_some());
        let indices = with_code.filter_map(|method| u16::try_from(method.method.index()).ok());
        methods.extend(indices.map(|index| (index, flags)));
    }
    (classes, methods)
}

fn is_on_probe_path(descriptor: &str, build: &BuildPackage) -> bool {
    ON_PROBE_PATH.iter().any(|class| build.name(&format!("{PACKAGE}{class};")) == descriptor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::runtime::RUNTIME_DEX;

    #[test]
    fn every_class_on_the_probe_path_is_one_of_the_runtime() {
        let dex = Dex::read(RUNTIME_DEX).expect("reads");
        let classes: Vec<_> = dex.classes.iter().map(|c| dex.type_name(c.ty)).collect();
        for class in ON_PROBE_PATH {
            assert!(classes.iter().any(|c| *c == format!("{PACKAGE}{class};")), "{class}");
        }
    }
}
