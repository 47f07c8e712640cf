//! The Gradle plugin. Gradle and the Android Gradle plugin are not here: Kotlin's compiler checks
//! the plugin's source against stubs of their interfaces, and its command lines are run.

use std::process::Command;

use crate::compilers::kotlin;
use crate::error::Result;
use crate::files::scratch;
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Compiles the plugin, and checks the command lines of its tasks.
///
/// # Errors
/// Fails if the source does not compile, or a command line is another one.
pub fn run(here: &Workspace) -> Result<()> {
    here.packages(&["fixtures"])?;
    let (kotlin, work) = (kotlin(here)?, scratch()?);
    let jar = work.path().join("plugin.jar");
    let mut compile = Command::new("bash");
    compile.arg(kotlin.join("bin/kotlinc")).args(["-no-reflect", "-Werror", "-d"]).arg(&jar);
    let folder = here.path("gradle-plugin");
    let sources = ["stubs", "src", "tests"].map(|sources| folder.join(sources));
    let mut tally = Tally::default();
    let compiled = output(compile.args(sources)).map_err(|e| e.to_string());
    let is_compiled = compiled.is_ok();
    tally.count("the plugin compiles", compiled.map(|_| "against stubs".into()));
    if is_compiled {
        let mut java = Command::new("java");
        let library = kotlin.join("lib/kotlin-stdlib.jar");
        let path = format!("{}:{}", jar.display(), library.display());
        let outcome = output(java.args(["-cp", &path, "CommandLineKt"]));
        let outcome = outcome.map(|printed| printed.trim().to_owned());
        tally.count("its command lines", outcome.map_err(|e| e.to_string()));
    }
    tally.finish()
}
