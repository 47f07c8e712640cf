//! Facts of `AndroidManifest.xml` that the instrumenter needs.
//!
//! Class and process names are expanded as Android's `PackageParser` does it (`buildClassName`,
//! `buildProcessName`).

use serde::Serialize;

use super::axml::Document;
use super::code_names::api_level;
use super::error::Fault;
use super::proto_xml::ProtoXml;
use super::xml::{Attr, AttributeValue, Xml};

/// Framework attribute ids (`android.R.attr`), each with the name used where a file carries no id.
mod attr {
    use super::Attr;

    pub(super) const NAME: Attr = (0x0101_0003, "name");
    pub(super) const SHARED_USER_ID: Attr = (0x0101_000b, "sharedUserId");
    pub(super) const ENABLED: Attr = (0x0101_000e, "enabled");
    pub(super) const DEBUGGABLE: Attr = (0x0101_000f, "debuggable");
    pub(super) const EXPORTED: Attr = (0x0101_0010, "exported");
    pub(super) const PROCESS: Attr = (0x0101_0011, "process");
    pub(super) const TARGET_PACKAGE: Attr = (0x0101_0021, "targetPackage");
    pub(super) const TARGET_ACTIVITY: Attr = (0x0101_0202, "targetActivity");
    pub(super) const MIN_SDK: Attr = (0x0101_020c, "minSdkVersion");
    pub(super) const VERSION_CODE: Attr = (0x0101_021b, "versionCode");
    pub(super) const VERSION_NAME: Attr = (0x0101_021c, "versionName");
    pub(super) const TARGET_SDK: Attr = (0x0101_0270, "targetSdkVersion");
    pub(super) const EXTRACT_NATIVE_LIBS: Attr = (0x0101_04ea, "extractNativeLibs");
    pub(super) const IS_SPLIT_REQUIRED: Attr = (0x0101_0591, "isSplitRequired");
    pub(super) const REQUIRED_SPLIT_TYPES: Attr = (0x0101_064e, "requiredSplitTypes");
    pub(super) const COMPONENT_FACTORY: Attr = (0x0101_057a, "appComponentFactory");
}

/// Largest number of actions that are kept; each is compared with those before.
const MAX_ACTIONS: usize = 1024;

/// The kinds of component that the platform starts by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComponentKind {
    /// `<activity>`
    Activity,
    /// `<activity-alias>`: another name for an activity.
    ActivityAlias,
    /// `<service>`
    Service,
    /// `<receiver>`
    Receiver,
    /// `<provider>`
    Provider,
}

/// One declared component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Component {
    /// Kind of component.
    pub kind: ComponentKind,
    /// Full class name with dots; of an alias its own name, which is no class.
    pub class: String,
    /// Full class name of the activity that an alias stands for.
    pub target_activity: Option<String>,
    /// The process it runs in, inherited from the application where it names none.
    pub process: String,
    /// `android:exported`; `None` where absent or a resource reference.
    pub exported: Option<bool>,
    /// `android:enabled`; `None` where absent (that means enabled) or a resource reference.
    pub enabled: Option<bool>,
    /// An intent filter here has action MAIN and category LAUNCHER (or LEANBACK_LAUNCHER).
    pub launcher: bool,
}

/// One `<instrumentation>` element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instrumentation {
    /// Full class name.
    pub class: String,
    /// The package under test.
    pub target_package: Option<String>,
}

/// The manifest of an APK.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// `package`.
    pub package: String,
    /// `split`: set in split APKs only.
    pub split: Option<String>,
    /// `configForSplit`: set in split APKs only; empty for a configuration of the base.
    pub config_for_split: Option<String>,
    /// `android:isSplitRequired` or `android:requiredSplitTypes`: Android installs it with splits
    /// only.
    pub needs_splits: bool,
    /// `android:versionCode` (low 32 bits).
    pub version_code: Option<i32>,
    /// `android:versionName`, where it is plain text.
    pub version_name: Option<String>,
    /// `android:sharedUserId`.
    pub shared_user_id: Option<String>,
    /// `android:minSdkVersion`, of a code name the level of its release; `None` where absent
    /// (means 1).
    pub min_sdk: Option<u32>,
    /// `android:targetSdkVersion`, likewise; `None` where absent (means the minimum).
    pub target_sdk: Option<u32>,
    /// Full class name of the application class, where one is named.
    pub application: Option<String>,
    /// The process of the application.
    pub process: String,
    /// `android:appComponentFactory`, full class name.
    pub component_factory: Option<String>,
    /// `android:debuggable`.
    pub debuggable: bool,
    /// `android:extractNativeLibs`.
    pub extract_native_libs: Option<bool>,
    /// All components in the order of the file.
    pub components: Vec<Component>,
    /// `<instrumentation>` elements.
    pub instrumentations: Vec<Instrumentation>,
    /// Actions of all intent filters, each once, in the order of the file.
    #[serde(skip)]
    pub actions: Vec<String>,
}

impl Manifest {
    /// Reads a binary manifest. Every fault names its offset.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::of(&Document::parse(bytes)?)
    }

    /// Reads the manifest of a module of an app bundle.
    pub(super) fn parse_proto(bytes: &[u8]) -> Result<Self, Fault> {
        Self::of(&ProtoXml::parse(bytes)?)
    }

    fn of(doc: &impl Xml) -> Result<Self, Fault> {
        let (out, path, filter) = (Manifest::default(), Vec::new(), Filter::default());
        let mut reader = ManifestReader { doc, out, path, filter };
        for (element, depth) in doc.depths().enumerate() {
            reader.element(element, depth)?;
        }
        reader.leave(0);
        if reader.out.package.is_empty() {
            return Err(Fault::Manifest { offset: 0, reason: "no package name" });
        }
        Ok(reader.out)
    }

    /// Full class name of the activity that the launcher starts: the first one that is not
    /// disabled.
    pub fn launcher(&self) -> Option<&str> {
        let found = self.components.iter().find(|c| c.launcher && c.enabled != Some(false))?;
        Some(found.target_activity.as_deref().unwrap_or(&found.class))
    }

    /// Adds the components of a split or module that are not here yet.
    pub fn add_components(&mut self, other: &Manifest) {
        for component in &other.components {
            let is_same = |c: &Component| (c.kind, &c.class) == (component.kind, &component.class);
            if !self.components.iter().any(is_same) {
                self.components.push(component.clone());
            }
        }
        for action in &other.actions {
            if !self.actions.contains(action) {
                self.actions.push(action.clone());
            }
        }
    }

    /// Full names of the classes that the platform starts: the application and its factory, the
    /// components, instrumentations.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        let app = self.application.iter().chain(&self.component_factory);
        let components =
            self.components.iter().map(|c| c.target_activity.as_ref().unwrap_or(&c.class));
        let tests = self.instrumentations.iter().map(|i| &i.class);
        app.chain(components).chain(tests).map(String::as_str)
    }

    /// The name of a split APK: the value of `split`, or a word for a nameless configuration split.
    pub fn split_name(&self) -> Option<&str> {
        let config = self.config_for_split.as_ref().map(|_| "configuration");
        self.split.as_deref().filter(|name| !name.is_empty()).or(config)
    }

    /// Effective minimum SDK: 1 where none is given.
    pub fn min_sdk_or_default(&self) -> u32 {
        self.min_sdk.unwrap_or(1)
    }
}

#[derive(Default)]
struct Filter {
    main: bool,
    launcher: bool,
}

struct ManifestReader<'d, X> {
    doc: &'d X,
    out: Manifest,
    path: Vec<String>,
    filter: Filter,
}

impl<X: Xml> ManifestReader<'_, X> {
    fn element(&mut self, e: usize, depth: usize) -> Result<(), Fault> {
        self.leave(depth);
        let name = self.doc.name(e)?;
        self.path.push(name.clone());
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match path.as_slice() {
            ["manifest"] => {
                self.out.package = self.doc.plain(e, "package")?.unwrap_or_default();
                self.out.process = self.out.package.clone();
                self.out.split = self.doc.plain(e, "split")?;
                self.out.config_for_split = self.doc.plain(e, "configForSplit")?;
                self.out.needs_splits = self.flag(e, attr::IS_SPLIT_REQUIRED)?.unwrap_or(false)
                    || self
                        .text(e, attr::REQUIRED_SPLIT_TYPES)?
                        .is_some_and(|types| !types.trim().is_empty());
                self.out.version_code = self.int(e, attr::VERSION_CODE)?;
                self.out.version_name = self.text(e, attr::VERSION_NAME)?;
                self.out.shared_user_id = self.text(e, attr::SHARED_USER_ID)?;
            }
            ["manifest", "uses-sdk"] => {
                self.out.min_sdk = self.sdk(e, attr::MIN_SDK)?;
                self.out.target_sdk = self.sdk(e, attr::TARGET_SDK)?;
            }
            ["manifest", "instrumentation"] => {
                if let Some(class) = self.class(e, attr::NAME)? {
                    let target_package = self.text(e, attr::TARGET_PACKAGE)?;
                    self.out.instrumentations.push(Instrumentation { class, target_package });
                }
            }
            ["manifest", "application"] => {
                self.out.application = self.class(e, attr::NAME)?;
                self.out.component_factory = self.class(e, attr::COMPONENT_FACTORY)?;
                self.out.debuggable = self.flag(e, attr::DEBUGGABLE)?.unwrap_or(false);
                self.out.extract_native_libs = self.flag(e, attr::EXTRACT_NATIVE_LIBS)?;
                if let Some(process) = self.process(e)? {
                    self.out.process = process;
                }
            }
            ["manifest", "application", tag] => {
                let kind = match *tag {
                    "activity" => ComponentKind::Activity,
                    "activity-alias" => ComponentKind::ActivityAlias,
                    "service" => ComponentKind::Service,
                    "receiver" => ComponentKind::Receiver,
                    "provider" => ComponentKind::Provider,
                    _ => return Ok(()),
                };
                // Android refuses a component without a name; nothing can be started by it.
                let Some(class) = self.class(e, attr::NAME)? else {
                    // Its intent filters must not count for the component before it.
                    self.path.truncate(2);
                    self.path.push(String::new());
                    return Ok(());
                };
                let component = Component {
                    kind,
                    class,
                    target_activity: self.class(e, attr::TARGET_ACTIVITY)?,
                    process: self.process(e)?.unwrap_or_else(|| self.out.process.clone()),
                    exported: self.flag(e, attr::EXPORTED)?,
                    enabled: self.flag(e, attr::ENABLED)?,
                    launcher: false,
                };
                self.out.components.push(component);
            }
            ["manifest", "application", component, "intent-filter", "action"] => {
                let Some(action) = self.text(e, attr::NAME)? else { return Ok(()) };
                self.filter.main |= matches!(*component, "activity" | "activity-alias")
                    && action == "android.intent.action.MAIN";
                let actions = &self.out.actions;
                if actions.len() < MAX_ACTIONS && !actions.contains(&action) {
                    self.out.actions.push(action);
                }
            }
            [
                "manifest",
                "application",
                "activity" | "activity-alias",
                "intent-filter",
                "category",
            ] => {
                self.filter.launcher |= self.text(e, attr::NAME)?.is_some_and(|category| {
                    [
                        "android.intent.category.LAUNCHER",
                        "android.intent.category.LEANBACK_LAUNCHER",
                    ]
                    .contains(&category.as_str())
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// Closes the elements at and below `depth`; a closing intent filter shows whether its
    /// component is a launcher.
    fn leave(&mut self, depth: usize) {
        while self.path.len() > depth {
            let closed = self.path.pop();
            if closed.as_deref() == Some("intent-filter") {
                let filter = std::mem::take(&mut self.filter);
                if let Some(component) =
                    self.out.components.last_mut().filter(|_| filter.main && filter.launcher)
                {
                    component.launcher = true;
                }
            }
        }
    }

    fn text(&self, e: usize, attr: Attr) -> Result<Option<String>, Fault> {
        match self.doc.android(e, attr)? {
            Some(AttributeValue::Text(text)) => Ok(Some(text)),
            _ => Ok(None),
        }
    }

    fn int(&self, e: usize, attr: Attr) -> Result<Option<i32>, Fault> {
        Ok(match self.doc.android(e, attr)? {
            Some(AttributeValue::Int(v)) => Some(v),
            Some(AttributeValue::Text(text)) => text.trim().parse().ok(),
            _ => None,
        })
    }

    fn sdk(&self, e: usize, attr: Attr) -> Result<Option<u32>, Fault> {
        Ok(match self.doc.android(e, attr)? {
            Some(AttributeValue::Int(level)) => u32::try_from(level).ok(),
            Some(AttributeValue::Text(text)) => {
                text.trim().parse().ok().or_else(|| api_level(text.trim()))
            }
            _ => None,
        })
    }

    fn flag(&self, e: usize, attr: Attr) -> Result<Option<bool>, Fault> {
        Ok(match self.doc.android(e, attr)? {
            Some(AttributeValue::Bool(v)) => Some(v),
            Some(AttributeValue::Int(v)) => Some(v != 0),
            Some(AttributeValue::Text(text)) => match text.as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            _ => None,
        })
    }

    fn class(&self, e: usize, attr: Attr) -> Result<Option<String>, Fault> {
        Ok(self.text(e, attr)?.filter(|name| !name.is_empty()).map(|name| {
            let package = &self.out.package;
            if name.starts_with('.') {
                format!("{package}{name}")
            } else if name.contains('.') {
                name
            } else {
                format!("{package}.{name}")
            }
        }))
    }

    fn process(&self, e: usize) -> Result<Option<String>, Fault> {
        Ok(self.text(e, attr::PROCESS)?.filter(|name| !name.is_empty()).map(|name| {
            match name.strip_prefix(':') {
                Some(_) => format!("{}{name}", self.out.package),
                None => name,
            }
        }))
    }
}
