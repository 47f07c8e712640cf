//! Messages of errors and warnings that concern options. The libraries report kinds; the names of
//! options are here.

use device::DeviceError;
use instrumenter::app::{AppError, Nothing};
use instrumenter::cost::forecast::Unreachable;
use instrumenter::plan::selected::Problem;
use instrumenter::{InstrumentError, LimitKind, Warning};

/// Returns the option that sets a limit.
pub fn option_of(limit: LimitKind) -> &'static str {
    match limit {
        LimitKind::HugeMethods => "--huge-methods",
        LimitKind::SizeGrowth => "--max-size-growth",
        LimitKind::LogRate => "--max-log-rate",
        LimitKind::Slowdown => "--max-slowdown",
    }
}

/// Words an error, with the option that causes or cures it.
pub fn failed(error: &AppError) -> String {
    match error {
        AppError::NoFolder { file } => format!(
            "{file}: --logs external needs an Android app, whose package name is that of its \
             folder on shared storage"
        ),
        AppError::Nothing { file, why: Nothing::Excluded(methods) } => format!(
            "{file}: nothing to instrument: --include and --exclude leave none of the {methods} \
             methods with code"
        ),
        AppError::Code { file, problem } => match of_code(problem) {
            Some(problem) => format!("{file}: {problem}"),
            None => error.to_string(),
        },
        _ => error.to_string(),
    }
}

fn of_code(error: &InstrumentError) -> Option<String> {
    Some(match error {
        InstrumentError::Unmapped { .. } => {
            format!("{error}; --drop-unmapped goes on without them")
        }
        InstrumentError::Mapping { mapping, app } => format!(
            "--mapping is of build {mapping}, but the classes are of build {app} (r8-map-id): use \
             the mapping.txt of this build"
        ),
        InstrumentError::Limit(Unreachable { limit, shortfall }) => {
            format!("{} {limit}: {shortfall}", option_of(shortfall.kind()))
        }
        InstrumentError::Path(path) if path.problem == Problem::X86 => {
            format!("{error} (--x86-safe)")
        }
        _ => return None,
    })
}

/// Words an error of a device, with the option that cures it.
pub fn device_failed(error: &DeviceError) -> String {
    match error {
        DeviceError::TooLarge { .. } => {
            format!("{error}. A build with a larger --cap needs the same --cap here")
        }
        DeviceError::RunAs { printed, .. } if printed.contains("not debuggable") => {
            format!("{error}: instrument with --logs external, and pull with it")
        }
        DeviceError::Install { refused, .. } => match refused.code.as_str() {
            "INSTALL_FAILED_UPDATE_INCOMPATIBLE" => {
                format!("{error}; `instrument --ks` takes the key")
            }
            "INSTALL_FAILED_VERSION_DOWNGRADE" => format!("{error}: see --downgrade"),
            "INSTALL_FAILED_TEST_ONLY" => format!("{error}: see --test-only"),
            _ => error.to_string(),
        },
        _ => error.to_string(),
    }
}

/// Words a warning, with the option that causes or cures it.
pub fn warning(warning: &Warning) -> String {
    match warning {
        Warning::Include { glob } => format!("--include {glob:?} matches no class of the app"),
        Warning::Exclude { glob } => format!("--exclude {glob:?} matches no class of the app"),
        Warning::Mapping => {
            "--mapping names no class of the app: is it the mapping.txt of this build?".to_owned()
        }
        Warning::MappingVersion { major, minor } => format!(
            "--mapping has version {major}.{minor}, newer than 2.2: it is read as version 2.2"
        ),
        Warning::Model => "--model has no branch of the app: was it trained with this app, and \
             with the same --mapping?"
            .to_owned(),
        Warning::ModelFitsBadly { percent } => format!(
            "--model fits badly: only {percent} % of its decisions are at branches of this app; \
             was it trained with another compiler, or without the same --mapping?"
        ),
        Warning::SharedUser { .. } => format!(
            "{warning}; sign with their key (--ks), or sign them all with this one (--sign-also) \
             and install them anew"
        ),
        _ => warning.to_string(),
    }
}
