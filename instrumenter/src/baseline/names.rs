//! Rules of a profile by names.

use std::collections::HashSet;
use std::fmt;

use artprofile::{ArtProfile, Metadata, MethodFlags};
use dex::{Dex, DexString, MethodIdx, Proto, TypeIdx};
use model::protocol::probes::STATE;

use crate::packages::PackageDex;
use crate::probes::runtime::BuildPackage;

/// A method by names, as a DEX file stores them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MethodName {
    pub class: DexString,
    pub name: DexString,
    pub return_type: DexString,
    pub parameters: Vec<DexString>,
}

/// A class by its descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassName(pub DexString);

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0.0))
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |s: &DexString| String::from_utf8_lossy(&s.0).into_owned();
        let parameters: String = self.parameters.iter().map(text).collect();
        let (class, name, result) = (text(&self.class), text(&self.name), text(&self.return_type));
        write!(f, "{class}->{name}({parameters}){result}")
    }
}

impl MethodName {
    /// Returns the name of the method's clone in this build ([`crate::plan::clones`]).
    pub fn clone_in(&self, build: &BuildPackage) -> MethodName {
        let mut clone = self.clone();
        clone.parameters.push(DexString(build.name(STATE).as_bytes().into()));
        clone
    }
}

/// A method that ran in the sessions of the model.
#[derive(Debug, Clone)]
pub(crate) struct RanMethod {
    /// Position of its old DEX file, which defines its class.
    pub(super) position: usize,
    pub(super) method: MethodName,
}

/// Rule of a method.
pub(super) struct MethodRule {
    /// Its old DEX file.
    pub file: Entry,
    pub method: MethodName,
    pub flags: MethodFlags,
}

/// Rule of a class.
pub(super) struct ClassRule {
    pub file: Entry,
    pub class: ClassName,
}

/// A DEX file that a rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its position among those that were loaded.
    pub position: usize,
    /// True if it defines the class of the rule. A rule may also name a reference.
    pub defines: bool,
}

/// Rules by names.
#[derive(Default)]
pub(super) struct NamedRules {
    pub methods: Vec<MethodRule>,
    pub classes: Vec<ClassRule>,
    /// Classes of the metadata.
    pub definitions: Vec<ClassRule>,
    /// Rules without a name: their DEX file is missing or another one.
    pub unknown: Vec<String>,
}

/// Finds the names of a profile's rules in the DEX files of its package. Fails if a DEX file cannot
/// be read.
pub(super) fn named_rules(
    profile: &ArtProfile,
    metadata: Option<&Metadata>,
    package: usize,
    dex: &PackageDex,
) -> Result<NamedRules, String> {
    let mut named = NamedRules::default();
    for rules in &profile.dex_files {
        // A profile of another build names other methods.
        let file = loaded(&rules.key, package, dex);
        let file = file.filter(|(_, bytes)| apk::crc32(bytes) == rules.checksum);
        let Some((position, bytes)) = file else {
            named.unknown.extend((0..rules.len()).map(|n| format!("rule {n} of {}", rules.key)));
            continue;
        };
        let file = Dex::read(bytes).map_err(|e| e.to_string())?;
        let defined: HashSet<TypeIdx> = file.classes.iter().map(|class| class.ty).collect();
        let entry = |class| Entry { position, defines: defined.contains(&class) };
        for (&index, &flags) in &rules.methods {
            match method(&file, index.into()) {
                Some((class, method)) => {
                    named.methods.push(MethodRule { file: entry(class), method, flags });
                }
                None => named.unknown.push(format!("method {index} of {}", rules.key)),
            }
        }
        for &index in &rules.classes {
            let class = match profile.version.names_definitions() {
                true => definition(&file, index),
                false => class(&file, index, profile),
            };
            match class {
                Some((ty, class)) => named.classes.push(ClassRule { file: entry(ty), class }),
                None => named.unknown.push(format!("class {index} of {}", rules.key)),
            }
        }
        let same = |dex: &&artprofile::DexMetadata| dex.key == rules.key;
        let metadata = metadata.and_then(|m| m.dex_files.iter().find(same));
        for &index in metadata.iter().flat_map(|m| &m.definitions) {
            let class = definition(&file, index);
            let rule = class.map(|(ty, class)| ClassRule { file: entry(ty), class });
            named.definitions.extend(rule);
        }
    }
    Ok(named)
}

/// Returns the DEX file that a key of a package's profile names.
fn loaded<'a>(key: &str, package: usize, dex: &'a PackageDex) -> Option<(usize, &'a [u8])> {
    let mut files = dex.loaded.iter().enumerate();
    let (at, (_, bytes)) = files.find(|(_, (name, _))| {
        let (owner, entry) = &dex.places[name];
        *owner == package && super::keys::names(key, entry)
    })?;
    Some((at, bytes.as_slice()))
}

fn descriptor(dex: &Dex, ty: TypeIdx) -> Option<DexString> {
    let string = *dex.types.items().get(ty.index())?;
    dex.strings.items().get(string.index()).cloned()
}

impl RanMethod {
    /// Names a method of a DEX file, which is that of this position among those that were loaded.
    pub fn new(position: usize, dex: &Dex, index: MethodIdx) -> Option<RanMethod> {
        Some(RanMethod { position, method: method(dex, index.index())?.1 })
    }
}

/// Returns a method with the type of its class.
fn method(dex: &Dex, index: usize) -> Option<(TypeIdx, MethodName)> {
    let method = dex.methods.items().get(index)?;
    let Proto { return_type, parameters } = dex.protos.items().get(method.proto.index())?;
    let parameters = parameters.iter().map(|&ty| descriptor(dex, ty)).collect::<Option<_>>()?;
    let name = MethodName {
        class: descriptor(dex, method.class)?,
        name: dex.strings.items().get(method.name.index())?.clone(),
        return_type: descriptor(dex, *return_type)?,
        parameters,
    };
    Some((method.class, name))
}

/// Returns a class by its type index, with its type.
fn class(dex: &Dex, index: u16, profile: &ArtProfile) -> Option<(TypeIdx, ClassName)> {
    let (index, ty) = (usize::from(index), TypeIdx::from(usize::from(index)));
    if index < dex.types.len() {
        return Some((ty, ClassName(descriptor(dex, ty)?)));
    }
    let extra = profile.extra_descriptors.get(index - dex.types.len())?;
    Some((ty, ClassName(DexString(extra.as_bytes().into()))))
}

/// Returns a class by the position of its definition, with its type.
fn definition(dex: &Dex, index: u16) -> Option<(TypeIdx, ClassName)> {
    let ty = dex.classes.get(usize::from(index))?.ty;
    Some((ty, ClassName(descriptor(dex, ty)?)))
}
