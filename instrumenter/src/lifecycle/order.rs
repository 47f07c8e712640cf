//! The order in which the platform calls a component's callbacks. No other module contains it.
//!
//! Source: Android documentation,
//! <https://developer.android.com/guide/components/activities/activity-lifecycle>,
//! <https://developer.android.com/guide/components/services>,
//! <https://developer.android.com/guide/fragments/lifecycle> and the class references of
//! `Activity`, `Service`, `BroadcastReceiver`, `ContentProvider`, `Application`, `Fragment`,
//! `JobService`. `onSaveInstanceState` comes before `onStop` up to Android 8.1 and after it from 9
//! on: the table contains both orders.

use serde::Serialize;

/// Kind of component that the platform drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LifecycleKind {
    /// The application object.
    Application,
    /// A content provider.
    Provider,
    /// An activity.
    Activity,
    /// A service.
    Service,
    /// A broadcast receiver.
    Receiver,
    /// A fragment: driven by its activity's fragment manager.
    Fragment,
}

impl std::fmt::Display for LifecycleKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LifecycleKind::Application => "application",
            LifecycleKind::Provider => "provider",
            LifecycleKind::Activity => "activity",
            LifecycleKind::Service => "service",
            LifecycleKind::Receiver => "receiver",
            LifecycleKind::Fragment => "fragment",
        })
    }
}

/// Condition under which the platform calls a callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Always: if no class of the app defines it, the order passes through it.
    Always,
    /// Only on an occasion; the table also has an edge past it.
    Sometimes,
}

/// A lifecycle callback.
#[derive(Debug, Clone, Copy)]
pub struct Callback {
    /// Name in [`Order::edges`]: the method's name; a second form of the same name has a prime.
    pub label: &'static str,
    /// Method name and descriptor.
    pub signature: &'static str,
    /// Condition under which it is called.
    pub presence: Presence,
}

/// The order of one kind of component.
#[derive(Debug)]
pub struct Order {
    /// Callbacks.
    pub callbacks: &'static [Callback],
    /// Successors of each callback or state. Names in capitals are states of the component, not
    /// methods; [`START`] and [`END`] are two of them.
    pub edges: &'static [(&'static str, &'static [&'static str])],
}

/// The state before the first callback.
pub const START: &str = "START";
/// The state after the last callback.
pub const END: &str = "END";
/// Callbacks of every kind after which a session may end.
pub const TERMINAL: &[&str] = &["onStop()V", "onDestroy()V"];

const fn always(label: &'static str, signature: &'static str) -> Callback {
    Callback { label, signature, presence: Presence::Always }
}

const fn sometimes(label: &'static str, signature: &'static str) -> Callback {
    Callback { label, signature, presence: Presence::Sometimes }
}

/// Returns the order of a kind.
pub const fn order(kind: LifecycleKind) -> &'static Order {
    match kind {
        LifecycleKind::Application => &APPLICATION,
        LifecycleKind::Provider => &PROVIDER,
        LifecycleKind::Activity => &ACTIVITY,
        LifecycleKind::Service => &SERVICE,
        LifecycleKind::Receiver => &RECEIVER,
        LifecycleKind::Fragment => &FRAGMENT,
    }
}

/// All kinds.
pub const KINDS: [LifecycleKind; 6] = [
    LifecycleKind::Application,
    LifecycleKind::Provider,
    LifecycleKind::Activity,
    LifecycleKind::Service,
    LifecycleKind::Receiver,
    LifecycleKind::Fragment,
];

const ATTACH_BASE: Callback =
    always("attachBaseContext", "attachBaseContext(Landroid/content/Context;)V");
const CONFIGURATION: Callback = sometimes(
    "onConfigurationChanged",
    "onConfigurationChanged(Landroid/content/res/Configuration;)V",
);
const LOW_MEMORY: Callback = sometimes("onLowMemory", "onLowMemory()V");
const TRIM_MEMORY: Callback = sometimes("onTrimMemory", "onTrimMemory(I)V");
const ON_CREATE_BUNDLE: Callback = always("onCreate", "onCreate(Landroid/os/Bundle;)V");
const ON_START: Callback = always("onStart", "onStart()V");
const ON_RESUME: Callback = always("onResume", "onResume()V");
const ON_PAUSE: Callback = always("onPause", "onPause()V");
const ON_STOP: Callback = always("onStop", "onStop()V");
const ON_DESTROY: Callback = always("onDestroy", "onDestroy()V");
const SAVE: Callback =
    sometimes("onSaveInstanceState", "onSaveInstanceState(Landroid/os/Bundle;)V");
const RESULT: Callback =
    sometimes("onActivityResult", "onActivityResult(IILandroid/content/Intent;)V");
const PERMISSIONS: Callback =
    sometimes("onRequestPermissionsResult", "onRequestPermissionsResult(I[Ljava/lang/String;[I)V");
const OPTIONS_SELECTED: Callback =
    sometimes("onOptionsItemSelected", "onOptionsItemSelected(Landroid/view/MenuItem;)Z");

static APPLICATION: Order = Order {
    callbacks: &[
        ATTACH_BASE,
        always("onCreate", "onCreate()V"),
        CONFIGURATION,
        LOW_MEMORY,
        TRIM_MEMORY,
        sometimes("onTerminate", "onTerminate()V"),
    ],
    edges: &[
        (START, &["attachBaseContext"]),
        ("attachBaseContext", &["onCreate"]),
        ("onCreate", &["RUNNING"]),
        ("RUNNING", &["onConfigurationChanged", "onLowMemory", "onTrimMemory", "onTerminate", END]),
        ("onConfigurationChanged", &["RUNNING"]),
        ("onLowMemory", &["RUNNING"]),
        ("onTrimMemory", &["RUNNING"]),
        ("onTerminate", &[END]),
    ],
};

static ACTIVITY: Order = Order {
    callbacks: &[
        ATTACH_BASE,
        ON_CREATE_BUNDLE,
        sometimes("onCreate'", "onCreate(Landroid/os/Bundle;Landroid/os/PersistableBundle;)V"),
        ON_START,
        sometimes("onRestoreInstanceState", "onRestoreInstanceState(Landroid/os/Bundle;)V"),
        sometimes(
            "onRestoreInstanceState'",
            "onRestoreInstanceState(Landroid/os/Bundle;Landroid/os/PersistableBundle;)V",
        ),
        sometimes("onPostCreate", "onPostCreate(Landroid/os/Bundle;)V"),
        sometimes(
            "onPostCreate'",
            "onPostCreate(Landroid/os/Bundle;Landroid/os/PersistableBundle;)V",
        ),
        sometimes("onNewIntent", "onNewIntent(Landroid/content/Intent;)V"),
        RESULT,
        ON_RESUME,
        always("onPostResume", "onPostResume()V"),
        sometimes("onTopResumedActivityChanged", "onTopResumedActivityChanged(Z)V"),
        sometimes("onAttachedToWindow", "onAttachedToWindow()V"),
        sometimes("onCreateOptionsMenu", "onCreateOptionsMenu(Landroid/view/Menu;)Z"),
        sometimes("onPrepareOptionsMenu", "onPrepareOptionsMenu(Landroid/view/Menu;)Z"),
        OPTIONS_SELECTED,
        sometimes("onWindowFocusChanged", "onWindowFocusChanged(Z)V"),
        sometimes("onUserInteraction", "onUserInteraction()V"),
        sometimes("onBackPressed", "onBackPressed()V"),
        PERMISSIONS,
        CONFIGURATION,
        LOW_MEMORY,
        TRIM_MEMORY,
        sometimes("onUserLeaveHint", "onUserLeaveHint()V"),
        ON_PAUSE,
        SAVE,
        sometimes(
            "onSaveInstanceState'",
            "onSaveInstanceState(Landroid/os/Bundle;Landroid/os/PersistableBundle;)V",
        ),
        ON_STOP,
        always("onRestart", "onRestart()V"),
        sometimes(
            "onRetainNonConfigurationInstance",
            "onRetainNonConfigurationInstance()Ljava/lang/Object;",
        ),
        ON_DESTROY,
        sometimes("onDetachedFromWindow", "onDetachedFromWindow()V"),
    ],
    edges: &[
        (START, &["attachBaseContext"]),
        ("attachBaseContext", &["onCreate", "onCreate'"]),
        ("onCreate'", &["onCreate"]),
        // `finish()` in `onCreate` leads to `onDestroy`, in `onStart` to `onStop`.
        ("onCreate", &["onStart", "onDestroy"]),
        (
            "onStart",
            &[
                "onRestoreInstanceState",
                "onRestoreInstanceState'",
                "POST_CREATE",
                "BEFORE_RESUME",
                "onStop",
            ],
        ),
        ("onRestoreInstanceState'", &["onRestoreInstanceState", "POST_CREATE"]),
        ("onRestoreInstanceState", &["POST_CREATE"]),
        ("POST_CREATE", &["onPostCreate", "onPostCreate'", "BEFORE_RESUME"]),
        ("onPostCreate'", &["onPostCreate", "BEFORE_RESUME"]),
        ("onPostCreate", &["BEFORE_RESUME"]),
        (
            "BEFORE_RESUME",
            &["onNewIntent", "onActivityResult", "onRequestPermissionsResult", "onResume"],
        ),
        ("onNewIntent", &["BEFORE_RESUME"]),
        ("onActivityResult", &["BEFORE_RESUME"]),
        ("onResume", &["onPostResume"]),
        ("onPostResume", &["RUNNING"]),
        (
            "RUNNING",
            &[
                "onTopResumedActivityChanged",
                "onAttachedToWindow",
                "onCreateOptionsMenu",
                "onPrepareOptionsMenu",
                "onOptionsItemSelected",
                "onWindowFocusChanged",
                "onUserInteraction",
                "onBackPressed",
                "onRequestPermissionsResult",
                "onConfigurationChanged",
                "onLowMemory",
                "onTrimMemory",
                "onUserLeaveHint",
                "onPause",
            ],
        ),
        ("onTopResumedActivityChanged", &["RUNNING"]),
        ("onAttachedToWindow", &["RUNNING"]),
        ("onCreateOptionsMenu", &["onPrepareOptionsMenu", "RUNNING"]),
        ("onPrepareOptionsMenu", &["RUNNING"]),
        ("onOptionsItemSelected", &["RUNNING"]),
        ("onWindowFocusChanged", &["RUNNING", "PAUSED", "STOPPED"]),
        ("onUserInteraction", &["onUserLeaveHint", "RUNNING"]),
        ("onBackPressed", &["RUNNING"]),
        ("onRequestPermissionsResult", &["BEFORE_RESUME", "RUNNING"]),
        ("onConfigurationChanged", &["RUNNING", "PAUSED"]),
        ("onLowMemory", &["RUNNING", "PAUSED", "STOPPED"]),
        ("onTrimMemory", &["RUNNING", "PAUSED", "STOPPED"]),
        ("onUserLeaveHint", &["onPause"]),
        ("onPause", &["PAUSED"]),
        (
            "PAUSED",
            &[
                "BEFORE_RESUME",
                "SAVE",
                "onStop",
                "onWindowFocusChanged",
                "onConfigurationChanged",
                "onLowMemory",
                "onTrimMemory",
            ],
        ),
        ("SAVE", &["onSaveInstanceState", "onSaveInstanceState'"]),
        ("onSaveInstanceState'", &["onSaveInstanceState", "onStop", "STOPPED"]),
        ("onSaveInstanceState", &["onStop", "STOPPED"]),
        ("onStop", &["SAVE", "STOPPED"]),
        (
            "STOPPED",
            &[
                "onRestart",
                "onRetainNonConfigurationInstance",
                "onDestroy",
                "onWindowFocusChanged",
                "onLowMemory",
                "onTrimMemory",
                END,
            ],
        ),
        ("onRestart", &["onStart"]),
        ("onRetainNonConfigurationInstance", &["onDestroy"]),
        ("onDestroy", &["onDetachedFromWindow", END]),
        ("onDetachedFromWindow", &[END]),
    ],
};

static SERVICE: Order = Order {
    callbacks: &[
        ATTACH_BASE,
        always("onCreate", "onCreate()V"),
        sometimes("onStartCommand", "onStartCommand(Landroid/content/Intent;II)I"),
        sometimes("onStart", "onStart(Landroid/content/Intent;I)V"),
        sometimes("onBind", "onBind(Landroid/content/Intent;)Landroid/os/IBinder;"),
        sometimes("onUnbind", "onUnbind(Landroid/content/Intent;)Z"),
        sometimes("onRebind", "onRebind(Landroid/content/Intent;)V"),
        sometimes("onTaskRemoved", "onTaskRemoved(Landroid/content/Intent;)V"),
        sometimes("onStartJob", "onStartJob(Landroid/app/job/JobParameters;)Z"),
        sometimes("onStopJob", "onStopJob(Landroid/app/job/JobParameters;)Z"),
        CONFIGURATION,
        LOW_MEMORY,
        TRIM_MEMORY,
        ON_DESTROY,
    ],
    edges: &[
        (START, &["attachBaseContext"]),
        ("attachBaseContext", &["onCreate"]),
        ("onCreate", &["CALLED", "onDestroy"]),
        ("CALLED", &["onStartCommand", "onStart", "onBind"]),
        ("onStartCommand", &["onStart", "RUNNING"]),
        ("onStart", &["RUNNING"]),
        ("onBind", &["onStartJob", "RUNNING"]),
        (
            "RUNNING",
            &[
                "CALLED",
                "onUnbind",
                "onTaskRemoved",
                "onStartJob",
                "onStopJob",
                "onConfigurationChanged",
                "onLowMemory",
                "onTrimMemory",
                "onDestroy",
                END,
            ],
        ),
        ("onStartJob", &["RUNNING"]),
        ("onStopJob", &["RUNNING"]),
        ("onTaskRemoved", &["RUNNING"]),
        ("onConfigurationChanged", &["RUNNING"]),
        ("onLowMemory", &["RUNNING"]),
        ("onTrimMemory", &["RUNNING"]),
        ("onUnbind", &["onRebind", "RUNNING"]),
        ("onRebind", &["RUNNING"]),
        ("onDestroy", &[END]),
    ],
};

static RECEIVER: Order = Order {
    callbacks: &[always(
        "onReceive",
        "onReceive(Landroid/content/Context;Landroid/content/Intent;)V",
    )],
    edges: &[(START, &["onReceive"]), ("onReceive", &[END])],
};

static PROVIDER: Order = Order {
    callbacks: &[
        always(
            "attachInfo",
            "attachInfo(Landroid/content/Context;Landroid/content/pm/ProviderInfo;)V",
        ),
        always("onCreate", "onCreate()Z"),
        sometimes(
            "query",
            concat!(
                "query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;",
                "[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;",
            ),
        ),
        sometimes(
            "query'",
            concat!(
                "query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;",
                "[Ljava/lang/String;Ljava/lang/String;Landroid/os/CancellationSignal;)",
                "Landroid/database/Cursor;",
            ),
        ),
        sometimes(
            "query''",
            concat!(
                "query(Landroid/net/Uri;[Ljava/lang/String;Landroid/os/Bundle;",
                "Landroid/os/CancellationSignal;)Landroid/database/Cursor;",
            ),
        ),
        sometimes(
            "insert",
            "insert(Landroid/net/Uri;Landroid/content/ContentValues;)Landroid/net/Uri;",
        ),
        sometimes(
            "insert'",
            concat!(
                "insert(Landroid/net/Uri;Landroid/content/ContentValues;",
                "Landroid/os/Bundle;)Landroid/net/Uri;",
            ),
        ),
        sometimes(
            "update",
            concat!(
                "update(Landroid/net/Uri;Landroid/content/ContentValues;",
                "Ljava/lang/String;[Ljava/lang/String;)I",
            ),
        ),
        sometimes(
            "update'",
            "update(Landroid/net/Uri;Landroid/content/ContentValues;Landroid/os/Bundle;)I",
        ),
        sometimes("delete", "delete(Landroid/net/Uri;Ljava/lang/String;[Ljava/lang/String;)I"),
        sometimes("delete'", "delete(Landroid/net/Uri;Landroid/os/Bundle;)I"),
        sometimes("getType", "getType(Landroid/net/Uri;)Ljava/lang/String;"),
        sometimes(
            "call",
            "call(Ljava/lang/String;Ljava/lang/String;Landroid/os/Bundle;)Landroid/os/Bundle;",
        ),
        sometimes(
            "call'",
            concat!(
                "call(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;",
                "Landroid/os/Bundle;)Landroid/os/Bundle;",
            ),
        ),
        sometimes(
            "openFile",
            "openFile(Landroid/net/Uri;Ljava/lang/String;)Landroid/os/ParcelFileDescriptor;",
        ),
        sometimes(
            "openAssetFile",
            concat!(
                "openAssetFile(Landroid/net/Uri;Ljava/lang/String;)",
                "Landroid/content/res/AssetFileDescriptor;",
            ),
        ),
        sometimes("bulkInsert", "bulkInsert(Landroid/net/Uri;[Landroid/content/ContentValues;)I"),
        sometimes(
            "applyBatch",
            "applyBatch(Ljava/util/ArrayList;)[Landroid/content/ContentProviderResult;",
        ),
        CONFIGURATION,
        LOW_MEMORY,
        TRIM_MEMORY,
        sometimes("shutdown", "shutdown()V"),
    ],
    edges: &[
        (START, &["attachInfo"]),
        ("attachInfo", &["onCreate"]),
        ("onCreate", &["READY"]),
        (
            "READY",
            &[
                "query",
                "query'",
                "query''",
                "insert",
                "insert'",
                "update",
                "update'",
                "delete",
                "delete'",
                "getType",
                "call",
                "call'",
                "openFile",
                "openAssetFile",
                "bulkInsert",
                "applyBatch",
                "onConfigurationChanged",
                "onLowMemory",
                "onTrimMemory",
                "shutdown",
                END,
            ],
        ),
        ("query", &["READY"]),
        ("query'", &["READY"]),
        ("query''", &["READY"]),
        ("insert", &["READY"]),
        ("insert'", &["READY"]),
        ("update", &["READY"]),
        ("update'", &["READY"]),
        ("delete", &["READY"]),
        ("delete'", &["READY"]),
        ("getType", &["READY"]),
        ("call", &["READY"]),
        ("call'", &["READY"]),
        ("openFile", &["READY"]),
        ("openAssetFile", &["READY"]),
        ("bulkInsert", &["READY"]),
        ("applyBatch", &["READY"]),
        ("onConfigurationChanged", &["READY"]),
        ("onLowMemory", &["READY"]),
        ("onTrimMemory", &["READY"]),
        ("shutdown", &[END]),
    ],
};

static FRAGMENT: Order = Order {
    callbacks: &[
        sometimes(
            "onInflate",
            "onInflate(Landroid/content/Context;Landroid/util/AttributeSet;Landroid/os/Bundle;)V",
        ),
        always("onAttach", "onAttach(Landroid/content/Context;)V"),
        always("onAttach'", "onAttach(Landroid/app/Activity;)V"),
        ON_CREATE_BUNDLE,
        sometimes("onCreateDialog", "onCreateDialog(Landroid/os/Bundle;)Landroid/app/Dialog;"),
        always(
            "onCreateView",
            concat!(
                "onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;",
                "Landroid/os/Bundle;)Landroid/view/View;",
            ),
        ),
        always("onViewCreated", "onViewCreated(Landroid/view/View;Landroid/os/Bundle;)V"),
        always("onActivityCreated", "onActivityCreated(Landroid/os/Bundle;)V"),
        always("onViewStateRestored", "onViewStateRestored(Landroid/os/Bundle;)V"),
        ON_START,
        ON_RESUME,
        sometimes(
            "onCreateOptionsMenu",
            "onCreateOptionsMenu(Landroid/view/Menu;Landroid/view/MenuInflater;)V",
        ),
        sometimes("onPrepareOptionsMenu", "onPrepareOptionsMenu(Landroid/view/Menu;)V"),
        OPTIONS_SELECTED,
        sometimes("onHiddenChanged", "onHiddenChanged(Z)V"),
        sometimes("setUserVisibleHint", "setUserVisibleHint(Z)V"),
        RESULT,
        PERMISSIONS,
        CONFIGURATION,
        LOW_MEMORY,
        ON_PAUSE,
        SAVE,
        ON_STOP,
        always("onDestroyView", "onDestroyView()V"),
        ON_DESTROY,
        always("onDetach", "onDetach()V"),
    ],
    edges: &[
        (START, &["onInflate", "setUserVisibleHint", "onAttach"]),
        ("onInflate", &["onAttach"]),
        ("setUserVisibleHint", &["onAttach", "RUNNING"]),
        ("onAttach", &["onAttach'"]),
        ("onAttach'", &["onCreate"]),
        ("onCreate", &["onCreateDialog", "onCreateView"]),
        ("onCreateDialog", &["onCreateView"]),
        ("onCreateView", &["onViewCreated"]),
        ("onViewCreated", &["onActivityCreated"]),
        ("onActivityCreated", &["onViewStateRestored"]),
        ("onViewStateRestored", &["onStart"]),
        ("onStart", &["onResume", "onActivityResult", "onStop"]),
        ("onResume", &["RUNNING"]),
        (
            "RUNNING",
            &[
                "onCreateOptionsMenu",
                "onPrepareOptionsMenu",
                "onOptionsItemSelected",
                "onHiddenChanged",
                "setUserVisibleHint",
                "onRequestPermissionsResult",
                "onConfigurationChanged",
                "onLowMemory",
                "onPause",
            ],
        ),
        ("onCreateOptionsMenu", &["onPrepareOptionsMenu", "RUNNING"]),
        ("onPrepareOptionsMenu", &["RUNNING"]),
        ("onOptionsItemSelected", &["RUNNING"]),
        ("onHiddenChanged", &["RUNNING"]),
        ("onRequestPermissionsResult", &["onResume", "RUNNING"]),
        ("onConfigurationChanged", &["RUNNING"]),
        ("onLowMemory", &["RUNNING", "STOPPED"]),
        ("onActivityResult", &["onActivityResult", "onResume"]),
        ("onPause", &["PAUSED"]),
        (
            "PAUSED",
            &[
                "onActivityResult",
                "onRequestPermissionsResult",
                "onResume",
                "onSaveInstanceState",
                "onStop",
            ],
        ),
        ("onSaveInstanceState", &["onStop", "STOPPED"]),
        ("onStop", &["onSaveInstanceState", "STOPPED"]),
        ("STOPPED", &["onStart", "onLowMemory", "onDestroyView", END]),
        ("onDestroyView", &["onCreateView", "onDestroy"]),
        ("onDestroy", &["onDetach"]),
        ("onDetach", &[END]),
    ],
};
