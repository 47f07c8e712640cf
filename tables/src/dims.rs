//! Dimensions: the meaning of a build's numbers.

use std::path::Path;

use model::descriptors::dotted_name;
use model::identities::{Id, Identities};
use model::map::{BuildId, Map, MethodId, Terminator};
use std::collections::HashMap;

use crate::Error;
use crate::catalogue::Catalogue;
use crate::file::{Cell, TableFile};
use crate::schema::{EDGE, METHOD, Table};

/// Writes the dimensions of all maps of a catalogue, and returns the builds. `order` has the builds
/// from the oldest to the newest; if it is empty, the catalogue's order counts.
///
/// # Errors
/// A map or an output; or the order is not known.
pub fn write(catalogue: &Catalogue, order: &[BuildId], out: &Path) -> Result<Vec<BuildId>, Error> {
    let all: Vec<BuildId> = catalogue.builds().collect();
    let order = match order {
        [] => catalogue.in_order(&all)?,
        given => match all.iter().find(|b| !given.contains(b)) {
            Some(b) => {
                return Err(Error::Order { what: format!("the given order lacks build {b}") });
            }
            None => given.to_vec(),
        },
    };
    let mut older: Vec<Identities> = Vec::new();
    for &build in &order {
        let Some(map) = catalogue.map(build)? else {
            return Err(Error::Order { what: format!("build {build} has no map") });
        };
        let ids = Identities::of(map, &older);
        let place = |table: &Table| {
            let folder = out.join("tables/v1").join(table.name).join(format!("build=b{build}"));
            TableFile::create(table, folder.join("part-0.parquet"))
        };
        one(map, &Identities::of(map, &[]), &ids, place(&EDGE)?, place(&METHOD)?)?;
        older.push(ids);
    }
    Ok(order)
}

fn one(
    map: &Map,
    own: &Identities,
    ids: &Identities,
    mut edges: TableFile,
    mut methods: TableFile,
) -> Result<(), Error> {
    let hash = |h: u64| Cell::I64(h as i64);
    let origin = |id: Id| if id.is_known { hash(id.hash) } else { Cell::Null };
    let mut edge = 0_u32;
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        let class = map.name(m.class);
        let first = m.blocks.iter().flat_map(|b| &b.lines).filter_map(|l| l.1.own_line()).min();
        methods.row([
            id.0.into(),
            hash(own.method(id).hash),
            map.method_key(m).as_str().into(),
            dotted_name(class).as_str().into(),
            m.source_file.map(|f| map.name(f)).into(),
            first.into(),
            origin(ids.method(id)),
        ])?;
        let mut branches = own.branches(id).iter().zip(ids.branches(id));
        let mut ordinals: HashMap<u64, u32> = HashMap::new();
        for (number, b) in (0_u32..).zip(&m.blocks) {
            let Terminator::Branch { alternatives, identity } = &b.terminator else { continue };
            let Some((branch, known)) = branches.next() else { continue };
            let ordinal = ordinals.entry(identity.fingerprint).or_default();
            *ordinal += 1;
            let line = b.lines.iter().rev().find_map(|(_, place)| place.own_line());
            for alt in 0..alternatives.len() as u32 {
                edges.row([
                    edge.into(),
                    hash(branch.hash),
                    alt.into(),
                    (alternatives.len() as u32).into(),
                    id.0.into(),
                    (*ordinal).into(),
                    number.into(),
                    b.pc.into(),
                    line.into(),
                    origin(*known),
                ])?;
                edge += 1;
            }
        }
    }
    edges.finish()?;
    methods.finish()
}
