//! Steps that a person can repeat, from the callbacks before a crash.

use std::collections::BTreeSet;
use std::io::{self, Write};

use model::descriptors::dotted_name;
use model::map::{CallbackOrigin, Map, OriginKind};

use super::path::{CallbackStep, PathEnd};
use super::report::{CrashMoment, Report};
use crate::base::escape::visible;
use model::nouns::there_are;

/// Methods that Android calls for an action of a person: name, parameters, the action in words.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("onClick", "Landroid/view/View;", "tap a view"),
    ("onLongClick", "Landroid/view/View;", "hold a view"),
    ("onTouch", "Landroid/view/View;Landroid/view/MotionEvent;", "touch a view"),
    ("onTouchEvent", "Landroid/view/MotionEvent;", "touch a view"),
    ("onDrag", "Landroid/view/View;Landroid/view/DragEvent;", "drag a view"),
    ("onItemClick", ROW, "tap a row of a list"),
    ("onItemLongClick", ROW, "hold a row of a list"),
    ("onItemSelected", ROW, "select a row of a list"),
    ("onListItemClick", "Landroid/widget/ListView;Landroid/view/View;IJ", "tap a row of a list"),
    ("onOptionsItemSelected", MENU_ITEM, "choose from the menu"),
    ("onMenuItemClick", MENU_ITEM, "choose from the menu"),
    ("onContextItemSelected", MENU_ITEM, "choose from the context menu"),
    ("onNavigationItemSelected", MENU_ITEM, "choose from the navigation"),
    ("onClick", "Landroid/content/DialogInterface;I", "press a button of a dialog"),
    ("onCancel", "Landroid/content/DialogInterface;", "cancel a dialog"),
    ("onDateSet", "Landroid/widget/DatePicker;III", "pick a date"),
    ("onTimeSet", "Landroid/widget/TimePicker;II", "pick a time"),
    ("onCheckedChanged", "Landroid/widget/CompoundButton;Z", "switch a box"),
    ("onCheckedChanged", "Landroid/widget/RadioGroup;I", "choose an option"),
    ("onProgressChanged", "Landroid/widget/SeekBar;IZ", "move a slider"),
    ("onRatingChanged", "Landroid/widget/RatingBar;FZ", "give a rating"),
    ("beforeTextChanged", "Ljava/lang/CharSequence;III", "type text"),
    ("onTextChanged", "Ljava/lang/CharSequence;III", "type text"),
    ("afterTextChanged", "Landroid/text/Editable;", "type text"),
    ("onQueryTextChange", "Ljava/lang/String;", "type text to search"),
    ("onQueryTextSubmit", "Ljava/lang/String;", "submit the search"),
    (
        "onEditorAction",
        "Landroid/widget/TextView;ILandroid/view/KeyEvent;",
        "press the action key of the keyboard",
    ),
    ("onKeyDown", KEY, "press a key"),
    ("onKeyUp", KEY, "press a key"),
    ("onKey", "Landroid/view/View;ILandroid/view/KeyEvent;", "press a key"),
    ("onBackPressed", "", "press Back"),
    ("onRefresh", "", "pull to refresh"),
    ("onPageSelected", "I", "swipe to another page"),
    ("onNewIntent", "Landroid/content/Intent;", "open the app again, by a link or an icon"),
    ("onRequestPermissionsResult", "I[Ljava/lang/String;[I", "answer the request for permissions"),
    ("onActivityResult", "IILandroid/content/Intent;", "return from the other screen"),
    (
        "onConfigurationChanged",
        "Landroid/content/res/Configuration;",
        "rotate the device, or change its settings",
    ),
    ("onReceive", "Landroid/content/Context;Landroid/content/Intent;", "wait for a broadcast"),
];
const ROW: &str = "Landroid/widget/AdapterView;Landroid/view/View;IJ";
const MENU_ITEM: &str = "Landroid/view/MenuItem;";
const KEY: &str = "ILandroid/view/KeyEvent;";

/// Parameters of a method that a layout may name as `android:onClick`.
const VIEW: &str = "Landroid/view/View;";

/// A top-level callback by its names.
#[derive(Debug, Clone)]
struct NamedCallback<'a> {
    number: u64,
    times: u64,
    /// `Lpkg/Cls;`.
    class: &'a str,
    name: &'a str,
    descriptor: &'a str,
    /// The class's name in the app.
    app_class: &'a str,
    origins: Vec<CallbackOrigin<'a>>,
}

/// A step to repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RepeatStep {
    /// The action, in words.
    pub action: String,
    /// The action, for programs.
    pub gesture: Gesture,
    /// Number of the first callback.
    pub number: u64,
    /// Number of repetitions.
    pub times: u64,
}

/// An action, as far as a program can repeat it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gesture {
    /// The app is opened, at this class of the app.
    Open(String),
    /// The view or menu item of this name is tapped.
    Tap(String),
    /// The view of this name is held.
    Hold(String),
    /// A key with this code is pressed.
    Key(u32),
    /// An intent with this action reaches the screen that is open.
    Intent(String),
    /// A broadcast with this action arrives.
    Broadcast(String),
    /// Something that a log does not describe well enough.
    Other,
}

impl<'a> NamedCallback<'a> {
    fn new(map: &'a Map, step: &CallbackStep) -> Self {
        let method = &map.methods[step.method.0 as usize - 1];
        let origins = step.origins.into_iter().flatten();
        NamedCallback {
            app_class: map.name(method.in_app.map_or(method.class, |name| name.class)),
            origins: origins.filter_map(|id| map.callback_origin(id)).collect(),
            number: step.number,
            times: step.times,
            class: map.name(method.class),
            name: map.name(method.name),
            descriptor: map.name(method.descriptor),
        }
    }

    fn parameters(&self) -> &'a str {
        let list = self.descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        list.map_or("", |list| list.0)
    }

    fn is(&self, name: &str, parameters: &str) -> bool {
        self.name == name && self.parameters() == parameters
    }

    fn simple_class(&self) -> String {
        let class = dotted_name(self.class);
        class.rsplit('.').next().unwrap_or(&class).to_owned()
    }

    /// Returns the action of a person that this callback answers, with its origins.
    fn action(&self) -> Option<String> {
        let known = ACTIONS.iter().find(|row| self.is(row.0, row.1)).map(|row| row.2);
        // A method that a layout names.
        let tapped = (self.parameters() == VIEW && self.id().is_some()).then_some("tap a view");
        let words = known.or(tapped)?.to_owned();
        Some(self.origins.iter().fold(words, |words, origin| with_origin(&words, origin)))
    }

    fn of_kind(&self, kind: OriginKind) -> Option<&CallbackOrigin<'a>> {
        self.origins.iter().find(|origin| origin.kind == kind)
    }

    fn id(&self) -> Option<&CallbackOrigin<'a>> {
        self.of_kind(OriginKind::Id)
    }

    /// Returns the action for programs.
    fn gesture(&self) -> Gesture {
        let name = |kind| self.of_kind(kind).and_then(|origin| origin.name).map(str::to_owned);
        // The rows of a list have no name of their own.
        let view = name(OriginKind::Id).filter(|_| self.parameters() != ROW);
        let found = match self.name {
            "onLongClick" => view.map(Gesture::Hold),
            "onBackPressed" => Some(Gesture::Key(BACK)),
            "onNewIntent" => name(OriginKind::Action).map(Gesture::Intent),
            "onReceive" => name(OriginKind::Action).map(Gesture::Broadcast),
            _ => match self.of_kind(OriginKind::Key) {
                Some(key) => Some(Gesture::Key(key.value)),
                None => view.map(Gesture::Tap),
            },
        };
        found.unwrap_or(Gesture::Other)
    }
}

/// Code of the key Back.
pub(super) const BACK: u32 = 4;

/// Returns an action with what it applies to in place of general words.
fn with_origin(words: &str, origin: &CallbackOrigin<'_>) -> String {
    let (shown, more) = match origin.kind {
        OriginKind::Id => {
            let shown = origin.to_string();
            let item = format!("choose {shown} from");
            (
                shown.clone(),
                vec![
                    ("a view", shown.clone()),
                    ("a box", shown.clone()),
                    ("a list", shown),
                    ("choose from", item),
                ],
            )
        }
        // People count from 1.
        OriginKind::Position => {
            (String::new(), vec![("a row", format!("row {}", u64::from(origin.value) + 1))])
        }
        OriginKind::Key => (String::new(), vec![("a key", origin.to_string())]),
        OriginKind::Action => {
            (origin.to_string(), vec![("a broadcast", format!("the broadcast {origin}"))])
        }
    };
    match more.into_iter().find(|(general, _)| words.contains(general)) {
        Some((general, exact)) => words.replacen(general, &exact, 1),
        None if shown.is_empty() => words.to_owned(),
        None => format!("{words}: {shown}"),
    }
}

/// Returns the steps for these callbacks of the main thread.
fn repeat_steps(callbacks: &[NamedCallback<'_>]) -> Vec<RepeatStep> {
    let is_view_of = |c: &&NamedCallback<'_>| c.name == "onCreateView";
    // Fragments have `onCreate(Bundle)` also, but are no screens.
    let fragments: BTreeSet<&str> = callbacks.iter().filter(is_view_of).map(|c| c.class).collect();
    let mut steps: Vec<RepeatStep> = Vec::new();
    let mut destroyed: Option<&str> = None;
    // The screen that was opened or returned to last.
    let mut shown: Option<&str> = None;
    for callback in callbacks {
        let &NamedCallback { number, times, class, .. } = callback;
        if let Some(action) = callback.action() {
            let action = format!("{action} ({}.{})", callback.simple_class(), callback.name);
            let gesture = callback.gesture();
            push(&mut steps, RepeatStep { action, gesture, number, times });
            destroyed = None;
        } else if callback.is("onDestroy", "") {
            destroyed = Some(class);
        } else if callback.is("onRestart", "") {
            let screen = callback.simple_class();
            let action = match shown == Some(class) {
                true => format!("leave {screen} and return to it"),
                false => format!("return to {screen}"),
            };
            push(&mut steps, RepeatStep { action, gesture: Gesture::Other, number, times });
            shown = Some(class);
        } else if callback.is("onCreate", "Landroid/os/Bundle;") && !fragments.contains(class) {
            let screen = callback.simple_class();
            // A screen that opens after a step is the result of that step.
            let again = destroyed == Some(class) || shown == Some(class);
            match (again, shown.is_some(), steps.last_mut()) {
                (true, ..) => {
                    let action =
                        format!("rotate the device, or open {screen} anew: it is created again");
                    push(&mut steps, RepeatStep { action, gesture: Gesture::Other, number, times });
                }
                (false, true, Some(step)) => step.action += &format!("; {screen} opens"),
                _ => {
                    let action = format!("open the app: {screen}");
                    let gesture = Gesture::Open(dotted_name(callback.app_class));
                    push(&mut steps, RepeatStep { action, gesture, number, times });
                }
            }
            shown = Some(class);
            destroyed = None;
        }
    }
    steps
}

/// Adds a step, or repeats the last one.
fn push(steps: &mut Vec<RepeatStep>, step: RepeatStep) {
    // `type text (A.beforeTextChanged)`, `type text (A.onTextChanged)`: one key.
    let kind = |step: &RepeatStep| {
        step.action.rsplit_once('.').map_or(step.action.clone(), |(kind, _)| kind.to_owned())
    };
    match steps.last_mut() {
        Some(last) if last.action == step.action => last.times += step.times,
        Some(last) if step.action.starts_with("type text") && kind(last) == kind(&step) => {}
        Some(last) if step.action.starts_with("press a key") && kind(last) == kind(&step) => {}
        Some(last) if step.action.starts_with("press key ") && kind(last) == kind(&step) => {}
        _ => steps.push(step),
    }
}

impl Report<'_, '_> {
    /// Writes numbered steps that a person can repeat to reach the crash.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_steps(&self, mut out: impl Write) -> io::Result<()> {
        let mut put = |text: &str| writeln!(out, "{}", visible(text));
        let Some(found) = &self.found else { return Ok(()) };
        let callbacks = self.named_callbacks(found);
        let steps = repeat_steps(&callbacks);
        let lacks = match self.program.map.origins.is_empty() {
            true => "texts, keys or names of views",
            false => "texts",
        };
        put(&format!("steps to repeat; a log has no {lacks}"))?;
        let first = callbacks.first().map_or(1, |callback| callback.number);
        if first > 1 {
            put(&format!("  … steps of the first {} left out", there_are(first - 1, "callback")))?;
        }
        for (number, step) in (1..).zip(&steps) {
            let times =
                if step.times > 1 { format!(", {} times", step.times) } else { String::new() };
            put(&format!("{number:>3}. {}{times}  #{}", step.action, step.number))?;
        }
        put(&self.crash_step(found, callbacks.last(), &steps))
    }

    fn named_callbacks(&self, found: &CrashMoment) -> Vec<NamedCallback<'_>> {
        let map = self.program.map;
        found.moment.steps.iter().map(|step| NamedCallback::new(map, step)).collect()
    }

    /// Returns the steps to the crash, if one was found.
    pub(super) fn repeat_steps(&self) -> Vec<RepeatStep> {
        let found = self.found.as_ref();
        found.map_or(Vec::new(), |found| repeat_steps(&self.named_callbacks(found)))
    }

    /// Describes the last callback.
    fn crash_step(
        &self,
        found: &CrashMoment,
        last: Option<&NamedCallback<'_>>,
        steps: &[RepeatStep],
    ) -> String {
        let end = match found.moment.end {
            PathEnd::Left => "the exception leaves the app's code",
            PathEnd::Log(_) => "the log ends",
        };
        let thread = match found.thread.as_deref() {
            Some("main") => String::new(),
            Some(name) => {
                format!("; this is thread {name}: the actions of a person are in thread main")
            }
            None => "; this is a thread without a name".into(),
        };
        let Some(last) = last else { return format!("     {end}{thread}") };
        let method = format!("{}.{}", last.simple_class(), last.name);
        match steps.last() {
            Some(step) if step.number == last.number => format!("     {end} there{thread}"),
            _ => format!("     then {end} in {method}  #{}{thread}", last.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: &str = "(Landroid/view/View;)V";
    const ROWS: &str = "(Landroid/widget/AdapterView;Landroid/view/View;IJ)V";
    const BUNDLE: &str = "(Landroid/os/Bundle;)V";

    /// Steps of callbacks, each `Class.name` with its descriptor.
    fn steps(callbacks: &[(&str, &str, &str)]) -> Vec<String> {
        let callbacks: Vec<_> = callbacks
            .iter()
            .enumerate()
            .map(|(at, &(class, name, descriptor))| {
                let number = at as u64 + 1;
                let (times, app_class, origins) = (1, class, Vec::new());
                NamedCallback { number, times, class, name, descriptor, app_class, origins }
            })
            .collect();
        repeat_steps(&callbacks)
            .into_iter()
            .map(|step| format!("{} × {} #{}", step.action, step.times, step.number))
            .collect()
    }

    #[test]
    fn a_screen_that_opens_is_the_result_of_the_step_before() {
        let found = steps(&[
            ("Lp/App;", "onCreate", "()V"),
            ("Lp/Main;", "onCreate", BUNDLE),
            ("Lp/Main;", "onResume", "()V"),
            ("Lp/Main$1;", "onClick", VIEW),
            ("Lp/Detail;", "onCreate", BUNDLE),
            ("Lp/Detail;", "onBackPressed", "()V"),
        ]);
        assert_eq!(
            found,
            [
                "open the app: Main × 1 #2",
                "tap a view (Main$1.onClick); Detail opens × 1 #4",
                "press Back (Detail.onBackPressed) × 1 #6",
            ]
        );
    }

    #[test]
    fn a_screen_that_is_destroyed_and_created_again_has_two_explanations() {
        let found = steps(&[
            ("Lp/Main;", "onCreate", BUNDLE),
            ("Lp/Main;", "onPause", "()V"),
            ("Lp/Main;", "onDestroy", "()V"),
            ("Lp/Main;", "onCreate", BUNDLE),
            ("Lp/Main;", "onRestart", "()V"),
        ]);
        assert_eq!(
            found,
            [
                "open the app: Main × 1 #1",
                "rotate the device, or open Main anew: it is created again × 1 #4",
                "leave Main and return to it × 1 #5",
            ]
        );
    }

    #[test]
    fn a_screen_behind_another_one_is_returned_to_from_inside_the_app() {
        let found = steps(&[
            ("Lp/Main;", "onCreate", BUNDLE),
            ("Lp/Main;", "onClick", VIEW),
            ("Lp/Detail;", "onCreate", BUNDLE),
            ("Lp/Main;", "onRestart", "()V"),
            ("Lp/Detail;", "onDestroy", "()V"),
        ]);
        assert_eq!(found[2..], ["return to Main × 1 #4"]);
    }

    #[test]
    fn fragments_are_no_screens() {
        let view = "(Landroid/view/LayoutInflater;)Landroid/view/View;";
        let found = steps(&[("Lp/List;", "onCreate", BUNDLE), ("Lp/List;", "onCreateView", view)]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn one_key_is_one_step_and_equal_steps_are_counted() {
        let text = "(Ljava/lang/CharSequence;III)V";
        let found = steps(&[
            ("Lp/W;", "beforeTextChanged", text),
            ("Lp/W;", "onTextChanged", text),
            ("Lp/W;", "afterTextChanged", "(Landroid/text/Editable;)V"),
            ("Lp/M;", "onClick", VIEW),
            ("Lp/M;", "onClick", VIEW),
        ]);
        assert_eq!(
            found,
            ["type text (W.beforeTextChanged) × 1 #1", "tap a view (M.onClick) × 2 #4"]
        );
    }

    #[test]
    fn a_method_of_the_same_name_with_other_parameters_is_no_action() {
        assert!(
            steps(&[("Lp/M;", "onClick", "(I)V"), ("Lp/M;", "onBackPressed", "(Z)V")]).is_empty()
        );
    }

    /// The action and the gesture of one callback with these origins.
    fn named(name: &str, descriptor: &str, origins: &[(OriginKind, u32, Option<&str>)]) -> String {
        let origins =
            origins.iter().map(|&(kind, value, name)| CallbackOrigin { kind, value, name });
        let (class, app_class, origins) = ("Lp/M;", "Lp/M;", origins.collect());
        let callback =
            NamedCallback { number: 1, times: 1, class, name, descriptor, app_class, origins };
        let steps = repeat_steps(&[callback]);
        format!("{} {:?}", steps[0].action, steps[0].gesture)
    }

    #[test]
    fn actions_name_what_they_apply_to() {
        use OriginKind::{Action, Id, Key, Position};
        let save = (Id, 0x7f01_0000, Some("save"));
        assert_eq!(named("onClick", VIEW, &[save]), "tap #save (M.onClick) Tap(\"save\")");
        assert_eq!(named("onBuy", VIEW, &[save]), "tap #save (M.onBuy) Tap(\"save\")");
        assert_eq!(
            named("onLongClick", VIEW, &[(Id, 101, None)]),
            "hold #101 (M.onLongClick) Other"
        );
        assert_eq!(
            named("onItemClick", ROWS, &[save, (Position, 3, None)]),
            "tap row 4 of #save (M.onItemClick) Other"
        );
        let menu = "(Landroid/view/MenuItem;)Z";
        assert_eq!(
            named("onOptionsItemSelected", menu, &[save]),
            "choose #save from the menu (M.onOptionsItemSelected) Tap(\"save\")"
        );
        let key = "(ILandroid/view/KeyEvent;)Z";
        assert_eq!(
            named("onKeyDown", key, &[(Key, 66, None)]),
            "press key ENTER (M.onKeyDown) Key(66)"
        );
        let receive = "(Landroid/content/Context;Landroid/content/Intent;)V";
        assert_eq!(
            named("onReceive", receive, &[(Action, 0, Some("p.GO"))]),
            "wait for the broadcast p.GO (M.onReceive) Broadcast(\"p.GO\")"
        );
        assert_eq!(
            named("onNewIntent", "(Landroid/content/Intent;)V", &[(Action, 0, Some("p.GO"))]),
            "open the app again, by a link or an icon: p.GO (M.onNewIntent) Intent(\"p.GO\")"
        );
    }

    #[test]
    fn a_screen_that_opens_over_itself_was_created_again() {
        let found = steps(&[
            ("Lp/Main;", "onCreate", BUNDLE),
            ("Lp/Main;", "onClick", VIEW),
            ("Lp/Main;", "onCreate", BUNDLE),
        ]);
        let again = "rotate the device, or open Main anew: it is created again × 1 #3";
        assert_eq!(found[2..], [again]);
    }
}
