//! Carries an app's baseline profile over to the rewritten DEX files.
//!
//! A baseline profile lists methods and classes that a device compiles ahead of time. It names them
//! by checksums and indices of DEX files, and a rewritten DEX file has others.
//! [`OldProfiles::read`] finds the names before the rewrite, [`OldProfiles::carry`] writes them for
//! the new DEX files: a method that moved to another DEX file takes its rules along, a clone gets
//! those of its original. The runtime's own methods on the probe path are added, as hot; and so are
//! the methods that ran in the model's sessions, because interpreted probes are slow.
//!
//! Modules: `names` (rules by names), `dex_names` (names in a new DEX file), `keys` (the names by
//! which profiles name DEX files), `builder` (a profile for new DEX files), `runtime_rules`.

mod builder;
mod dex_names;
mod keys;
mod names;
mod runtime_rules;

use apk::{Apk, AppSet, NewEntry};
use artprofile::{ArtProfile, Metadata, MethodFlags};
use serde::Serialize;

use crate::packages::PackageDex;
use crate::probes::runtime::BuildPackage;
use crate::warnings::Warning;
use builder::ProfileBuilder;
use dex_names::NewFiles;
use names::{ClassName, Entry, NamedRules, named_rules};

pub(crate) use names::RanMethod;

/// Flags of a method that runs often, at any time.
const HOT: MethodFlags =
    MethodFlags::HOT.union(MethodFlags::STARTUP).union(MethodFlags::POST_STARTUP);
/// Largest number of lost rules that a report names.
const NAMED: usize = 1000;

/// Counts of the baseline profiles of an app.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BaselineReport {
    /// Number of profiles: one a package that has one.
    pub profiles: usize,
    /// Number of rules before: one a method, one a class.
    pub rules: usize,
    /// Number of these rules that the new profiles have.
    pub carried: usize,
    /// Number of rules that were added for the runtime and for clones.
    pub added: usize,
    /// Number of rules that were added for methods and classes that ran in the model's sessions.
    pub of_model: usize,
    /// Methods and classes whose rules are lost, at most 1,000.
    pub lost: Vec<String>,
    /// Number of inline caches that were left out: they name positions in the old code.
    pub inline_caches: usize,
}

/// A dex file of the new app.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewDex<'a> {
    /// Number of its package: the first of its split.
    pub package: usize,
    pub entry: &'a NewEntry,
}

/// The profile of one package.
struct PackageProfile {
    /// Number of the package.
    number: usize,
    /// First package of the same split, which has the same DEX files.
    first: usize,
    files: apk::BaselineFiles,
    profile: ArtProfile,
    metadata: Option<Metadata>,
    rules: NamedRules,
}

/// The baseline profiles of an app before it is rewritten.
#[derive(Default)]
pub(crate) struct OldProfiles {
    profiles: Vec<PackageProfile>,
    warnings: Vec<Warning>,
}

/// Entries to replace, by number of the package; and a report.
#[derive(Default)]
pub(crate) struct CarriedProfiles {
    pub entries: Vec<(usize, NewEntry)>,
    pub report: Option<BaselineReport>,
    pub warnings: Vec<Warning>,
}

impl OldProfiles {
    /// Reads the profiles of all packages, with the names of their rules. A profile that cannot be
    /// read gives a warning.
    pub fn read(set: &AppSet, dex: &PackageDex) -> OldProfiles {
        let mut all = OldProfiles::default();
        for (number, package) in set.packages().iter().enumerate() {
            match read_one(number, package, set, dex) {
                Ok(Some((profile, warning))) => {
                    all.profiles.push(profile);
                    all.warnings.extend(warning);
                }
                Ok(None) => {}
                Err(problem) => all.warnings.push(dropped(package, &problem)),
            }
        }
        all
    }

    /// Writes the profiles for the new DEX files. Methods that `ran` in the model's sessions become
    /// hot. The runtime's rules go to the `host`, which has its classes.
    pub fn carry(
        self,
        new: &[NewDex<'_>],
        ran: &[RanMethod],
        host: usize,
        build: Option<&BuildPackage>,
    ) -> CarriedProfiles {
        let OldProfiles { profiles, warnings } = self;
        let mut carried = CarriedProfiles { warnings, ..CarriedProfiles::default() };
        if profiles.is_empty() {
            return carried;
        }
        let mut report = BaselineReport { profiles: profiles.len(), ..BaselineReport::default() };
        let mut files = NewFiles::new(new);
        let mut builders: Vec<ProfileBuilder> =
            profiles.iter().map(|p| ProfileBuilder::new(&p.profile, p.first, new)).collect();
        for (own, old) in profiles.iter().enumerate() {
            report.rules += old.profile.rules();
            report.inline_caches += old.profile.inline_caches;
            // A profile's rules stay in it; only a class that moved to another package needs that
            // package's profile.
            let owner = |package: usize| match package == old.first {
                true => Some(own),
                false => profiles.iter().position(|p| p.first == package),
            };
            let mut carry = Carry { files: &mut files, builders: &mut builders, build };
            carry.methods(old, &owner, &mut report);
            carry.classes(old, &owner, &mut report);
        }
        let owner = |package: usize| profiles.iter().position(|p| p.first == package);
        let mut carry = Carry { files: &mut files, builders: &mut builders, build };
        report.of_model = ran.iter().map(|ran| carry.ran(ran, &owner)).sum();
        if let Some(build) = build {
            for (own, _) in profiles.iter().enumerate().filter(|(_, p)| p.first == host) {
                report.added += runtime_rules::add(&mut files, host, build, &mut builders[own]);
            }
        }
        for (old, builder) in profiles.into_iter().zip(builders) {
            match builder.finish(&old.files, old.metadata.as_ref(), new, &mut files) {
                Ok(entries) => carried.entries.extend(entries.into_iter().map(|e| (old.number, e))),
                Err(problem) => carried.warnings.push(Warning::BaselineProfile {
                    file: old.files.profile.name.clone(),
                    problem: problem.to_string(),
                }),
            }
        }
        report.lost.truncate(NAMED);
        carried.report = Some(report);
        carried
    }
}

/// Adds the rules of one profile to the new ones.
struct Carry<'a, 'b> {
    files: &'a mut NewFiles<'b>,
    builders: &'a mut [ProfileBuilder],
    build: Option<&'a BuildPackage>,
}

impl Carry<'_, '_> {
    /// Adds a method that ran, its clone and its class. Returns the number of new rules: none if no
    /// profile can name the method.
    fn ran(&mut self, ran: &RanMethod, owner: &dyn Fn(usize) -> Option<usize>) -> usize {
        let (old, package) =
            (Entry { position: ran.position, defines: true }, self.files.package(ran.position));
        let Some(place) = self.files.method(package, old, &ran.method) else { return 0 };
        let Some(builder) = owner(self.files.package(place.file)) else { return 0 };
        let clone = self.build.map(|build| ran.method.clone_in(build));
        let clone = clone.and_then(|clone| self.files.method_in(place.file, &clone));
        let builder = &mut self.builders[builder];
        let methods = [Some(place), clone].into_iter().flatten();
        let added = methods.filter(|&m| builder.add_method(m, HOT) == Some(true)).count();
        let class = ClassName(ran.method.class.clone());
        let Some(class) = self.files.class(package, old, &class) else { return added };
        builder.add_definition(class);
        added + usize::from(builder.add_class(class) == Some(true))
    }

    fn methods(
        &mut self,
        old: &PackageProfile,
        owner: &dyn Fn(usize) -> Option<usize>,
        report: &mut BaselineReport,
    ) {
        for rule in &old.rules.methods {
            let place = self.files.method(old.first, rule.file, &rule.method);
            let builder = place.and_then(|p| Some((p, owner(self.files.package(p.file))?)));
            let Some((place, builder)) = builder else {
                report.lost.push(rule.method.to_string());
                continue;
            };
            if self.builders[builder].add_method(place, rule.flags).is_none() {
                report.lost.push(rule.method.to_string());
                continue;
            }
            report.carried += 1;
            let clone = self.build.map(|build| rule.method.clone_in(build));
            let clone = clone.and_then(|clone| self.files.method_in(place.file, &clone));
            let added =
                clone.and_then(|clone| self.builders[builder].add_method(clone, rule.flags));
            report.added += usize::from(added == Some(true));
        }
        report.lost.extend(old.rules.unknown.iter().cloned());
    }

    fn classes(
        &mut self,
        old: &PackageProfile,
        owner: &dyn Fn(usize) -> Option<usize>,
        report: &mut BaselineReport,
    ) {
        for rule in &old.rules.classes {
            let place = self.files.class(old.first, rule.file, &rule.class);
            let builder = place.and_then(|p| Some((p, owner(self.files.package(p.file))?)));
            let added = match builder {
                Some((place, builder)) => self.builders[builder].add_class(place).is_some(),
                None => false,
            };
            match added {
                true => report.carried += 1,
                false => report.lost.push(rule.class.to_string()),
            }
        }
        for rule in &old.rules.definitions {
            let place = self.files.class(old.first, rule.file, &rule.class);
            let builder = place.and_then(|p| Some((p, owner(self.files.package(p.file))?)));
            if let Some((place, builder)) = builder {
                self.builders[builder].add_definition(place);
            }
        }
    }
}

fn dropped(package: &Apk, problem: &str) -> Warning {
    let file = format!("{}: {}", package.file(), apk::BASELINE_PROFILE);
    Warning::BaselineProfile { file, problem: problem.to_owned() }
}

/// Reads the profile of a package, and a warning if its metadata is damaged.
fn read_one(
    number: usize,
    package: &Apk,
    set: &AppSet,
    dex: &PackageDex,
) -> Result<Option<(PackageProfile, Option<Warning>)>, String> {
    let files = package.baseline_files().map_err(|e| e.fault.to_string())?;
    let Some(mut files) = files else { return Ok(None) };
    let profile = ArtProfile::read(&files.profile.bytes).map_err(|e| e.to_string())?;
    let metadata = files.metadata.as_ref().map(|entry| Metadata::read(&entry.bytes)).transpose();
    let (metadata, warning) = match metadata {
        Ok(metadata) => (metadata, None),
        Err(problem) => {
            let file = files.metadata.take().map_or(String::new(), |entry| entry.name);
            (None, Some(Warning::BaselineProfile { file, problem: problem.to_string() }))
        }
    };
    let first = set.first_of(number);
    let rules = named_rules(&profile, metadata.as_ref(), first, dex)?;
    Ok(Some((PackageProfile { number, first, files, profile, metadata, rules }, warning)))
}
