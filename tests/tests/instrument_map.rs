//! Contents of a build's map, method by method.

use apk::Apk;
use instrumenter::{Options, RuntimeHome, instrument};
use model::map::MethodKind;

/// By the source of the fixture, android-fixtures/tether/src.
#[test]
fn what_javac_and_d8_added_is_told_from_what_the_source_says() {
    let apk =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../android-fixtures/tether/prebuilt/tether.apk");
    let files = Apk::read(apk).unwrap().dex_files().unwrap().loaded;
    let files = files.into_iter().map(|f| (f.name, f.bytes)).collect();
    let out = instrument(files, RuntimeHome::OwnFile, "tether", &Options::default()).unwrap();
    let map = out.map.unwrap().unpack();
    let kind = |class: &str, sig: &str| {
        let key = format!("Lorg/example/tether/{class};->{sig}");
        let found = map.methods.iter().find(|m| map.method_key(m) == key);
        found.unwrap_or_else(|| panic!("{key} is in the app")).kind
    };
    let added = [
        // `Client implements Comparable<Client>`: a bridge.
        ("Client", "compareTo(Ljava/lang/Object;)I"),
        // A nested class calls a private method of the outer one.
        ("ClientTable", "access$000(Lorg/example/tether/ClientTable;)I"),
        ("MainActivity$State", "values()[Lorg/example/tether/MainActivity$State;"),
        ("Settings$Security", "valueOf(Ljava/lang/String;)Lorg/example/tether/Settings$Security;"),
        // Of `switch (state)`.
        ("MainActivity$4", "<clinit>()V"),
        // The class of a lambda.
        ("Client$$ExternalSyntheticLambda0", "compare(Ljava/lang/Object;Ljava/lang/Object;)I"),
    ];
    for (class, sig) in added {
        assert_eq!(kind(class, sig), MethodKind::Added, "{class} {sig}");
    }
    let written = [
        ("Client", "compareTo(Lorg/example/tether/Client;)I"),
        // The body of a lambda.
        ("Client", "lambda$static$0(Lorg/example/tether/Client;Lorg/example/tether/Client;)I"),
        ("Settings$Security", "<clinit>()V"),
    ];
    for (class, sig) in written {
        assert_eq!(kind(class, sig), MethodKind::Source, "{class} {sig}");
    }
}
