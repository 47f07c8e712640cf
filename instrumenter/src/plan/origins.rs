//! Origins of callbacks: which methods record where they came from, and which values they may
//! record (`docs/design/origins.md`).
//!
//! Everything follows from types that Android's own names fix, so apps that R8 has renamed have
//! origins too. A value is recorded only if it is a constant of the app.

use std::collections::{BTreeSet, HashMap, HashSet};

use apk::{Manifest, ResourceIds};
use dex::{AccessFlags, Args, Code, Insn, Op, Ref};
use model::map::{MAX_RANGES, OriginKind};
use model::recording::Recording;
use rayon::prelude::*;
use serde::Serialize;

use crate::analysis::cfg::Cfg;
use crate::analysis::effects::is_leaf;
use crate::analysis::program::{ClassNo, MethodNo, Program};
use crate::options::Options;
use crate::plan::by_subject::SubjectId;
use crate::plan::subject::{Selection, Subject};
use crate::warnings::Warning;

/// Subject of a question at the entry of a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Asked {
    /// The id of a view.
    View,
    /// The id of a menu item.
    Menu,
    /// The action of an intent.
    Intent,
    /// A position in a list.
    Position,
    /// A key code.
    Key,
}

impl Asked {
    /// Every subject.
    pub const ALL: [Asked; 5] =
        [Asked::View, Asked::Menu, Asked::Intent, Asked::Position, Asked::Key];
}

/// A question: what is asked, and the parameter, counted from `this`, that answers.
pub(crate) type Question = (Asked, u16);

/// The questions of a callback.
pub(crate) type Questions = [Option<Question>; 2];

/// A method of Android that calls the app.
struct AndroidMethod {
    /// Interface that the class implements; empty: a method of a class of Android.
    interface: &'static str,
    /// Name and descriptor.
    sig: &'static str,
    questions: &'static [Question],
}

const fn callback(
    interface: &'static str,
    sig: &'static str,
    questions: &'static [Question],
) -> AndroidMethod {
    AndroidMethod { interface, sig, questions }
}

const CALLBACKS: &[AndroidMethod] = &[
    callback(
        "Landroid/view/View$OnClickListener;",
        "onClick(Landroid/view/View;)V",
        &[(Asked::View, 1)],
    ),
    callback(
        "Landroid/view/View$OnLongClickListener;",
        "onLongClick(Landroid/view/View;)Z",
        &[(Asked::View, 1)],
    ),
    callback(
        "Landroid/widget/AdapterView$OnItemClickListener;",
        "onItemClick(Landroid/widget/AdapterView;Landroid/view/View;IJ)V",
        &[(Asked::View, 1), (Asked::Position, 3)],
    ),
    callback(
        "Landroid/widget/AdapterView$OnItemLongClickListener;",
        "onItemLongClick(Landroid/widget/AdapterView;Landroid/view/View;IJ)Z",
        &[(Asked::View, 1), (Asked::Position, 3)],
    ),
    callback(
        "Landroid/widget/AdapterView$OnItemSelectedListener;",
        "onItemSelected(Landroid/widget/AdapterView;Landroid/view/View;IJ)V",
        &[(Asked::View, 1), (Asked::Position, 3)],
    ),
    callback(
        "Landroid/widget/CompoundButton$OnCheckedChangeListener;",
        "onCheckedChanged(Landroid/widget/CompoundButton;Z)V",
        &[(Asked::View, 1)],
    ),
    callback(
        "Landroid/view/MenuItem$OnMenuItemClickListener;",
        "onMenuItemClick(Landroid/view/MenuItem;)Z",
        &[(Asked::Menu, 1)],
    ),
    callback("", "onOptionsItemSelected(Landroid/view/MenuItem;)Z", &[(Asked::Menu, 1)]),
    callback("", "onContextItemSelected(Landroid/view/MenuItem;)Z", &[(Asked::Menu, 1)]),
    callback("", "onKeyDown(ILandroid/view/KeyEvent;)Z", &[(Asked::Key, 1)]),
    callback("", "onKeyUp(ILandroid/view/KeyEvent;)Z", &[(Asked::Key, 1)]),
    callback("", "onNewIntent(Landroid/content/Intent;)V", &[(Asked::Intent, 1)]),
    callback("", "onStartCommand(Landroid/content/Intent;II)I", &[(Asked::Intent, 1)]),
    callback(
        "",
        "onReceive(Landroid/content/Context;Landroid/content/Intent;)V",
        &[(Asked::Intent, 2)],
    ),
];

/// Parameters of a method that a layout names as `android:onClick`.
const HANDLER: &str = "(Landroid/view/View;)V";
/// Methods of `android.app.Activity` with these parameters.
const OF_ACTIVITY: [&str; 4] =
    ["setContentView", "registerForContextMenu", "unregisterForContextMenu", "openContextMenu"];

/// The methods by which views and menu items name their ids.
const VIEW_ID: &str = "getId()I";
const ITEM_ID: &str = "getItemId()I";
/// Methods by which an app gives views and menu items ids of its own choice.
const SET_IDS: [&str; 3] = ["setId(I)V", "add(IIII)", "add(IIILjava/lang/CharSequence;)"];

/// Least and largest number of ids that an app may choose by itself, from 1 on. More than the least
/// number count only as far as no id of a method, handler or origin gets longer.
const OWN_IDS: (u32, u32) = (255, 1023);
/// Positions in a list: from 0.
const POSITIONS: u32 = 64;
/// Codes of keys that write no character (`android.view.KeyEvent`): a log has no texts.
const KEYS: [(u32, u32); 8] = [
    // Soft keys, Home, Back, calls.
    (1, 6),
    // The direction pad, volume, power, camera.
    (19, 28),
    // Tab.
    (61, 61),
    // Enter, Delete.
    (66, 67),
    // Headset, focus.
    (79, 80),
    // Menu, search, media, buttons of gamepads, function keys.
    (82, 143),
    // Keys of remote controls, apps.
    (164, 210),
    // Assistant, brightness, media, navigation.
    (219, 288),
];
/// Largest number of actions.
const ACTIONS: usize = 256;
/// Longest action, in bytes.
const ACTION_BYTES: usize = 100;
/// Largest number of classes of views that are not asked. Beyond it no view is asked.
const UNASKED: usize = 16;
/// Largest number of instructions of a getter that may be asked.
const GETTER: usize = 8;

/// Values that origins of a kind may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DraftRange {
    pub kind: OriginKind,
    pub first: u32,
    pub count: u32,
    /// The name of each value, or none at all.
    pub names: Vec<Option<String>>,
}

impl DraftRange {
    fn nameless(kind: OriginKind, first: u32, count: u32) -> DraftRange {
        DraftRange { kind, first, count, names: Vec::new() }
    }
}

/// The origins of a build.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Questions of each method that has some, also of those that are not asked.
    questions: HashMap<SubjectId, &'static [Question]>,
    /// Subjects that are asked.
    pub asked: Vec<Asked>,
    /// Values, in the order of their ids.
    pub ranges: Vec<DraftRange>,
    /// Names of classes of views that are not asked, with dots.
    pub unasked: Vec<String>,
    /// Subjects that cannot be asked in this app.
    pub warnings: Vec<Warning>,
}

impl Origins {
    /// Finds the origins of a selection.
    pub fn find(
        program: &Program,
        selection: &Selection,
        manifest: Option<&Manifest>,
        options: &Options,
    ) -> Origins {
        let mut out = Origins::default();
        if !options.ids || !matches!(selection.probing.recording, Recording::Trace(_)) {
            return out;
        }
        let mut asked: HashSet<Asked> = HashSet::new();
        for (i, subject) in selection.subjects.enumerate() {
            // A leaf has one probe for its entry and its exit, and nothing happens in it.
            if !subject.guarded || subject.leaf || subject.implied {
                continue;
            }
            if let Some(questions) = questions(program, subject.no) {
                asked.extend(questions.iter().map(|q| q.0));
                out.questions.insert(i, questions);
            }
        }
        out.decide(program, selection.subjects.len(), asked, manifest, &options.resources);
        out
    }

    /// Decides which of these subjects are asked, and finds their values. `methods`: number of
    /// methods that take part.
    fn decide(
        &mut self,
        program: &Program,
        methods: usize,
        mut asked: HashSet<Asked>,
        manifest: Option<&Manifest>,
        resources: &[ResourceIds],
    ) {
        if asked.contains(&Asked::Menu) && others(program, ITEM_ID).next().is_some() {
            self.warnings.push(Warning::MenuIds);
            asked.remove(&Asked::Menu);
        }
        if asked.contains(&Asked::View) {
            let classes = others(program, VIEW_ID).filter(|&class| may_be_view(program, class));
            let names = classes.map(|class| program.text(program.class(class).name));
            let names: BTreeSet<String> = names.map(model::descriptors::dotted_name).collect();
            if names.len() > UNASKED {
                self.warnings.push(Warning::ViewIds { classes: names.len() });
                asked.remove(&Asked::View);
            } else {
                self.unasked = names.into_iter().collect();
            }
        }
        self.add_ranges(program, methods, &asked, manifest, resources);
        let has = |kind| self.ranges.iter().any(|range| range.kind == kind);
        asked.retain(|&asked| has(kind_of(asked)));
        self.asked = Asked::ALL.into_iter().filter(|a| asked.contains(a)).collect();
    }

    fn add_ranges(
        &mut self,
        program: &Program,
        methods: usize,
        asked: &HashSet<Asked>,
        manifest: Option<&Manifest>,
        resources: &[ResourceIds],
    ) {
        if asked.contains(&Asked::View) || asked.contains(&Asked::Menu) {
            let resources = resources.iter().take(MAX_RANGES - 3 - KEYS.len());
            self.ranges.extend(resources.map(|ids| DraftRange {
                kind: OriginKind::Id,
                first: ids.first,
                count: ids.names.len() as u32,
                names: ids.names.clone(),
            }));
        }
        if asked.contains(&Asked::Position) {
            self.ranges.push(DraftRange::nameless(OriginKind::Position, 0, POSITIONS));
        }
        if asked.contains(&Asked::Key) {
            let keys = KEYS.map(|(first, last)| (first, last - first + 1));
            let keys = keys.map(|(first, n)| DraftRange::nameless(OriginKind::Key, first, n));
            self.ranges.extend(keys);
        }
        let actions = match asked.contains(&Asked::Intent) {
            true => actions(program, manifest),
            false => Vec::new(),
        };
        if !actions.is_empty() {
            self.ranges.push(DraftRange {
                kind: OriginKind::Action,
                first: 0,
                count: actions.len() as u32,
                names: actions.into_iter().map(Some).collect(),
            });
        }
        if (asked.contains(&Asked::View) || asked.contains(&Asked::Menu)) && sets_ids(program) {
            let others = self.ranges.iter().map(|range| range.count).sum::<u32>();
            let count = own_ids(methods as u32 + others);
            self.ranges.push(DraftRange::nameless(OriginKind::Id, 1, count));
        }
    }

    /// Returns the questions at the entry of a method.
    pub fn of(&self, subject: SubjectId) -> Questions {
        let questions = self.questions.get(&subject).copied().unwrap_or_default();
        let mut asked = questions.iter().copied().filter(|q| self.asked.contains(&q.0));
        std::array::from_fn(|_| asked.next())
    }
}

/// Callbacks of an app that can record their origins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OriginFacts {
    /// Callbacks that can record the id of a view.
    pub views: usize,
    /// Callbacks that can record the id of a menu item.
    pub menu_items: usize,
    /// Callbacks that can record the action of an intent.
    pub actions: usize,
    /// Callbacks that can record a position in a list.
    pub positions: usize,
    /// Callbacks that can record a key code.
    pub keys: usize,
    /// Ids that the app's resources name.
    pub named_ids: usize,
}

impl OriginFacts {
    /// Counts the callbacks of a whole app, without decisions about single methods.
    pub(crate) fn of_app(
        program: &Program,
        manifest: Option<&Manifest>,
        resources: &[ResourceIds],
    ) -> OriginFacts {
        let callbacks: Vec<&'static [Question]> = (0..program.methods.len() as u32)
            .map(MethodNo)
            .filter_map(|no| Some((no, questions(program, no)?)))
            .filter(|&(no, _)| !is_leaf_or_unreadable(program, no))
            .map(|(_, questions)| questions)
            .collect();
        let mut origins = Origins::default();
        let asked = callbacks.iter().flat_map(|questions| questions.iter().map(|q| q.0)).collect();
        origins.decide(program, program.methods.len(), asked, manifest, resources);
        let count = |subject: Asked| {
            let asks = |questions: &&&[Question]| questions.iter().any(|q| q.0 == subject);
            match origins.asked.contains(&subject) {
                true => callbacks.iter().filter(asks).count(),
                false => 0,
            }
        };
        OriginFacts {
            views: count(Asked::View),
            menu_items: count(Asked::Menu),
            actions: count(Asked::Intent),
            positions: count(Asked::Position),
            keys: count(Asked::Key),
            named_ids: resources.iter().flat_map(|ids| &ids.names).flatten().count(),
        }
    }
}

/// Returns true for methods that never take part with a probe at their entry alone.
fn is_leaf_or_unreadable(program: &Program, no: MethodNo) -> bool {
    let method = program.method(no);
    let file = program.class(method.class).dex;
    let dex = &program.files[file].dex;
    let code = method.code.and_then(|code| dex.code(code)).and_then(Result::ok);
    let Some(code) = code else { return true };
    let Some(cfg) = Cfg::build(&code) else { return true };
    is_leaf(program, file, method, &code, &cfg)
}

/// Returns the number of an app's own ids beside this many other ids: the rest up to the next power
/// of two, within the limits.
fn own_ids(others: u32) -> u32 {
    let (least, most) = OWN_IDS;
    let end = (others + least).checked_next_power_of_two().unwrap_or(u32::MAX);
    // Ids begin at 1, and the largest one is below the power of two.
    (end - 1 - others).clamp(least, most)
}

/// Returns the register of a parameter at the entry, in the original code.
pub(crate) fn register(subject: &Subject, parameter: u16) -> dex::Reg {
    dex::Reg(subject.code.registers - subject.code.ins + parameter)
}

const fn kind_of(asked: Asked) -> OriginKind {
    match asked {
        Asked::View | Asked::Menu => OriginKind::Id,
        Asked::Intent => OriginKind::Action,
        Asked::Position => OriginKind::Position,
        Asked::Key => OriginKind::Key,
    }
}

/// Returns the questions of a method, if Android calls it.
fn questions(program: &Program, no: MethodNo) -> Option<&'static [Question]> {
    let method = program.method(no);
    if method.access.intersects(AccessFlags::STATIC | AccessFlags::PRIVATE) {
        return None;
    }
    let sig = program.text(method.sig);
    let callback = CALLBACKS.iter().find(|callback| callback.sig == sig);
    if let Some(callback) = callback {
        let above = outside_above(program, method.class);
        let is_called = above.iter().any(|name| match callback.interface {
            "" => name.starts_with("Landroid/") && !name.contains('$'),
            interface => *name == interface,
        });
        return is_called.then_some(callback.questions);
    }
    let name = sig.strip_suffix(HANDLER).filter(|name| !OF_ACTIVITY.contains(name))?;
    let is_activity = |name: &&str| name.starts_with("Landroid/") && name.ends_with("Activity;");
    let is_handler = method.access.contains(AccessFlags::PUBLIC)
        && !name.starts_with('<')
        && outside_above(program, method.class).iter().any(is_activity);
    is_handler.then_some(&[(Asked::View, 1)])
}

/// Returns the classes and interfaces outside the app that a class extends or implements.
fn outside_above(program: &Program, class: ClassNo) -> HashSet<&str> {
    let (mut outside, mut seen, mut work) = (HashSet::new(), HashSet::from([class]), vec![class]);
    while let Some(class) = work.pop() {
        for (name, known) in program.superclass(class).into_iter().chain(program.interfaces(class))
        {
            match known {
                Some(known) if seen.insert(known) => work.push(known),
                Some(_) => {}
                None => drop(outside.insert(name)),
            }
        }
    }
    outside
}

/// Returns the classes of the app whose own method of this signature is more than a getter, or has
/// no code.
fn others<'p>(program: &'p Program, sig: &'static str) -> impl Iterator<Item = ClassNo> + 'p {
    let methods = program.methods.iter().filter(move |m| {
        let abstracted = m.access.contains(AccessFlags::ABSTRACT);
        !abstracted && !m.access.contains(AccessFlags::STATIC) && program.text(m.sig) == sig
    });
    methods
        .filter(move |m| {
            let file = program.class(m.class).dex;
            let code = m.code.and_then(|code| program.files[file].dex.code(code));
            !code.is_some_and(|code| code.is_ok_and(|code| is_getter(program, file, &code, sig)))
        })
        .map(|m| m.class)
}

/// Returns true if code only reads fields, asks another object the same question, and returns.
fn is_getter(program: &Program, file: usize, code: &Code, sig: &str) -> bool {
    let is_harmless = |insn: &Insn| match (insn.op, insn.args) {
        (
            Op::InvokeInterface
            | Op::InvokeVirtual
            | Op::InvokeSuper
            | Op::InvokeInterfaceRange
            | Op::InvokeVirtualRange
            | Op::InvokeSuperRange,
            Args::List(_, Ref::Method(m)) | Args::Range(_, _, Ref::Method(m)),
        ) => program.reference(file, m).1 == sig,
        (Op::CheckCast | Op::Nop, _) => true,
        (Op::Iget | Op::IgetObject, _) => true,
        (op, _) => {
            op.is_return()
                || op.is_move_result()
                || Op::Const4.value() == op.value()
                || matches!(op, Op::Const16 | Op::Const | Op::ConstHigh16)
        }
    };
    code.tries.is_empty()
        && code.insns().count() <= GETTER
        && code.insns().all(|(_, insn)| is_harmless(insn))
}

/// Returns true if instances of a class may be views: it extends a class of Android, or its
/// superclass is unknown.
fn may_be_view(program: &Program, class: ClassNo) -> bool {
    outside_above(program, class)
        .iter()
        .any(|name| !name.starts_with("Ljava/") && !name.contains('$'))
}

/// Returns true if the app gives views or menu items ids by itself.
fn sets_ids(program: &Program) -> bool {
    (0..program.files.len()).any(|file| {
        let methods = program.files[file].dex.methods.items().len() as u32;
        (0..methods).map(dex::MethodIdx).any(|m| {
            let sig = program.reference(file, m).1;
            SET_IDS.iter().any(|set| sig.starts_with(set))
        })
    })
}

/// Returns the actions of the manifest and those that the code gives to intents or compares with
/// them, sorted; only those of the manifest if there are too many others.
fn actions(program: &Program, manifest: Option<&Manifest>) -> Vec<String> {
    let declared = manifest.map_or(&[][..], |m| &m.actions);
    let declared = declared.iter().filter(|action| is_action(action)).take(ACTIONS);
    let mut all: BTreeSet<String> = declared.cloned().collect();
    let own = all.clone();
    let named = program.methods.par_iter().filter_map(|m| {
        let file = program.class(m.class).dex;
        let dex = &program.files[file].dex;
        let code = dex.code(m.code?)?.ok()?;
        let is_near = code.insns().any(|(_, insn)| names_intents(program, file, insn));
        is_near.then(|| {
            let strings = code.insns().filter_map(|(_, insn)| match (insn.op, insn.args) {
                (Op::ConstString | Op::ConstStringJumbo, Args::ARef(_, Ref::String(s))) => {
                    Some(dex.string(s).into_owned())
                }
                _ => None,
            });
            strings.filter(|text| is_action(text)).collect::<Vec<String>>()
        })
    });
    all.extend(named.flatten_iter().collect::<Vec<String>>());
    if all.len() > ACTIONS { own } else { all }.into_iter().collect()
}

/// Returns true for a call that gives an intent or a filter an action, or asks for one.
fn names_intents(program: &Program, file: usize, insn: &Insn) -> bool {
    let (Args::List(_, Ref::Method(m)) | Args::Range(_, _, Ref::Method(m))) = insn.args else {
        return false;
    };
    let (class, sig) = program.reference(file, m);
    match class {
        "Landroid/content/Intent;" => {
            sig.starts_with("<init>(Ljava/lang/String;")
                || sig.starts_with("setAction(")
                || sig == "getAction()Ljava/lang/String;"
        }
        "Landroid/content/IntentFilter;" => {
            sig.starts_with("<init>(Ljava/lang/String;") || sig.starts_with("addAction(")
        }
        _ => false,
    }
}

/// Returns true if a text has the form of an action: `org.example.REFRESH`.
fn is_action(text: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_');
    text.len() <= ACTION_BYTES
        && text.contains('.')
        && !text.starts_with('.')
        && !text.ends_with('.')
        && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::own_ids;

    #[test]
    fn own_ids_fill_what_is_free_and_lengthen_ids_by_as_little_as_possible() {
        assert_eq!(own_ids(214), 511 - 214);
        assert_eq!(own_ids(256), 255);
        assert_eq!(own_ids(300), 1023 - 300);
        assert_eq!(own_ids(20_000), 1023);
        for others in 0..5000 {
            let bits = |n: u32| 32 - n.leading_zeros();
            assert_eq!(bits(others + own_ids(others)), bits(others + 255), "{others}");
        }
    }
}
