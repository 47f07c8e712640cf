//! Random profiles of every version, written and read; and damaged ones.

use artprofile::{
    ArtProfile, DexMetadata, DexRules, Metadata, MetadataVersion, MethodFlags, ProfileVersion,
};
use mutation::Rng;
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

fn version() -> impl Strategy<Value = ProfileVersion> {
    proptest::sample::select(ProfileVersion::ALL.to_vec())
}

fn rules(version: ProfileVersion, extra: u32) -> impl Strategy<Value = DexRules> {
    let ids = (1..3000u32, 1..3000u32);
    ids.prop_flat_map(move |(type_ids, method_ids)| {
        let flags = if version.has_flags() { 1..8u16 } else { 1..2 };
        let types = if version == ProfileVersion::S { type_ids + extra } else { type_ids };
        let methods = btree_map(0..method_ids as u16, flags, 0..20);
        let classes = btree_set(0..types as u16, 0..20);
        ("[a-z]{1,8}\\.dex", any::<u32>(), methods, classes).prop_map(
            move |(key, checksum, methods, classes)| DexRules {
                key,
                checksum,
                type_ids: if version == ProfileVersion::S { type_ids } else { 0 },
                method_ids: if version.has_flags() { method_ids } else { 0 },
                methods: methods
                    .into_iter()
                    .map(|(method, bits)| (method, MethodFlags::from_bits_truncate(bits)))
                    .collect(),
                classes,
            },
        )
    })
}

fn profile() -> impl Strategy<Value = ArtProfile> {
    version().prop_flat_map(|version| {
        let extra = if version == ProfileVersion::S { 0..3u32 } else { 0..1 };
        extra.prop_flat_map(move |extra| {
            vec(rules(version, extra), 0..5).prop_map(move |dex_files| ArtProfile {
                version,
                dex_files,
                extra_descriptors: (0..extra).map(|n| format!("[Lp/C{n};")).collect(),
                inline_caches: 0,
            })
        })
    })
}

fn metadata() -> impl Strategy<Value = Metadata> {
    let dex = ("[a-z]{1,8}\\.dex", any::<u16>(), any::<u32>(), btree_set(any::<u16>(), 0..20));
    (any::<bool>(), vec(dex, 0..5)).prop_map(|(later, dex)| {
        let version = if later { MetadataVersion::S } else { MetadataVersion::N };
        let numbered = |number| if later { number } else { 0 };
        let dex = dex.into_iter().map(|(key, number, types, definitions)| DexMetadata {
            key,
            number: numbered(number),
            type_ids: if later { types } else { 0 },
            definitions,
        });
        Metadata { version, dex_files: dex.collect() }
    })
}

proptest! {
    #[test]
    fn a_written_profile_reads_the_same(profile in profile()) {
        let bytes = profile.write().expect("writes");
        prop_assert_eq!(ArtProfile::read(&bytes), Ok(profile));
    }

    #[test]
    fn written_metadata_reads_the_same(metadata in metadata()) {
        let bytes = metadata.write().expect("writes");
        prop_assert_eq!(Metadata::read(&bytes), Ok(metadata));
    }

    #[test]
    fn damage_is_an_error_or_another_profile(profile in profile(), seed in any::<u64>()) {
        let (mut bytes, mut rng) = (profile.write().expect("writes"), Rng::new(seed));
        mutation::overwrite(&mut bytes, &mut rng);
        mutation::resize(&mut bytes, &mut rng);
        if let Ok(read) = ArtProfile::read(&bytes) {
            let _ = read.write();
        }
    }

    #[test]
    fn damage_to_metadata_is_an_error_or_other_metadata(
        metadata in metadata(),
        seed in any::<u64>(),
    ) {
        let (mut bytes, mut rng) = (metadata.write().expect("writes"), Rng::new(seed));
        mutation::overwrite(&mut bytes, &mut rng);
        mutation::resize(&mut bytes, &mut rng);
        if let Ok(read) = Metadata::read(&bytes) {
            let _ = read.write();
        }
    }

    /// Damage below the compression reaches every field.
    #[test]
    fn damage_to_the_body_is_an_error_or_another_profile(
        profile in profile().prop_filter("compressed", |p| {
            matches!(p.version, ProfileVersion::OMr1 | ProfileVersion::P)
        }),
        seed in any::<u64>(),
    ) {
        use std::io::{Read as _, Write as _};
        let file = profile.write().expect("writes");
        let mut body = Vec::new();
        flate2::read::ZlibDecoder::new(&file[17..]).read_to_end(&mut body).expect("inflates");
        let mut rng = Rng::new(seed);
        mutation::overwrite(&mut body, &mut rng);
        let mut encoder =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&body).expect("a vector");
        let packed = encoder.finish().expect("a vector");
        let sizes = [body.len() as u32, packed.len() as u32].map(u32::to_le_bytes).concat();
        let damaged = [&file[..9], &sizes, &packed].concat();
        if let Ok(read) = ArtProfile::read(&damaged) {
            let _ = read.write();
        }
    }
}
