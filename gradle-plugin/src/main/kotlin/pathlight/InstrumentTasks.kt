package pathlight

import com.android.build.api.artifact.ArtifactTransformationRequest
import java.io.File
import javax.inject.Inject
import org.gradle.api.DefaultTask
import org.gradle.api.file.DirectoryProperty
import org.gradle.api.file.RegularFileProperty
import org.gradle.api.provider.ListProperty
import org.gradle.api.provider.Property
import org.gradle.api.tasks.Input
import org.gradle.api.tasks.InputDirectory
import org.gradle.api.tasks.InputFile
import org.gradle.api.tasks.Internal
import org.gradle.api.tasks.Optional
import org.gradle.api.tasks.OutputDirectory
import org.gradle.api.tasks.OutputFile
import org.gradle.api.tasks.PathSensitive
import org.gradle.api.tasks.PathSensitivity
import org.gradle.api.tasks.TaskAction
import org.gradle.process.ExecOperations
import org.gradle.work.DisableCachingByDefault

/**
 * The command line that instruments one package. The folder of maps belongs to the task, so an
 * older map of the same name may go: `--force`.
 */
fun commandLine(
    program: String,
    input: File,
    output: File,
    map: File,
    mapping: File?,
    options: List<String>,
): List<String> {
    val files = listOf(input.path, "-o", output.path, "--map", map.path)
    val names = mapping?.let { listOf("--mapping", it.path) } ?: emptyList()
    return listOf(program, "instrument", "--force") + files + names + options
}

/**
 * Instruments packages of either kind. All state is in properties, so the configuration cache can
 * keep it.
 */
@DisableCachingByDefault(because = "the program that does the work is no input of the task")
abstract class InstrumentTask @Inject constructor(
    private val exec: ExecOperations,
) : DefaultTask() {
    @get:Input
    abstract val program: Property<String>

    @get:Input
    abstract val options: ListProperty<String>

    /** R8's mapping, if the variant is shrunk. A bundle has its own. */
    @get:Optional
    @get:InputFile
    @get:PathSensitive(PathSensitivity.NONE)
    abstract val mapping: RegularFileProperty

    /** Folder of the maps, which decode the logs of the build. */
    @get:OutputDirectory
    abstract val maps: DirectoryProperty

    /** Instruments one package into [output]. */
    protected fun instrument(input: File, output: File) {
        val map = maps.file("${input.nameWithoutExtension}.plmap").get().asFile
        val names = if (mapping.isPresent) mapping.get().asFile else null
        val line = commandLine(program.get(), input, output, map, names, options.get())
        exec.exec { it.commandLine(line) }
    }
}

/** Instruments every APK of a variant. */
@DisableCachingByDefault(because = "the program that does the work is no input of the task")
abstract class InstrumentApks @Inject constructor(exec: ExecOperations) : InstrumentTask(exec) {
    @get:InputDirectory
    @get:PathSensitive(PathSensitivity.NAME_ONLY)
    abstract val apks: DirectoryProperty

    @get:OutputDirectory
    abstract val instrumented: DirectoryProperty

    @get:Internal
    abstract val request: Property<ArtifactTransformationRequest<InstrumentApks>>

    @TaskAction
    fun run() {
        request.get().submit(this) { apk ->
            val input = File(apk.outputFile)
            val output = instrumented.file(input.name).get().asFile
            instrument(input, output)
            output
        }
    }
}

/** Instruments the app bundle of a variant. */
@DisableCachingByDefault(because = "the program that does the work is no input of the task")
abstract class InstrumentBundle @Inject constructor(exec: ExecOperations) : InstrumentTask(exec) {
    @get:InputFile
    @get:PathSensitive(PathSensitivity.NAME_ONLY)
    abstract val bundle: RegularFileProperty

    @get:OutputFile
    abstract val instrumented: RegularFileProperty

    @TaskAction
    fun run() = instrument(bundle.get().asFile, instrumented.get().asFile)
}
