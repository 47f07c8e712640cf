package pathlight

import com.android.build.api.artifact.SingleArtifact
import com.android.build.api.variant.ApplicationAndroidComponentsExtension
import com.android.build.api.variant.ApplicationVariant
import org.gradle.api.Plugin
import org.gradle.api.Project
import org.gradle.api.tasks.TaskProvider

/** Instruments the APKs and the app bundle of chosen build types, before they are installed. */
class PathlightPlugin : Plugin<Project> {
    override fun apply(target: Project) = instrument(target)

    private fun instrument(project: Project) {
        val settings = project.extensions.create("pathlight", PathlightExtension::class.java)
        settings.program.convention("pathlight")
        project.pluginManager.withPlugin("com.android.application") {
            val android = ApplicationAndroidComponentsExtension::class.java
            val components = project.extensions.getByType(android)
            components.onVariants(components.selector().all()) { variant ->
                if (variant.buildType in settings.buildTypes.get()) {
                    apks(project, settings, variant)
                    bundle(project, settings, variant)
                }
            }
        }
    }

    private fun apks(project: Project, settings: PathlightExtension, variant: ApplicationVariant) {
        val name = "instrument${capital(variant.name)}Apks"
        val task = project.tasks.register(name, InstrumentApks::class.java)
        val request = variant.artifacts.use(task)
            .wiredWithDirectories(InstrumentApks::apks, InstrumentApks::instrumented)
            .toTransformMany(SingleArtifact.APK)
        task.configure {
            it.request.set(request)
            it.mapping.set(variant.artifacts.get(SingleArtifact.OBFUSCATION_MAPPING_FILE))
        }
        finish(project, settings, variant, task, "apk")
    }

    private fun bundle(
        project: Project,
        settings: PathlightExtension,
        variant: ApplicationVariant,
    ) {
        val name = "instrument${capital(variant.name)}Bundle"
        val task = project.tasks.register(name, InstrumentBundle::class.java)
        variant.artifacts.use(task)
            .wiredWithFiles(InstrumentBundle::bundle, InstrumentBundle::instrumented)
            .toTransform(SingleArtifact.BUNDLE)
        finish(project, settings, variant, task, "bundle")
    }

    /** Settings of the task, and its maps as an artifact of the project. */
    private fun <T : InstrumentTask> finish(
        project: Project,
        settings: PathlightExtension,
        variant: ApplicationVariant,
        task: TaskProvider<T>,
        kind: String,
    ) {
        task.configure {
            it.program.set(settings.program)
            it.options.set(settings.options)
            val folder = "outputs/pathlight/${variant.name}/$kind"
            it.maps.set(project.layout.buildDirectory.dir(folder))
        }
        project.configurations.create("pathlight${capital(variant.name)}${capital(kind)}Maps") {
            it.isCanBeConsumed = true
            it.isCanBeResolved = false
            it.outgoing.artifact(task.flatMap(InstrumentTask::maps))
        }
    }
}

private fun capital(name: String) = name.replaceFirstChar(Char::uppercase)
