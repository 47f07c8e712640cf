//! Methods that libraries call by convention have guards in a first release, also where only a text
//! of the package names the class.

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

/// A view that a layout may name, and what it may call; both are called by the app, too.
const VIEWS: &str = "\
.class public Lp/MyView;
.super Ljava/lang/Object;
.method public constructor <init>(Landroid/content/Context;Landroid/util/AttributeSet;)V
.code registers=4 ins=3 outs=1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    sget v0, Lp/MyView;->size:I
    if-eqz v0, :none
    new-array v0, v0, [I
:none
    return-void
.end method
.method public onBuy(Landroid/view/View;)V
.code registers=3 ins=2 outs=1
    sget v0, Lp/MyView;->size:I
    if-eqz v0, :none
    new-array v0, v0, [I
:none
    return-void
.end method
.method public static main(Landroid/view/View;)V
.code registers=3 ins=1 outs=3
    const/4 v0, 0x0
    new-instance v1, Lp/MyView;
    invoke-direct {v1, v0, v0}, \
Lp/MyView;-><init>(Landroid/content/Context;Landroid/util/AttributeSet;)V
    invoke-virtual {v1, p0}, Lp/MyView;->onBuy(Landroid/view/View;)V
    return-void
.end method
";

/// Binary XML with these strings in UTF-16, and no element.
fn binary_xml(strings: &[&str]) -> Vec<u8> {
    let (mut data, mut offsets) = (Vec::new(), Vec::new());
    for s in strings {
        offsets.extend((data.len() as u32).to_le_bytes());
        data.extend((s.len() as u16).to_le_bytes());
        data.extend(s.bytes().flat_map(|b| [b, 0]).chain([0, 0]));
    }
    data.resize(data.len().next_multiple_of(4), 0);
    let start = 28 + offsets.len() as u32;
    let pool = start + data.len() as u32;
    let words = [0x0008_0003, 8 + pool, 0x001c_0001, pool, strings.len() as u32, 0, 0, start, 0];
    let head: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    [head, offsets, data].concat()
}

/// Returns true if the constructor of `p.Named` has a guard in a package with this text.
fn is_guarded(name: &str, text: &str, model: Option<Profile>) -> bool {
    guarded(CLASSES, "Lp/Named;-><init>()V", (name, text.as_bytes()), model)
}

/// Returns true if a method of these classes has a guard in a package with this entry.
fn guarded(classes: &str, method: &str, entry: (&str, &[u8]), model: Option<Profile>) -> bool {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(classes, &mut dex).expect("parses");
    let code = dex.write().expect("writes");
    let folder = tempfile::tempdir().expect("a folder");
    let jar = folder.path().join("app.jar");
    std::fs::write(&jar, stored(&[("classes.dex", &code), entry])).expect("writes");
    let options = Options { model, ..Options::default() };
    let out = instrument_app(
        &AppSet::read(&[&jar]).unwrap(),
        &options,
        apk::WriteOptions::default(),
        || Ok(None),
    );
    let map = out.expect("instruments").map.expect("a map");
    let map = map.unpack();
    map.methods.iter().find(|m| map.method_key(m) == method).expect("it takes part").guarded
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
fn views_and_handlers_that_a_layout_names_have_guards() {
    const VIEW: &str = "Lp/MyView;-><init>(Landroid/content/Context;Landroid/util/AttributeSet;)V";
    const HANDLER: &str = "Lp/MyView;->onBuy(Landroid/view/View;)V";
    let is_guarded =
        |method, name, strings: &[&str]| guarded(VIEWS, method, (name, &binary_xml(strings)), None);
    for name in ["res/layout/main.xml", "resources.arsc"] {
        assert!(is_guarded(VIEW, name, &["text", "p.MyView"]), "{name}");
        assert!(is_guarded(HANDLER, name, &["onBuy"]), "{name}");
        assert!(!is_guarded(VIEW, name, &["p.Other", "onBuy"]), "{name}");
        assert!(!is_guarded(HANDLER, name, &["p.MyView", "onSell"]), "{name}");
    }
}

#[test]
fn a_model_knows_better() {
    assert!(!is_guarded("META-INF/services/p.Service", "p.Named\n", Some(Profile::default())));
}
