//! The DEX files of a folder that ART loads: `classes.dex`, `classes2.dex`, … up to the first name
//! that is missing or no DEX file (`DexFileLoader::OpenAllDexFilesFromZip` of Android 10).

use std::collections::HashMap;

use serde::Serialize;

use super::zip_read::{self, Archive, ZipEntry};

/// First bytes of a DEX file, and of a compact one, which ART loads as well.
const MAGICS: [&[u8]; 2] = [b"dex\n", b"cdex"];

/// The end of a list of DEX files with numbered files that ART does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListEnd {
    /// The name of the first file that is not loaded.
    pub name: String,
    /// The reason why the list ends before the file.
    pub reason: EndReason,
    /// The numbered files that are not loaded, in order.
    pub rest: Vec<String>,
}

/// Reasons why a list of DEX files ends before a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// There is no such entry.
    Missing,
    /// The entry is no DEX file.
    NoDex,
}

/// The list of one folder.
pub(super) struct DexList<'a> {
    /// Its name, which ends in a slash unless it is empty.
    pub folder: String,
    /// In loading order.
    pub loaded: Vec<&'a ZipEntry>,
    /// The end, if numbered files follow.
    pub end: Option<ListEnd>,
}

impl<'a> DexList<'a> {
    /// The list of a folder.
    pub fn of_folder(package: &[u8], archive: &'a Archive, folder: String) -> DexList<'a> {
        let names: HashMap<&[u8], &ZipEntry> =
            archive.entries.iter().map(|e| (e.name.as_slice(), e)).collect();
        let mut loaded = Vec::new();
        let (name, reason) = loop {
            let name = format!("{folder}{}", dex_name(loaded.len() + 1));
            let Some(&entry) = names.get(name.as_bytes()) else { break (name, EndReason::Missing) };
            // Without a first file there is no list: that error is found when the file is read.
            if !loaded.is_empty() && !may_be_dex(package, entry) {
                break (name, EndReason::NoDex);
            }
            loaded.push(entry);
        };
        let number = |e: &ZipEntry| number(e.name.strip_prefix(folder.as_bytes())?);
        let mut rest: Vec<(usize, String)> = archive
            .entries
            .iter()
            .filter_map(|e| Some((number(e).filter(|&n| n > loaded.len())?, e.display())))
            .collect();
        rest.sort();
        let rest: Vec<String> = rest.into_iter().map(|(_, name)| name).collect();
        let end = (!rest.is_empty()).then_some(ListEnd { name, reason, rest });
        DexList { folder, loaded, end }
    }
}

/// Name of the n-th DEX file, counted from 1.
pub fn dex_name(n: usize) -> String {
    if n == 1 { "classes.dex".to_owned() } else { format!("classes{n}.dex") }
}

/// The number of a DEX file that ART could load.
fn number(name: &[u8]) -> Option<usize> {
    let digits = name.strip_prefix(b"classes")?.strip_suffix(b".dex")?;
    let number = std::str::from_utf8(digits).ok()?.parse().ok();
    let number = if digits.is_empty() { 1 } else { number? };
    (dex_name(number).as_bytes() == name).then_some(number)
}

/// An entry that cannot be inflated may be one: its damage is reported when it is read.
fn may_be_dex(package: &[u8], entry: &ZipEntry) -> bool {
    let head = zip_read::head(package, entry, MAGICS[0].len());
    head.is_none_or(|head| MAGICS.contains(&head.as_slice()))
}
