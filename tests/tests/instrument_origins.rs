//! Callbacks that record where they came from: which methods, which values, and what the app's own
//! classes rule out.

use apk::{AppSet, ResourceIds, WriteOptions};
use dex::{Args, Dex, Item, Ref, Version};
use instrumenter::app::instrument_app;
use instrumenter::graphs::{OriginFacts, app_facts};
use instrumenter::{Options, RecordingOptions, RuntimeHome, Warning, instrument};
use model::map::{Map, OriginKind};
use model::recording::TraceCodec;
use tests::zip::stored;

/// A method that calls something, so that it is no leaf.
fn method(flags: &str, sig: &str, registers: u16, body: &str) -> String {
    format!(
        ".method {flags} {sig}\n.code registers={registers} ins={registers} outs=1\n{body}.end \
         method\n"
    )
}

fn class(name: &str, above: &str, interfaces: &[&str], members: &str) -> String {
    let implements: String =
        interfaces.iter().map(|name| format!(".implements {name}\n")).collect();
    format!(".class public {name}\n.super {above}\n{implements}{members}\n")
}

const CALL: &str = "    invoke-virtual {p0}, Ljava/lang/Object;->notify()V\n    return-void\n";
const ANSWER: &str = "    invoke-virtual {p0}, Ljava/lang/Object;->notify()V\n    const/4 p1, \
                      0x0\n    return p1\n";
const OBJECT: &str = "Ljava/lang/Object;";
const CLICK: &str = "Landroid/view/View$OnClickListener;";

fn listener() -> String {
    let click = method("public", "onClick(Landroid/view/View;)V", 2, CALL);
    class("Lp/Listener;", OBJECT, &[CLICK], &click)
}

struct Build {
    map: Map,
    dex: Dex,
    runtime: Dex,
    warnings: Vec<Warning>,
}

fn build(classes: &str, options: &Options) -> Build {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(classes, &mut dex).expect("parses");
    let files = vec![("classes.dex".to_owned(), dex.write().expect("writes"))];
    let out = instrument(files, RuntimeHome::OwnFile, "p", options).expect("instruments");
    Build {
        map: out.map.expect("a map").unpack(),
        dex: Dex::read(&out.files[0].1).expect("reads"),
        runtime: Dex::read(&out.added[0]).expect("reads"),
        warnings: out.report.warnings,
    }
}

fn options() -> Options {
    let names = vec![Some("save".into()), None];
    let resources = vec![ResourceIds { first: 0x7f01_0000, names }];
    Options { resources, ..Options::default() }
}

impl Build {
    /// The probes of origins that a method calls.
    fn asked(&self, class: &str, name: &str) -> Vec<String> {
        let of_class = self.dex.classes.iter().find(|c| self.dex.type_name(c.ty) == class);
        let method = of_class
            .expect("the class")
            .methods()
            .find(|m| self.dex.string(self.dex.methods.items()[m.method.index()].name) == name);
        let code = method.and_then(|m| m.code).and_then(|c| self.dex.code(c)).expect("code");
        let code = code.expect("decodes");
        let calls = code.nodes.iter().filter_map(|node| match &node.item {
            Item::Insn(insn) => match insn.args {
                Args::List(_, Ref::Method(m)) | Args::Range(_, _, Ref::Method(m)) => Some(m),
                _ => None,
            },
            _ => None,
        });
        let names = calls.filter_map(|m| {
            let name = self.dex.method_name(m);
            let (class, method) = name.split_once("->")?;
            let probe = method.split_once('(')?.0;
            class.ends_with("/Origins;").then(|| probe.to_owned())
        });
        names.collect()
    }

    fn kinds(&self) -> Vec<OriginKind> {
        self.map.origins.iter().map(|range| range.kind).collect()
    }
}

#[test]
fn listeners_and_methods_of_android_s_classes_are_asked() {
    let row = "(Landroid/widget/AdapterView;Landroid/view/View;IJ)V";
    let intent = "Landroid/content/Intent;";
    let items = method("public", &format!("onItemClick{row}"), 6, CALL);
    let key = method("public", "onKeyDown(ILandroid/view/KeyEvent;)Z", 3, ANSWER);
    let menu = method("public", "onOptionsItemSelected(Landroid/view/MenuItem;)Z", 2, ANSWER);
    let new_intent = method("public", &format!("onNewIntent({intent})V"), 2, CALL);
    let handler = method("public", "onBuy(Landroid/view/View;)V", 2, CALL);
    let refresh = "    const-string p1, \"p.REFRESH\"\n    invoke-virtual {p2, p1}, \
                   Landroid/content/Intent;->setAction(Ljava/lang/String;)\
                   Landroid/content/Intent;\n    return-void\n";
    let receive = format!("onReceive(Landroid/content/Context;{intent})V");
    let receive = method("public", &receive, 3, refresh).replace("outs=1", "outs=2");
    let classes = [
        listener(),
        class("Lp/Rows;", OBJECT, &["Landroid/widget/AdapterView$OnItemClickListener;"], &items),
        class(
            "Lp/Screen;",
            "Landroid/app/Activity;",
            &[],
            &[key, menu, new_intent, handler].concat(),
        ),
        class("Lp/Receiver;", "Landroid/content/BroadcastReceiver;", &[], &receive),
    ];
    let build = build(&classes.concat(), &options());
    assert_eq!(build.asked("Lp/Listener;", "onClick"), ["view"]);
    assert_eq!(build.asked("Lp/Rows;", "onItemClick"), ["view", "position"]);
    assert_eq!(build.asked("Lp/Screen;", "onKeyDown"), ["key"]);
    assert_eq!(build.asked("Lp/Screen;", "onOptionsItemSelected"), ["menu"]);
    assert_eq!(build.asked("Lp/Screen;", "onNewIntent"), ["intent"]);
    assert_eq!(build.asked("Lp/Screen;", "onBuy"), ["view"]);
    assert_eq!(build.asked("Lp/Receiver;", "onReceive"), ["intent"]);
    use OriginKind::{Action, Id, Key, Position};
    let mut kinds = build.kinds();
    kinds.dedup();
    assert_eq!(kinds, [Id, Position, Key, Action]);
    let keys = build.map.origins.iter().filter(|range| range.kind == Key);
    let keys = keys.map(|range| range.count).sum::<u32>();
    let first = build.map.methods.len() as u32 + 1;
    let shown = |id: u32| {
        build.map.origin_of(id).and_then(|o| build.map.callback_origin(o)).map(|o| o.to_string())
    };
    assert_eq!(shown(first), Some("#save".into()));
    assert_eq!(shown(first + 1), Some("0x7f010001".into()));
    assert_eq!(shown(first + 2 + 64 + keys), Some("p.REFRESH".into()));
    assert_eq!(shown(first + 2 + 64 + keys + 1), None);
    assert_eq!(shown(first - 1), None, "a method");
    assert!(u64::from(first + 2 + 64 + keys) < 1 << build.map.id_bits);
    assert!(keys < 512);
}

#[test]
fn methods_of_the_same_name_that_android_does_not_call_are_not_asked() {
    let click = method("public", "onClick(Landroid/view/View;)V", 2, CALL);
    let fixed = method("public static", "onClick(Landroid/view/View;)V", 1, CALL);
    let content = method("public", "setContentView(Landroid/view/View;)V", 2, CALL);
    let classes = [
        // Something else of Android calls it, so it has a guard.
        class("Lp/Other;", OBJECT, &["Ljava/lang/Runnable;"], &click),
        class("Lp/Fixed;", OBJECT, &[CLICK], &fixed),
        class("Lp/Screen;", "Landroid/app/Activity;", &[], &content),
    ];
    let build = build(&classes.concat(), &options());
    assert!(build.asked("Lp/Other;", "onClick").is_empty());
    assert!(build.asked("Lp/Fixed;", "onClick").is_empty());
    assert!(build.asked("Lp/Screen;", "setContentView").is_empty());
    assert!(build.map.origins.is_empty());
}

#[test]
fn builds_without_ids_and_builds_that_count_have_no_origins() {
    let none = build(&listener(), &Options { ids: false, ..options() });
    let counts =
        Options { resources: options().resources, ..Options::new(RecordingOptions::Edges) };
    for build in [none, build(&listener(), &counts)] {
        assert!(build.asked("Lp/Listener;", "onClick").is_empty());
        assert!(build.map.origins.is_empty());
        let has = |dex: &Dex| {
            let names = dex.methods.items().iter().map(|m| dex.type_name(m.class).into_owned());
            names.filter(|class| class.contains("android/view")).count()
        };
        assert_eq!(has(&build.runtime), 0, "the runtime has no code for it");
    }
}

#[test]
fn the_runtime_has_only_the_questions_that_are_asked() {
    for codec in [TraceCodec::Arith, TraceCodec::Pap, TraceCodec::Huffman] {
        let options = Options { resources: options().resources, ..Options::new(codec) };
        let build = build(&listener(), &options);
        assert_eq!(build.asked("Lp/Listener;", "onClick"), ["view"], "{codec:?}");
        let types = |name: &str| {
            let all = (0..build.runtime.types.len() as u32).map(dex::TypeIdx);
            all.filter(|&t| build.runtime.type_name(t) == name).count()
        };
        assert_eq!(types("Landroid/view/View;"), 1);
        assert_eq!(types("Landroid/view/MenuItem;"), 0);
        assert_eq!(types("Landroid/content/Intent;"), 0);
    }
}

#[test]
fn views_that_compute_their_id_are_not_asked() {
    let id = "    iget p0, p0, Lp/Plain;->id:I\n    return p0\n";
    let plain = format!(".field id:I\n{}", method("public", "getId()I", 1, id));
    let computed = "    invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I\n    move-result \
                    p0\n    return p0\n";
    let computed = method("public", "getId()I", 1, computed);
    let classes = [
        listener(),
        class("Lp/Plain;", "Landroid/view/View;", &[], &plain),
        class("Lp/Computed;", "Landroid/widget/Button;", &[], &computed),
        class("Lp/NoView;", OBJECT, &[], &computed),
    ];
    let build = build(&classes.concat(), &options());
    assert_eq!(build.asked("Lp/Listener;", "onClick"), ["view"]);
    let strings: Vec<String> = build
        .runtime
        .strings
        .items()
        .iter()
        .map(|s| String::from_utf8_lossy(&s.0).into())
        .collect();
    assert!(strings.contains(&"p.Computed".to_owned()), "{strings:?}");
    assert!(build.warnings.is_empty(), "{:?}", build.warnings);
}

#[test]
fn too_many_such_classes_leave_all_views_out() {
    let computed = method(
        "public",
        "getId()I",
        1,
        "    invoke-virtual {p0}, \
         Ljava/lang/Object;->hashCode()I\n    move-result p0\n    return p0\n",
    );
    let views = (0..17).map(|n| class(&format!("Lp/V{n};"), "Landroid/view/View;", &[], &computed));
    let classes: String = [listener()].into_iter().chain(views).collect();
    let build = build(&classes, &options());
    assert!(build.asked("Lp/Listener;", "onClick").is_empty());
    assert_eq!(build.warnings, [Warning::ViewIds { classes: 17 }]);
}

#[test]
fn menu_items_of_the_app_that_compute_their_id_leave_all_menu_items_out() {
    let menu = method("public", "onOptionsItemSelected(Landroid/view/MenuItem;)Z", 2, ANSWER);
    let screen = class("Lp/Screen;", "Landroid/app/Activity;", &[], &menu);
    let item = |body: &str| {
        let get = method("public", "getItemId()I", 1, body);
        class("Lp/Item;", OBJECT, &["Landroid/view/MenuItem;"], &get)
    };
    let wrapped = "    iget-object p0, p0, Lp/Item;->inner:Landroid/view/MenuItem;\n    \
                   invoke-interface {p0}, Landroid/view/MenuItem;->getItemId()I\n    move-result \
                   p0\n    return p0\n";
    let wrapper = item(wrapped).replace(".method", ".field inner:Landroid/view/MenuItem;\n.method");
    let found = build(&[screen.clone(), wrapper].concat(), &options());
    assert_eq!(found.asked("Lp/Screen;", "onOptionsItemSelected"), ["menu"]);
    let computed = item(
        "    invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I\n    \
                         move-result p0\n    return p0\n",
    );
    let found = build(&[screen, computed].concat(), &options());
    assert!(found.asked("Lp/Screen;", "onOptionsItemSelected").is_empty());
    assert_eq!(found.warnings, [Warning::MenuIds]);
}

#[test]
fn names_come_from_the_package_s_resources() {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(&listener(), &mut dex).expect("parses");
    let table = include_bytes!("../../apk/tests/resources/dense.arsc");
    let zip = stored(&[
        ("classes.dex", &dex.write().expect("writes")[..]),
        ("resources.arsc", &table[..]),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let jar = folder.path().join("app.jar");
    std::fs::write(&jar, zip).expect("writes");
    let set = AppSet::read(&[&jar]).expect("opens");
    let out = instrument_app(&set, &Options::default(), WriteOptions::default(), || Ok(None));
    let map = out.expect("instruments").map.expect("a map").unpack();
    let names = map.origins[0].names.iter().flatten().map(|name| map.name(*name));
    assert_eq!(names.collect::<Vec<_>>(), ["delete_note", "save", "title", "back"]);
}

/// Calls of each probe of origins in an instrumented app, by the name of the probe.
fn probes_in(app: &std::path::Path) -> std::collections::BTreeMap<String, usize> {
    let set = AppSet::read(&[app]).expect("opens");
    let out = instrument_app(&set, &Options::default(), WriteOptions::default(), || Ok(None));
    let folder = tempfile::tempdir().expect("a folder");
    let written = folder.path().join("app.apk");
    std::fs::write(&written, &out.expect("instruments").files[0]).expect("writes");
    let mut found = std::collections::BTreeMap::new();
    for file in AppSet::read(&[&written]).expect("opens").base().dex_files().expect("code").loaded {
        let dex = Dex::read(&file.bytes).expect("reads");
        let methods = dex.classes.iter().flat_map(|c| c.methods()).filter_map(|m| m.code);
        for code in methods.filter_map(|code| dex.code(code)).filter_map(Result::ok) {
            for node in &code.nodes {
                let Item::Insn(insn) = &node.item else { continue };
                let Some(Ref::Method(method)) = insn.reference() else { continue };
                let name = dex.method_name(method);
                let probe = name.split_once("/Origins;->").map(|n| n.1);
                let probe = probe.and_then(|probe| probe.split_once('(')).map(|probe| probe.0);
                *found.entry(probe.unwrap_or_default().to_owned()).or_default() += 1;
            }
        }
    }
    found
}

/// `inspect` of an app counts what `instrument` then writes.
#[test]
fn facts_of_an_app_count_the_callbacks_that_are_asked() {
    for name in ["tether", "notes", "kernels"] {
        let app = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../android-fixtures/{name}/prebuilt/{name}.apk"));
        let facts = app_facts(&app).expect("facts").origins.expect("it is not instrumented");
        let probes = probes_in(&app);
        let count = |probe: &str| probes.get(probe).copied().unwrap_or_default();
        let of = ["view", "menu", "intent", "position", "key"].map(count);
        let OriginFacts { views, menu_items, actions, positions, keys, .. } = facts;
        assert_eq!([views, menu_items, actions, positions, keys], of, "{name}: {probes:?}");
    }
}

/// A log has no texts: letters, digits and signs are no origins.
#[test]
fn keys_that_write_a_character_are_not_recorded() {
    let key = method("public", "onKeyUp(ILandroid/view/KeyEvent;)Z", 3, ANSWER);
    let found = build(&class("Lp/Screen;", "Landroid/app/Activity;", &[], &key), &options());
    let has =
        |code: u32| found.map.origins.iter().any(|r| (r.first..r.first + r.count).contains(&code));
    // 0 to 9, A to Z, comma, space, @, the number pad.
    for code in (7..=16).chain(29..=56).chain([62, 77]).chain(144..=163) {
        assert!(!has(code), "{code}");
    }
    // Back, Volume Up, Enter, Menu.
    for code in [4, 24, 66, 82] {
        assert!(has(code), "{code}");
    }
}
