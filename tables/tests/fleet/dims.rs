//! Meaning of the numbers, in one release and across two.

use std::collections::{BTreeMap, BTreeSet};

use model::map::{Map, Terminator};
use model::profile::Profile;
use model::recording::{Recording, TraceCodec};
use tables::dims;
use tables::merge::{Merge, merge};
use tests::sim::sealed;

use crate::support::{Fleet, log, map, trained};

fn dims(fleet: &Fleet, table: &str, map: &Map) -> Vec<BTreeMap<String, String>> {
    fleet.rows("out", &format!("{table}/build=b{}", map.build))
}

#[test]
fn each_edge_of_the_facts_has_a_row() {
    let map = map(11);
    let fleet = Fleet::new(&[&map]);
    fleet.shard("out", &fleet.sessions(&map, 0..5));
    dims::write(&fleet.catalogue(), &[], &fleet.at("out")).expect("written");
    let (edge, method) = (dims(&fleet, "edge", &map), dims(&fleet, "method", &map));
    let column = |rows: &[BTreeMap<String, String>], name: &str| -> Vec<String> {
        rows.iter().map(|row| row[name].clone()).collect()
    };
    let numbers =
        |n: usize, from: usize| (from..n + from).map(|n| n.to_string()).collect::<Vec<String>>();
    assert_eq!(column(&edge, "edge"), numbers(edge.len(), 0));
    assert_eq!(column(&method, "method"), numbers(method.len(), 1));
    let ways = map.methods.iter().flat_map(|m| &m.blocks).filter_map(|b| match &b.terminator {
        Terminator::Branch { alternatives, .. } => Some(alternatives.len()),
        _ => None,
    });
    assert_eq!(ways.sum::<usize>(), edge.len());
    let all: BTreeSet<String> = column(&edge, "edge").into_iter().collect();
    assert!(fleet.rows("out", "edges").iter().all(|row| all.contains(&row["edge"])));
    let keys: Vec<String> = map.methods.iter().map(|m| map.method_key(m)).collect();
    assert_eq!(column(&method, "name"), keys);
    assert!(edge.iter().chain(&method).all(|row| row["origin"] == "null"));
    // An id is one branch's.
    let branches: BTreeSet<(String, String)> =
        edge.iter().map(|row| (row["branch"].clone(), row["alt"].clone())).collect();
    assert_eq!(branches.len(), edge.len());
}

/// The sum of `first` over a branch's edges counts sessions.
#[test]
fn a_session_has_one_first_edge_at_each_branch_that_it_came_to() {
    let map = map(11);
    let fleet = Fleet::new(&[&map]);
    fleet.shard("out", &fleet.sessions(&map, 0..9));
    dims::write(&fleet.catalogue(), &[], &fleet.at("out")).expect("written");
    let branches: BTreeMap<String, (String, u32)> = dims(&fleet, "edge", &map)
        .into_iter()
        .map(|row| (row["edge"].clone(), (row["branch"].clone(), row["alt"].parse().expect("alt"))))
        .collect();
    let (mut taken, mut first) = (BTreeMap::new(), BTreeMap::new());
    for row in fleet.rows("out", "edges") {
        let (branch, alternative) = branches[&row["edge"]].clone();
        let at = (row["session"].clone(), branch);
        taken.entry(at.clone()).or_insert_with(Vec::new).push(alternative);
        if row["first_way"] == "true" {
            assert_eq!(first.insert(at, alternative), None);
        }
    }
    assert!(taken.values().any(|all| all.len() > 1));
    let lowest = |all: Vec<u32>| all.into_iter().min().expect("one");
    assert_eq!(first, taken.into_iter().map(|(at, all)| (at, lowest(all))).collect());
}

#[test]
fn a_release_knows_the_branches_of_older_ones() {
    let old = map(12);
    // Other bits for the same code; then a method's body changes.
    let same = sealed(Map { recording: Recording::Trace(TraceCodec::Huffman), ..old.clone() });
    let mut changed = Map { recording: Recording::Trace(TraceCodec::BallLarus), ..old.clone() };
    let m = changed
        .methods
        .iter_mut()
        .find(|m| m.blocks.iter().any(|b| matches!(b.terminator, Terminator::Branch { .. })))
        .expect("a branch");
    m.fingerprint ^= 1;
    let branch = m.blocks.iter_mut().find_map(|b| match &mut b.terminator {
        Terminator::Branch { identity, .. } => Some(identity),
        _ => None,
    });
    branch.expect("a branch").fingerprint ^= u64::MAX;
    let changed = sealed(changed);
    let fleet = Fleet::new(&[&old, &same, &changed]);
    dims::write(&fleet.catalogue(), &[], &fleet.at("out")).expect("written");
    let of = |map: &Map| dims(&fleet, "edge", map);
    let (old, same, changed) = (of(&old), of(&same), of(&changed));
    for (a, b) in old.iter().zip(&same) {
        assert_eq!((&a["branch"], &a["branch"]), (&b["branch"], &b["origin"]));
    }
    let new: Vec<_> = changed.iter().filter(|row| row["origin"] == "null").collect();
    let method = &new.first().expect("the changed branch is new")["method"];
    assert!(new.len() < changed.len() || old.len() == new.len());
    assert!(new.iter().all(|row| row["method"] == *method));
    let without = |rows: &[BTreeMap<String, String>]| -> Vec<String> {
        rows.iter().filter(|r| r["method"] != *method).map(|r| r["branch"].clone()).collect()
    };
    assert_eq!(without(&changed), without(&old));
}

#[test]
fn an_unknown_order_of_releases_is_refused() {
    let maps = [map(13), map(14)];
    let fleet = Fleet::new(&[&maps[0], &maps[1]]);
    let release = format!("maps/b{}.json", maps[1].build);
    fleet.write(&release, b"{\"version_code\":1}");
    let error = dims::write(&fleet.catalogue(), &[], &fleet.at("out")).expect_err("a tie");
    assert!(error.to_string().contains("the order of the releases is unknown"), "{error}");
    let order = [maps[1].build, maps[0].build];
    assert_eq!(dims::write(&fleet.catalogue(), &order, &fleet.at("out")).expect("known"), order);
    fleet.write(&release, b"{}");
    let error = dims::write(&fleet.catalogue(), &[], &fleet.at("out")).expect_err("no code");
    assert!(error.to_string().contains("version_code"), "{error}");
}

/// Two releases, a day after the other: what `train --model --decay` gives.
#[test]
fn days_and_releases_fold_into_what_train_gives() {
    let old = map(15);
    let new = sealed(Map { recording: Recording::Trace(TraceCodec::Huffman), ..old.clone() });
    let fleet = Fleet::new(&[&old, &new]);
    let of_old = fleet.sessions(&old, 0..10);
    let of_new: Vec<_> =
        (10..20).map(|n| fleet.write(&format!("raw/s-{n}.plt"), &log(&new, n))).collect();
    let monday = trained(&old, &of_old, Profile::default());
    let mut tuesday = monday.clone();
    tuesday.decay(58_982);
    let tuesday = trained(&new, &of_new, tuesday);
    let base = fleet.write("monday.json", &monday.to_bytes());
    for (n, logs) in of_new.chunks(4).enumerate() {
        fleet.run(&fleet.job("out", &n.to_string()), logs);
    }
    let folder = format!("out/partial/build=b{}/day=d20261122", new.build);
    let models = [0, 1, 2].map(|n| fleet.at(&format!("{folder}/part-{n}.json.zst")));
    let catalogue = fleet.catalogue();
    let merged = merge(&Merge {
        models: &models,
        base: Some(&base),
        decay: Some(58_982),
        order: &[],
        catalogue: Some(&catalogue),
    });
    let text = |p: Profile| String::from_utf8(p.to_bytes()).expect("JSON");
    assert_eq!(text(merged.expect("merged")), text(tuesday));
}
