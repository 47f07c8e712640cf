//! Ids of methods and branches that are the same in all builds that have them.
//!
//! A method's id is a hash of its source name; a branch's id is a hash of its method, the
//! fingerprint of the code around it, and which one of those with this fingerprint it is. Where
//! older builds are known, a branch that `train` would recognise there ([`Matcher`]) has the id of
//! the oldest of them instead. A method that has another name continues the one that has its body,
//! if only one has it.

use std::collections::{HashMap, HashSet};

use super::map::{Block, Map, MethodId, Terminator};
use super::profile::{BranchShape, Matcher, Profile};

/// 64 bits of all that came before and of one number more (the finaliser of SplitMix64).
pub fn mix(hash: u64, value: u64) -> u64 {
    let mut h = hash.rotate_left(5) ^ value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    h ^ (h >> 31)
}

/// The hash of a text (FNV-1a, then [`mix`]); `kind` keeps texts of several meanings apart.
pub fn hash_of(kind: u64, text: &str) -> u64 {
    let fnv = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3);
    mix(kind, text.bytes().fold(0xCBF2_9CE4_8422_2325, fnv))
}

/// A method or a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Id {
    /// The id; 0 is never a branch's.
    pub hash: u64,
    /// True if an older build has it.
    pub is_known: bool,
}

/// The ids of one build.
#[derive(Debug, Clone)]
pub struct Identities {
    methods: Vec<Id>,
    /// Per method: its branches, in the order of the map.
    branches: Vec<Vec<Id>>,
    /// Methods and branches that later builds look for.
    profile: Profile,
    /// The methods by name, the first one of each.
    by_key: HashMap<String, usize>,
}

impl Identities {
    /// The ids of a map's methods and branches; `older` builds are in the order of their release.
    /// Without any, they depend on the map alone.
    pub fn of(map: &Map, older: &[Identities]) -> Self {
        let matchers: Vec<_> = older.iter().map(|o| (Matcher::new(&o.profile), o)).collect();
        let mut made = Identities {
            methods: Vec::with_capacity(map.methods.len()),
            branches: Vec::with_capacity(map.methods.len()),
            profile: Profile::default(),
            by_key: HashMap::new(),
        };
        let mut times: HashMap<String, u64> = HashMap::new();
        let keys: HashSet<String> = map.methods.iter().map(|m| map.method_key(m)).collect();
        for (at, m) in map.methods.iter().enumerate() {
            let key = map.method_key(m);
            let shapes: Vec<BranchShape> = m.blocks.iter().filter_map(shape).collect();
            // A mapping can give several methods one name: the first is taken for the one before.
            let copy = times.entry(key.clone()).or_default();
            *copy += 1;
            let of_older = matchers.iter().rev().find_map(|(matcher, ids)| {
                let (old, pairs) = matcher.pair_method(&key, m.fingerprint, &shapes)?;
                // A method that keeps its name has not moved.
                let at = *ids.by_key.get(old)?;
                let known = (pairs, ids.methods[at].hash, &ids.branches[at]);
                (old == key || !keys.contains(old)).then_some(known)
            });
            let found = of_older.filter(|_| *copy == 1);
            let new = || mix(hash_of(0, &key), *copy);
            let hash = found.as_ref().map_or_else(new, |f| f.1);
            let method = Id { hash, is_known: found.is_some() };
            let mut ordinals: HashMap<u64, u64> = HashMap::new();
            let own = shapes.iter().enumerate().map(|(i, s)| {
                let ordinal = ordinals.entry(s.fingerprint).or_default();
                *ordinal += 1;
                let known = found.as_ref().and_then(|(pairs, _, branches)| {
                    branches.get(pairs.get(i).copied().flatten()?).copied()
                });
                let new = || mix(mix(method.hash, s.fingerprint), *ordinal).max(1);
                Id { hash: known.map_or_else(new, |id| id.hash), is_known: known.is_some() }
            });
            made.branches.push(own.collect());
            if *copy == 1 {
                made.profile.record(&key, m.fingerprint, shapes.iter().map(|s| (*s, &[][..])));
                made.by_key.insert(key, at);
            }
            made.methods.push(method);
        }
        made
    }

    /// A method's id.
    pub fn method(&self, MethodId(m): MethodId) -> Id {
        self.methods[m as usize - 1]
    }

    /// The ids of all methods, in the order of the map.
    pub fn methods(&self) -> &[Id] {
        &self.methods
    }

    /// The ids of a method's branches, in the order of the map.
    pub fn branches(&self, MethodId(m): MethodId) -> &[Id] {
        &self.branches[m as usize - 1]
    }
}

fn shape(block: &Block) -> Option<BranchShape> {
    match &block.terminator {
        Terminator::Branch { alternatives, identity } => Some(BranchShape {
            fingerprint: identity.fingerprint,
            alternatives: alternatives.len() as u32,
        }),
        Terminator::Return | Terminator::Throw | Terminator::Goto(_) => None,
    }
}
