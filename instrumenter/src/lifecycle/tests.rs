//! Tests of the platform's table, and of graphs of hand-made apps.

use std::collections::{BTreeMap, HashSet};

use apk::{Component, Manifest};
use dex::EncodedMethod;
use dex::{AccessFlags, Body, ClassDef, CodeId, CodeItem, Dex};
use model::map::MethodId;
use model::profile::Tally;

use super::*;
use crate::analysis::program::DexFile;

/// Descriptor, superclass, and methods that the class defines.
type Class<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Builds a program whose methods all are a lone `return-void`.
fn program(classes: &[Class<'_>]) -> Program {
    let mut dex = Dex::new(dex::Version(35));
    for (name, superclass, methods) in classes {
        let ty = dex.intern_type(name);
        let superclass = dex.intern_type(superclass);
        let mut class =
            ClassDef { superclass: Some(superclass), ..ClassDef::new(ty, AccessFlags::PUBLIC) };
        for m in *methods {
            let (method_name, rest) = m.split_once('(').unwrap();
            let (params, ret) = rest.split_once(')').unwrap();
            let params = split(params);
            let method = dex.intern_method(name, method_name, ret, &params);
            let code = CodeId(dex.codes.len() as u32);
            dex.codes.push(Body::from(CodeItem {
                registers: 4,
                ins: 4,
                outs: 0,
                insns: vec![0x000e],
                tries: Vec::new(),
                handlers: Vec::new(),
                debug: None,
            }));
            class.virtual_methods.push(EncodedMethod {
                method,
                access: AccessFlags::PUBLIC,
                code: Some(code),
                hiddenapi: None,
            });
        }
        dex.classes.push(class);
    }
    Program::new(vec![DexFile { name: "classes.dex".into(), dex }])
}

/// Splits parameter descriptors.
fn split(mut params: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while !params.is_empty() {
        let dims = params.bytes().take_while(|&b| b == b'[').count();
        let end =
            if params.as_bytes()[dims] == b'L' { params.find(';').unwrap() + 1 } else { dims + 1 };
        let (one, rest) = params.split_at(end);
        all.push(one);
        params = rest;
    }
    all
}

fn component(kind: ComponentKind, class: &str, launcher: bool) -> Component {
    Component {
        kind,
        class: class.into(),
        target_activity: None,
        process: "app".into(),
        exported: None,
        enabled: None,
        launcher,
    }
}

fn manifest(components: Vec<Component>) -> Manifest {
    Manifest { package: "app".into(), process: "app".into(), components, ..Manifest::default() }
}

/// Returns edges as `from > to`, by method names.
fn edges(graph: &Lifecycle) -> Vec<String> {
    let name = |p| endpoint_name(graph, p).split('(').next().unwrap().to_owned();
    graph.edges.iter().map(|e| format!("{} > {}", name(e.from), name(e.to))).collect()
}

const ON_CREATE: &str = "onCreate(Landroid/os/Bundle;)V";

#[test]
fn every_order_is_closed_and_reaches_each_callback_and_the_end() {
    for kind in order::KINDS {
        let order = order::order(kind);
        let next: HashMap<&str, &[&str]> = order.edges.iter().copied().collect();
        assert_eq!(next.len(), order.edges.len(), "{kind}: two rows for one callback or state");
        let labels: HashSet<&str> = order.callbacks.iter().map(|c| c.label).collect();
        let signatures: HashSet<&str> = order.callbacks.iter().map(|c| c.signature).collect();
        assert_eq!(
            (labels.len(), signatures.len()),
            (order.callbacks.len(), order.callbacks.len()),
            "{kind}: twice"
        );
        for c in order.callbacks {
            let name = c.signature.split('(').next().unwrap();
            assert_eq!(c.label.trim_end_matches('\''), name, "{kind}");
            split(c.signature[name.len() + 1..].split_once(')').unwrap().0);
        }
        let mut reached = HashSet::from([START]);
        let mut work = vec![START];
        while let Some(at) = work.pop() {
            if at == END {
                continue;
            }
            let known =
                at.chars().all(|c| c.is_ascii_uppercase() || c == '_') || labels.contains(at);
            assert!(known && next.contains_key(at), "{kind}: {at} leads nowhere");
            work.extend(next[at].iter().filter(|to| reached.insert(to)));
        }
        assert!(reached.contains(END), "{kind}");
        assert!(labels.is_subset(&reached), "{kind}: {:?}", labels.difference(&reached));
    }
}

#[test]
fn a_full_activity_goes_through_the_documented_order() {
    let all = [
        ON_CREATE,
        "onStart()V",
        "onResume()V",
        "onPause()V",
        "onStop()V",
        "onRestart()V",
        "onDestroy()V",
    ];
    let p = program(&[("Lapp/Main;", "Landroid/app/Activity;", &all)]);
    let m = manifest(vec![component(ComponentKind::Activity, "app.Main", true)]);
    let graphs = lifecycles(&p, Some(&m));
    // The figure of the guide "The activity lifecycle", and `finish()` in `onCreate` and in
    // `onStart`.
    let mut expected = [
        "start > onCreate",
        "onCreate > onStart",
        "onCreate > onDestroy",
        "onStart > onResume",
        "onStart > onStop",
        "onResume > onPause",
        "onPause > onResume",
        "onPause > onStop",
        "onStop > onRestart",
        "onStop > onDestroy",
        "onStop > end",
        "onRestart > onStart",
        "onDestroy > end",
    ];
    let mut found = edges(&graphs[0]);
    found.sort();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let marked = |f: fn(&CallbackNode) -> bool| {
        graphs[0].nodes.iter().filter(|n| f(n)).map(|n| n.callback).collect::<Vec<_>>()
    };
    assert_eq!(marked(|n| n.initial), ["onCreate"]);
    assert_eq!(marked(|n| n.terminal), ["onStop", "onDestroy"]);
}

#[test]
fn callbacks_that_only_the_platform_defines_are_passed_through() {
    let p = program(&[("Lapp/Main;", "Landroid/app/Activity;", &[ON_CREATE, "onPause()V"])]);
    let m = manifest(vec![component(ComponentKind::Activity, "app.Main", false)]);
    let graph = &lifecycles(&p, Some(&m))[0];
    let edge = graph
        .edges
        .iter()
        .find(|e| e.from == Endpoint::Callback(0) && e.to == Endpoint::Callback(1))
        .unwrap();
    assert_eq!(edge.through, ["onStart", "onResume", "onPostResume"]);
    // An edge from `onPause` leads back to it, or out; never to a second `onCreate` of the same
    // object.
    assert_eq!(
        graph.successors(Endpoint::Callback(1)).collect::<Vec<_>>(),
        [Endpoint::Callback(1), Endpoint::End]
    );
    assert!(graph.nodes.iter().all(|n| !n.initial), "the launcher does not start it");
}

#[test]
fn an_occasional_callback_adds_no_path_if_nothing_defines_it() {
    // `onTrimMemory` comes while running and while stopped: passing through it would skip
    // `onPause`.
    let p = program(&[(
        "Lapp/Main;",
        "Landroid/app/Activity;",
        &["onResume()V", "onPause()V", "onDestroy()V"],
    )]);
    let m = manifest(vec![component(ComponentKind::Activity, "app.Main", false)]);
    let found = edges(&lifecycles(&p, Some(&m))[0]);
    assert!(found.contains(&"onResume > onPause".to_owned()));
    assert!(!found.contains(&"onResume > onDestroy".to_owned()), "{found:?}");
}

#[test]
fn inherited_callbacks_are_the_superclass_s_methods() {
    let p = program(&[
        ("Lapp/Base;", "Landroid/app/Service;", &["onCreate()V", "onDestroy()V"]),
        ("Lapp/Own;", "Lapp/Base;", &["onDestroy()V"]),
    ]);
    let m = manifest(vec![component(ComponentKind::Service, "app.Own", false)]);
    let graph = &lifecycles(&p, Some(&m))[0];
    let nodes: Vec<(String, bool)> =
        graph.nodes.iter().map(|n| (p.method_key(n.method), n.inherited)).collect();
    assert_eq!(
        nodes,
        [("Lapp/Base;->onCreate()V".into(), true), ("Lapp/Own;->onDestroy()V".into(), false)]
    );
    assert_eq!(graph.ancestors, ["Lapp/Base;", "Landroid/app/Service;"]);
}

#[test]
fn fragments_are_found_by_their_superclasses() {
    let p = program(&[
        ("Landroidx/fragment/app/Fragment;", "Ljava/lang/Object;", &["onStart()V"]),
        ("Lapp/Mine;", "Landroidx/fragment/app/Fragment;", &["onResume()V"]),
        ("Lapp/Old;", "Landroid/preference/PreferenceFragment;", &["onPause()V"]),
        ("Lapp/Other;", "Ljava/lang/Object;", &["onPause()V"]),
    ]);
    let found: Vec<(String, bool)> =
        lifecycles(&p, None).iter().map(|g| (g.class.clone(), g.driven_by_app())).collect();
    assert_eq!(found, [("Lapp/Mine;".to_owned(), true), ("Lapp/Old;".to_owned(), false)]);
}

#[test]
fn cyclic_hierarchies_terminate() {
    let p = program(&[("La/A;", "La/B;", &["onReceive()V"]), ("La/B;", "La/A;", &[])]);
    let m = manifest(vec![
        component(ComponentKind::Receiver, "a.A", false),
        component(ComponentKind::Service, "a.Gone", false),
    ]);
    let graphs = lifecycles(&p, Some(&m));
    assert_eq!(graphs.len(), 2);
    assert!(graphs[0].class_no.is_none() && graphs[0].nodes.is_empty());
}

/// Returns the next-callback distributions of an app by names: each callback with its successors.
fn idle(
    p: &Program,
    m: &Manifest,
    history: &[(&str, &[(&str, u64)])],
) -> BTreeMap<String, (Vec<String>, Vec<u64>)> {
    let id = |no: MethodNo| Some(MethodId(no.0 + 1));
    let named = |name: &str| {
        (0..p.methods.len())
            .map(|i| MethodNo(i as u32))
            .find(|&no| p.method_key(no) == name)
            .and_then(id)
    };
    let tallies: Vec<(Option<MethodId>, Tally)> = history
        .iter()
        .map(|(last, next)| (named(last), next.iter().map(|&(n, c)| (n.to_owned(), c)).collect()))
        .collect();
    let tallies = tallies.iter().map(|(m, t)| (*m, t)).collect();
    let name = |m: MethodId| {
        p.method_key(MethodNo(m.0 - 1))
            .split("->")
            .nth(1)
            .unwrap()
            .split('(')
            .next()
            .unwrap()
            .to_owned()
    };
    next_callbacks(&lifecycles(p, Some(m)), &id, &tallies, &named)
        .into_iter()
        .map(|s| {
            assert!(s.callees.windows(2).all(|w| w[0] < w[1]));
            assert_eq!(s.counts.len(), s.callees.len() + 1);
            (
                s.after.map_or(String::new(), name),
                (s.callees.into_iter().map(name).collect(), s.counts),
            )
        })
        .collect()
}

#[test]
fn the_lifecycle_determines_what_follows_a_callback() {
    let p = program(&[
        ("Lapp/Main;", "Landroid/app/Activity;", &["<init>()V", ON_CREATE, "onPause()V"]),
        (
            "Lapp/Other;",
            "Landroid/content/BroadcastReceiver;",
            &["onReceive(Landroid/content/Context;Landroid/content/Intent;)V"],
        ),
    ]);
    let m = manifest(vec![
        component(ComponentKind::Activity, "app.Main", true),
        component(ComponentKind::Receiver, "app.Other", false),
    ]);
    let slots = idle(&p, &m, &[]);
    let next = |last: &str| slots[last].0.clone();
    assert_eq!(next(""), ["<init>", "onReceive"]);
    assert_eq!(next("<init>"), ["onCreate"]);
    // `onDestroy` ends the object, and a new one follows.
    assert_eq!(next("onCreate"), ["<init>", "onPause"]);
    assert_eq!(next("onReceive"), ["onReceive"]);
    assert!(
        slots.values().all(|(_, counts)| counts.iter().all(|&n| n == 0)),
        "all equal without history"
    );
}

#[test]
fn history_adds_callbacks_that_no_lifecycle_knows() {
    let p = program(&[
        ("Lapp/Main;", "Landroid/app/Activity;", &[ON_CREATE, "onPause()V"]),
        ("Lapp/Click;", "Ljava/lang/Object;", &["onClick()V"]),
    ]);
    let m = manifest(vec![component(ComponentKind::Activity, "app.Main", true)]);
    let create = "Lapp/Main;->onCreate(Landroid/os/Bundle;)V";
    let slots = idle(
        &p,
        &m,
        &[
            (create, &[("Lapp/Click;->onClick()V", 7), ("Lapp/Gone;->run()V", 2), ("other", 1)]),
            ("Lapp/Click;->onClick()V", &[(create, 4)]),
        ],
    );
    assert_eq!(
        slots["onCreate"],
        (vec!["onCreate".into(), "onPause".into(), "onClick".into()], vec![3, 0, 0, 7])
    );
    assert_eq!(slots["onClick"], (vec!["onCreate".into()], vec![0, 4]));
}

#[test]
fn history_gives_at_most_thirty_two_callbacks_the_most_frequent() {
    let names: Vec<String> = (0..40).map(|i| format!("m{i:02}()V")).collect();
    let methods: Vec<&str> = names.iter().map(String::as_str).collect();
    let p = program(&[("La/A;", "Ljava/lang/Object;", &methods)]);
    let keys: Vec<(String, u64)> =
        names.iter().enumerate().map(|(i, n)| (format!("La/A;->{n}"), i as u64 + 1)).collect();
    let next: Vec<(&str, u64)> = keys.iter().map(|(k, n)| (k.as_str(), *n)).collect();
    let slots = idle(&p, &Manifest::default(), &[("", &next)]);
    let (callees, counts) = &slots[""];
    assert_eq!((callees.len(), callees[0].as_str(), callees[31].as_str()), (32, "m08", "m39"));
    assert_eq!(counts[0], (1..=8).sum::<u64>(), "the rest is other");
}
