import java.io.File
import pathlight.commandLine

/** The command lines of the tasks, by the documentation of `pathlight instrument`. */
fun main() {
    fun line(mapping: File?, options: List<String>): String {
        val (app, beta, map) = listOf("in/app.apk", "out/app.apk", "maps/app.plmap").map(::File)
        return commandLine("pathlight", app, beta, map, mapping, options).joinToString(" ")
    }
    val plain = "pathlight instrument --force in/app.apk -o out/app.apk --map maps/app.plmap"
    check(line(null, emptyList()) == plain) { line(null, emptyList()) }
    val full = line(File("mapping.txt"), listOf("--ks", "release.p12"))
    check(full == "$plain --mapping mapping.txt --ks release.p12") { full }
    println("2 command lines")
}
