//! What libraries call by convention has a guard in a first release, also where only a text of the
//! package names the class.

use apk::AppSet;
use dex::{Dex, Version};
use instrumenter::Options;
use instrumenter::app::instrument_app;
use model::profile::Profile;
use tests::zip::stored;

/// Two constructors that throw, both called.
const CLASSES: &str = "\
.class public Lp/Named;
.super Ljava/lang/Object;
.method public constructor <init>()V
.code registers=2 ins=1 outs=1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    sget v0, Lp/Main;->size:I
    if-eqz v0, :none
    new-array v0, v0, [I
:none
    return-void
.end method

.class public Lp/Main;
.super Ljava/lang/Object;
.field static size:I
.method public static main([Ljava/lang/String;)V
.code registers=2 ins=1 outs=1
    new-instance v0, Lp/Named;
    invoke-direct {v0}, Lp/Named;-><init>()V
    return-void
.end method
";

/// Whether the constructor of `p.Named` has a guard in a package with this text.
fn is_guarded(name: &str, text: &str, model: Option<Profile>) -> bool {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(CLASSES, &mut dex).expect("parses");
    let code = dex.write().expect("writes");
    let folder = tempfile::tempdir().expect("a folder");
    let jar = folder.path().join("app.jar");
    std::fs::write(&jar, stored(&[("classes.dex", &code), (name, text.as_bytes())]))
        .expect("writes");
    let options = Options { model, ..Options::default() };
    let out = instrument_app(
        &AppSet::read(&[&jar]).unwrap(),
        &options,
        apk::WriteOptions::default(),
        || Ok(None),
    );
    let map = out.expect("instruments").map.expect("a map");
    let map = map.unpack();
    let is_it = |m: &&model::map::Method| {
        [m.class, m.name].map(|n| &*map.names[n.0 as usize]) == ["Lp/Named;", "<init>"]
    };
    map.methods.iter().find(is_it).expect("it takes part").guarded
}

#[test]
fn a_text_that_names_a_class_has_its_constructor_guarded() {
    assert!(is_guarded("META-INF/services/p.Service", "p.Named\n", None));
    assert!(is_guarded("p/factory.properties", "handler = p.Named\n", None));
    assert!(!is_guarded("p/factory.properties", "handler = p.Other\n", None));
    // Not a text.
    assert!(!is_guarded("res/picture.png", "p.Named", None));
}

#[test]
fn a_model_knows_better() {
    assert!(!is_guarded("META-INF/services/p.Service", "p.Named\n", Some(Profile::default())));
}
