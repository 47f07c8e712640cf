package pathlight

import org.gradle.api.provider.ListProperty
import org.gradle.api.provider.Property
import org.gradle.api.provider.SetProperty

/** The block `pathlight { … }` of a build script. */
interface PathlightExtension {
    /** Build types whose packages record. None is the default: nothing is instrumented. */
    val buildTypes: SetProperty<String>

    /** The program; by default `pathlight`, found on PATH. */
    val program: Property<String>

    /**
     * More options of `pathlight instrument`, such as `--ks`, `release.p12`, `--ks-pass`,
     * `env:KS_PASS`.
     */
    val options: ListProperty<String>
}
