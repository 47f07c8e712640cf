//! Reading and writing whole files, one hazard per test.

use dex::{
    AccessFlags, Body, ClassDef, CodeItem, Dex, EncodedField, EncodedMethod, FieldRef, MethodRef,
    Proto, ReadErrorKind, ReadOptions, Section, Version, WriteError, mutf8,
};
use dex::{DexString, EncodedValue, HandleTarget};

const KITCHEN: &[u8] = include_bytes!("fixtures/kitchen.dex");
const DYNAMIC: &[u8] = include_bytes!("fixtures/dynamic.dex");
const HIDDEN: &[u8] = include_bytes!("fixtures/hidden.dex");
const ALL: [&[u8]; 3] = [KITCHEN, DYNAMIC, HIDDEN];

fn read_unchecked(bytes: &[u8]) -> Result<Dex, dex::ReadError> {
    Dex::read_with(bytes, ReadOptions::any_check_sum())
}

fn again(dex: &Dex) -> Dex {
    Dex::read(&dex.write().unwrap()).unwrap()
}

fn put_u32(bytes: &mut [u8], at: usize, v: u32) {
    bytes[at..at + 4].copy_from_slice(&v.to_le_bytes());
}

fn get_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Offset of a section by its code in the map list.
fn section(bytes: &[u8], kind: u16) -> usize {
    let map = get_u32(bytes, 52) as usize;
    (0..get_u32(bytes, map) as usize)
        .map(|i| map + 4 + 12 * i)
        .find(|&at| bytes[at..at + 2] == kind.to_le_bytes())
        .map(|at| get_u32(bytes, at + 8) as usize)
        .unwrap()
}

/// A class without superclass, members or anything.
fn class(dex: &mut Dex, name: &str) -> ClassDef {
    ClassDef::new(dex.intern_type(name), AccessFlags::PUBLIC)
}

#[test]
fn what_smali_assembled_survives_writing() {
    for bytes in ALL {
        let dex = Dex::read(bytes).unwrap();
        let written = dex.write().unwrap();
        assert!(Dex::read(&written).unwrap() == dex);
    }
}

#[test]
fn bodies_that_stay_in_their_file_are_those_that_are_read() {
    for bytes in ALL {
        let (dex, shared) = (Dex::read(bytes).unwrap(), Dex::read_shared(bytes.to_vec().into()));
        let shared = shared.unwrap();
        assert!(shared.codes.iter().all(|body| matches!(body, Body::Stored(_))));
        for (body, stored) in dex.codes.iter().zip(&shared.codes) {
            assert_eq!(body.item(), stored.item());
            assert_eq!(body.insns(), stored.insns());
            assert_eq!(body.units(), stored.units());
        }
        assert!(shared.write().unwrap() == dex.write().unwrap());
    }
}

#[test]
fn a_body_that_stays_in_its_file_is_checked_when_the_file_is_read() {
    let mut bytes = KITCHEN.to_vec();
    // More code units than there are bytes.
    let units = section(&bytes, 0x2001) + 12;
    put_u32(&mut bytes, units, u32::MAX);
    let sum = adler2::adler32_slice(&bytes[12..]);
    put_u32(&mut bytes, 8, sum);
    let error = Dex::read_shared(bytes.into()).expect_err("is damaged");
    assert_eq!(error.section, Section::CodeItem);
}

#[test]
fn bodies_can_be_made_while_the_file_is_written() {
    let mut dex = Dex::read(KITCHEN).unwrap();
    // A type that is sorted before all others: every index changes.
    dex.intern_type("LA;");
    let lowered = |body: dex::CodeId, map: &dex::IndexMap| {
        let code = dex.code(body)?.expect("decodes");
        Some(dex::lower(&code, map))
    };
    assert!(dex.write_with(&lowered).unwrap().bytes == dex.write().unwrap());
}

#[test]
fn values_are_what_the_source_says() {
    let dex = Dex::read(KITCHEN).unwrap();
    let kitchen = dex.classes.iter().find(|c| dex.type_name(c.ty) == "Lfix/Kitchen;").unwrap();
    let value = |name: &str| {
        let at = |f: &EncodedField| dex.string(dex.fields.items()[f.field.index()].name) == name;
        &kitchen.static_values[kitchen.static_fields.iter().position(at).unwrap()]
    };
    assert_eq!(value("b"), &EncodedValue::Byte(-1));
    assert_eq!(value("c"), &EncodedValue::Char(0xFFFF));
    assert_eq!(value("d"), &EncodedValue::Double(1.5f64.to_bits()));
    assert_eq!(value("f"), &EncodedValue::Float((-0.1f32).to_bits()));
    assert_eq!(value("i"), &EncodedValue::Int(0x12345));
    assert_eq!(value("j"), &EncodedValue::Long(i64::MIN));
    assert_eq!(value("nul"), &EncodedValue::Null);
    assert_eq!(value("s"), &EncodedValue::Short(0x7FFF));
    assert_eq!(value("z"), &EncodedValue::Boolean(true));
    let EncodedValue::String(odd) = value("odd") else { panic!() };
    let units: Vec<u16> = mutf8::units(&dex.strings.items()[odd.index()].0).collect();
    let expected = "nul \0 clef 𝄞 lone ".encode_utf16().chain([0xD834]);
    assert_eq!(units, expected.collect::<Vec<_>>());
}

#[test]
fn the_order_of_pools_in_memory_does_not_matter() {
    for bytes in [KITCHEN, HIDDEN] {
        let dex = Dex::read(bytes).unwrap();
        let mut straight = dex.clone();
        straight.compact().unwrap();
        let mut reversed = Dex::new(dex.version);
        let mut importer = dex::Importer::new(&dex);
        for i in (0..dex.classes.len()).rev() {
            importer.class(&mut reversed, i).unwrap();
        }
        reversed.classes.reverse();
        assert_ne!(reversed.strings.items(), straight.strings.items());
        assert!(reversed.write().unwrap() == straight.write().unwrap());
    }
}

#[test]
fn unsorted_strings_are_sorted_by_utf16_units() {
    let mut dex = Dex::new(Version(35));
    let texts = ["\u{FFFD}", "z", "𝄞", "", "\0", "\u{1}", "a\0", "a"];
    for text in texts {
        dex.intern_str(text);
    }
    let dex = again(&dex);
    let mut expected: Vec<Vec<u16>> = texts.iter().map(|t| t.encode_utf16().collect()).collect();
    expected.sort();
    let got: Vec<Vec<u16>> =
        dex.strings.items().iter().map(|s| mutf8::units(&s.0).collect()).collect();
    assert_eq!(got, expected);
}

#[test]
fn duplicate_pool_items_become_one() {
    let mut dex = Dex::new(Version(35));
    for _ in 0..2 {
        let text = |t: &str| DexString(t.as_bytes().into());
        let (void, name, class) = (text("V"), text("name"), text("La;"));
        let (void, name, class) =
            (dex.strings.push(void), dex.strings.push(name), dex.strings.push(class));
        let (void, ty) = (dex.types.push(void), dex.types.push(class));
        let proto = dex.protos.push(Proto { return_type: void, parameters: vec![] });
        dex.methods.push(MethodRef { class: ty, proto, name });
        dex.fields.push(FieldRef { class: ty, ty, name });
    }
    assert_eq!(dex.methods.len(), 2);
    let dex = again(&dex);
    assert_eq!((dex.strings.len(), dex.types.len(), dex.protos.len()), (3, 2, 1));
    assert_eq!((dex.fields.len(), dex.methods.len()), (1, 1));
}

#[test]
fn shared_bodies_stay_shared_and_a_copy_goes_its_own_way() {
    let mut dex = Dex::new(Version(39));
    let mut a = class(&mut dex, "La;");
    for name in ["x", "y", "z"] {
        let method = dex.intern_method("La;", name, "V", &[]);
        a.direct_methods.push(EncodedMethod {
            method,
            access: AccessFlags::PUBLIC | AccessFlags::STATIC,
            code: Some(dex::CodeId(0)),
            hiddenapi: None,
        });
    }
    dex.classes.push(a);
    let return_void = CodeItem { registers: 1, insns: vec![0x000E], ..CodeItem::default() };
    dex.codes.push(return_void.clone().into());
    let mut dex = again(&dex);
    assert_eq!(dex.code_uses(), [3]);

    dex.codes.push(Body::from(CodeItem { insns: vec![0x0000, 0x000E], ..return_void.clone() }));
    dex.classes[0].direct_methods[1].code = Some(dex::CodeId(1));
    let dex = again(&dex);
    let lengths = dex.classes[0].methods().map(|m| match &dex.codes[m.code.unwrap().0 as usize] {
        Body::Raw(item) => item.insns.len(),
        Body::Stored(_) | Body::Edited(_) => unreachable!(),
    });
    assert_eq!(lengths.collect::<Vec<_>>(), [1, 2, 1]);
    assert_eq!(dex.code_uses(), [2, 1]);
}

#[test]
fn access_flags_without_a_name_survive_writing() {
    let mut dex = Dex::new(Version(39));
    let flags = |unnamed: u32| AccessFlags::STATIC | AccessFlags::from_bits_retain(unnamed);
    let mut a = class(&mut dex, "La;");
    a.access = flags(0x8000_0000);
    let (ty, name) = (a.ty, dex.intern_str("f"));
    let field = dex.fields.push(FieldRef { class: ty, ty, name });
    let access = flags(0x4000_0000);
    a.static_fields.push(EncodedField { field, access, hiddenapi: None });
    let method = dex.intern_method("La;", "m", "V", &[]);
    let access = flags(0x0800_0000);
    a.direct_methods.push(EncodedMethod { method, access, code: None, hiddenapi: None });
    dex.classes.push(a);

    let class = again(&dex).classes.remove(0);
    let members = (class.static_fields[0].access, class.direct_methods[0].access);
    assert_eq!(class.access.bits(), 0x8000_0008);
    assert_eq!((members.0.bits(), members.1.bits()), (0x4000_0008, 0x0800_0008));
}

#[test]
fn pools_may_be_full_but_not_fuller() {
    let mut dex = Dex::new(Version(35));
    let class = dex.intern_type("La;");
    let proto = dex.intern_proto("V", &[]);
    for i in 0..65_536 {
        let name = dex.strings.push(DexString(format!("m{i}").into_bytes().into()));
        dex.methods.push(MethodRef { class, proto, name });
        dex.fields.push(FieldRef { class, ty: class, name });
    }
    let full = again(&dex);
    assert_eq!((full.methods.len(), full.fields.len()), (65_536, 65_536));

    let name = dex.intern_str("more");
    let mut fields = dex.clone();
    dex.methods.push(MethodRef { class, proto, name });
    assert_eq!(
        dex.write(),
        Err(WriteError::TooMany { pool: "methods", count: 65_537, limit: 65_536 })
    );
    fields.fields.push(FieldRef { class, ty: class, name });
    assert_eq!(
        fields.write(),
        Err(WriteError::TooMany { pool: "fields", count: 65_537, limit: 65_536 })
    );
}

#[test]
fn strings_beyond_16_bits_make_const_string_jumbo() {
    let mut dex = Dex::new(Version(35));
    let mut a = class(&mut dex, "La;");
    let z = dex.intern_str("z");
    let method = dex.intern_method("La;", "m", "V", &[]);
    a.direct_methods.push(EncodedMethod {
        method,
        access: AccessFlags::PUBLIC | AccessFlags::STATIC,
        code: Some(dex::CodeId(0)),
        hiddenapi: None,
    });
    dex.classes.push(a);
    // const-string v0, "z"; return-void
    let insns = vec![0x001A, z.0 as u16, 0x000E];
    dex.codes.push(Body::from(CodeItem { registers: 1, insns, ..CodeItem::default() }));
    for i in 0..70_000 {
        dex.strings.push(DexString(format!("s{i}").into_bytes().into()));
    }
    let dex = again(&dex);
    let Body::Raw(item) = &dex.codes[0] else { panic!() };
    assert_eq!(item.insns[0], 0x001B);
    assert_eq!(
        &*dex.strings.items()[item.insns[1] as usize | (item.insns[2] as usize) << 16].0,
        b"z"
    );
}

#[test]
fn superclasses_and_interfaces_come_first_and_the_rest_stays() {
    let mut dex = Dex::new(Version(35));
    let names = ["Lsub;", "Lother;", "Lbase;", "Liface;", "Llast;"];
    let mut classes: Vec<ClassDef> = names.iter().map(|name| class(&mut dex, name)).collect();
    classes[0].superclass = Some(classes[2].ty);
    classes[0].interfaces = vec![classes[3].ty];
    dex.classes = classes;
    let order = |dex: &Dex| {
        dex.classes.iter().map(|c| dex.type_name(c.ty).into_owned()).collect::<Vec<_>>()
    };
    let sorted = again(&dex);
    assert_eq!(order(&sorted), ["Lbase;", "Liface;", "Lsub;", "Lother;", "Llast;"]);
    assert_eq!(order(&again(&sorted)), order(&sorted));

    // A cycle is nonsense, but no reason to hang.
    let (a, b) = (dex.classes[0].ty, dex.classes[2].ty);
    dex.classes[2].superclass = Some(a);
    dex.classes[0].superclass = Some(b);
    assert_eq!(again(&dex).classes.len(), 5);
}

#[test]
fn initial_values_follow_their_fields() {
    let mut dex = Dex::new(Version(35));
    let mut a = class(&mut dex, "La;");
    let field = |dex: &mut Dex, name, ty| EncodedField {
        field: dex.intern_field("La;", name, ty),
        access: AccessFlags::PUBLIC | AccessFlags::STATIC,
        hiddenapi: None,
    };
    a.static_fields =
        vec![field(&mut dex, "z", "I"), field(&mut dex, "m", "J"), field(&mut dex, "a", "Z")];
    a.static_values = vec![EncodedValue::Int(7)];
    dex.classes.push(a);
    let dex = again(&dex);
    assert_eq!(
        dex.classes[0].static_values,
        [EncodedValue::Boolean(false), EncodedValue::Long(0), EncodedValue::Int(7)]
    );
}

#[test]
fn hidden_api_flags_stay_with_their_members() {
    let dex = Dex::read(HIDDEN).unwrap();
    let flags = |dex: &Dex| {
        let mut all = Vec::new();
        for class in &dex.classes {
            let fields = class.static_fields.iter().chain(&class.instance_fields);
            all.extend(fields.map(|f| (dex.field_name(f.field), f.hiddenapi)));
            all.extend(class.methods().map(|m| (dex.method_name(m.method), m.hiddenapi)));
        }
        all.sort();
        all
    };
    // Numbers of the format document: whitelist 0, greylist 1, blacklist 2, greylist-max-o 3;
    // core-platform-api 8.
    let expected = [
        ("Lfix/Hidden;-><init>()V", Some(1)),
        ("Lfix/Hidden;->a:I", Some(2)),
        ("Lfix/Hidden;->b:I", Some(0)),
        ("Lfix/Hidden;->virtual()V", Some(3 | 8)),
        ("Lfix/Plain;->nothing()V", Some(0)),
    ];
    assert_eq!(flags(&dex), expected.map(|(name, flag)| (name.to_string(), flag)));
    let mut reversed = Dex::new(dex.version);
    for i in (0..dex.classes.len()).rev() {
        reversed.import_class(&dex, i).unwrap();
    }
    assert_eq!(flags(&again(&reversed)), flags(&dex));
}

#[test]
fn call_sites_and_method_handles_survive_a_move() {
    let dex = Dex::read(DYNAMIC).unwrap();
    assert_eq!(dex.call_sites.len(), 2);
    let mut new = Dex::new(dex.version);
    new.intern_str("first of all");
    new.import_class(&dex, 0).unwrap();
    let new = again(&new);
    let sites = |dex: &Dex| {
        let name = |v: &EncodedValue| match v {
            EncodedValue::String(s) => dex.string(*s).into_owned(),
            EncodedValue::MethodType(p) => dex.proto_name(*p),
            EncodedValue::MethodHandle(h) => match dex.method_handles.items()[h.index()].target {
                HandleTarget::Method(m) => dex.method_name(m),
                HandleTarget::Field(f) => dex.field_name(f),
            },
            other => format!("{other:?}"),
        };
        dex.call_sites
            .items()
            .iter()
            .map(|site| site.iter().map(name).collect())
            .collect::<Vec<Vec<String>>>()
    };
    assert_eq!(sites(&new), sites(&dex));
    assert_eq!(sites(&dex)[1][1..], ["run", "()V", "Int(2)", "extra", "Float(1083179008)"]);
    assert_eq!(new.method_handles.len(), 4);
}

#[test]
fn a_class_that_was_split_off_takes_its_references_along() {
    let original = Dex::read(KITCHEN).unwrap();
    let at = |dex: &Dex, name: &str| {
        dex.classes.iter().position(|c| dex.type_name(c.ty) == name).unwrap()
    };
    let mut rest = original.clone();
    let new = rest.split_off(&[at(&original, "Lfix/Kitchen;")]).unwrap();
    rest.compact().unwrap();
    assert!(rest.strings.len() + 20 < original.strings.len());
    assert_eq!((rest.classes.len(), new.classes.len()), (original.classes.len() - 1, 1));

    // Put together again, it is what it was.
    let mut joined = again(&rest);
    joined.import_class(&again(&new), 0).unwrap();
    let mut expected = original.clone();
    let kitchen = expected.classes.remove(at(&original, "Lfix/Kitchen;"));
    expected.classes.push(kitchen);
    expected.compact().unwrap();
    assert!(joined.write() == expected.write());
    assert!(joined.import_class(&new, 0).is_err(), "a second definition must be refused");
}

#[test]
fn other_files_are_refused_by_name() {
    let kind = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = KITCHEN.to_vec();
        edit(&mut bytes);
        Dex::read(&bytes).unwrap_err().kind
    };
    let version = |v: &'static [u8; 3]| move |b: &mut Vec<u8>| b[4..7].copy_from_slice(v);
    assert_eq!(kind(&version(b"034")), ReadErrorKind::Version(34));
    assert!(kind(&version(b"041")).to_string().contains("041 and above are containers"));
    assert_eq!(kind(&version(b"abc")), ReadErrorKind::NotDex);
    assert_eq!(kind(&|b| b[..4].copy_from_slice(b"cdex")), ReadErrorKind::CompactDex);
    assert_eq!(kind(&|b| b[..4].copy_from_slice(b"PK\x03\x04")), ReadErrorKind::NotDex);
    assert_eq!(kind(&|b| b.clear()), ReadErrorKind::NotDex);
    assert_eq!(kind(&|b| put_u32(b, 40, 0x7856_3412)), ReadErrorKind::BigEndian);
    assert_eq!(kind(&|b| put_u32(b, 40, 1)), ReadErrorKind::EndianTag(1));
    assert_eq!(kind(&|b| put_u32(b, 36, 0x78)), ReadErrorKind::HeaderSize(0x78));
    assert!(matches!(kind(&|b| b[200] ^= 1), ReadErrorKind::Checksum { .. }));
    assert!(matches!(kind(&|b| b.truncate(b.len() - 1)), ReadErrorKind::FileSize { .. }));
    for v in 35..=40u16 {
        let mut dex = Dex::read(KITCHEN).unwrap();
        dex.version = Version(v);
        assert_eq!(again(&dex).version, Version(v));
    }
}

#[test]
fn counts_that_lie_are_found_before_memory_is_taken() {
    // Position of a count and the section that an error must name.
    let header = [
        (56, Section::StringIds),
        (64, Section::TypeIds),
        (72, Section::ProtoIds),
        (80, Section::FieldIds),
        (88, Section::MethodIds),
        (96, Section::ClassDefs),
    ];
    // Written by us, as smali also writes items that nothing refers to.
    let (kitchen, dynamic) = (
        Dex::read(KITCHEN).unwrap().write().unwrap(),
        Dex::read(DYNAMIC).unwrap().write().unwrap(),
    );
    let (kitchen, dynamic) = (&kitchen[..], &dynamic[..]);
    let of = |bytes, kind, plus, expected| (bytes, section(bytes, kind) + plus, expected);
    let mut cases: Vec<_> = header.iter().map(|&(at, expected)| (kitchen, at, expected)).collect();
    cases.extend([
        (kitchen, get_u32(kitchen, 52) as usize, Section::Map),
        of(kitchen, 0x1001, 0, Section::TypeList),
        of(kitchen, 0x1002, 0, Section::AnnotationSet),
        of(kitchen, 0x1003, 0, Section::AnnotationSet),
        of(kitchen, 0x2001, 12, Section::CodeItem),
        of(kitchen, 0x2006, 4, Section::AnnotationsDirectory),
        of(kitchen, 0x2006, 8, Section::AnnotationsDirectory),
        of(kitchen, 0x2006, 12, Section::AnnotationsDirectory),
        // LEB128 counts: FF FF FF 7F is 268 million.
        of(kitchen, 0x2000, 0, Section::ClassData),
        of(kitchen, 0x2002, 0, Section::StringData),
        of(kitchen, 0x2005, 0, Section::EncodedArray),
        of(dynamic, 0x2005, 0, Section::EncodedArray),
    ]);
    for (bytes, at, expected) in cases {
        for lie in [0x7FFF_FFFF, 0x7FFF_FFFF_u32.swap_bytes() | 0x80] {
            let mut bytes = bytes.to_vec();
            put_u32(&mut bytes, at, lie);
            let Err(error) = read_unchecked(&bytes) else {
                panic!("{expected} at {at:#x}, {lie:#x}")
            };
            assert_eq!(error.section, expected, "{error}");
        }
    }
    // Counts in the map.
    let map = get_u32(dynamic, 52) as usize;
    for (kind, expected) in [(7u16, Section::CallSiteIds), (8, Section::MethodHandles)] {
        let entry =
            (map + 4..).step_by(12).find(|&at| dynamic[at..at + 2] == kind.to_le_bytes()).unwrap();
        let mut bytes = dynamic.to_vec();
        put_u32(&mut bytes, entry + 4, 0x0FFF_FFFF);
        assert_eq!(read_unchecked(&bytes).unwrap_err().section, expected);
    }
    let mut bytes = HIDDEN.to_vec();
    let offset = section(HIDDEN, 0xF000) + 4;
    put_u32(&mut bytes, offset, 0x0FFF_FFFF);
    assert_eq!(read_unchecked(&bytes).unwrap_err().section, Section::HiddenapiClassData);
}

#[test]
fn truncated_files_give_errors() {
    for bytes in ALL {
        for end in (0..bytes.len()).step_by(7) {
            let mut cut = bytes[..end].to_vec();
            assert!(read_unchecked(&cut).is_err());
            if end >= 0x70 {
                // A header that agrees with the length, so that the sections are looked at.
                put_u32(&mut cut, 32, end as u32);
                assert!(read_unchecked(&cut).is_err());
            }
        }
    }
}

#[test]
fn items_shared_without_measure_are_refused() {
    let mut dex = Dex::new(Version(35));
    let types: Vec<_> = (0..3_000).map(|i| dex.intern_type(&format!("L{i};"))).collect();
    for &return_type in &types {
        dex.protos.push(Proto { return_type, parameters: types.clone() });
    }
    // 0.1 MB in which each of 3,000 prototypes names the same list of 3,000 types.
    let bytes = dex.write().unwrap();
    assert!(bytes.len() < 150_000);
    assert_eq!(Dex::read(&bytes).unwrap_err().kind, ReadErrorKind::Expansion);
}

#[test]
fn nesting_without_end_is_refused() {
    let mut value = EncodedValue::Null;
    for _ in 0..1_000 {
        value = EncodedValue::Array(Box::new(vec![value]));
    }
    let mut dex = Dex::new(Version(35));
    let mut a = class(&mut dex, "La;");
    a.static_values = vec![value];
    dex.classes.push(a);
    let error = Dex::read(&dex.write().unwrap()).unwrap_err();
    assert_eq!((error.section, error.kind), (Section::EncodedArray, ReadErrorKind::Nesting(64)));
}
