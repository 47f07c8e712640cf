package org.gradle.api.tasks

import org.gradle.api.Action
import org.gradle.api.Task
import org.gradle.api.provider.Provider

annotation class Input
annotation class InputDirectory
annotation class InputFile
annotation class Internal
annotation class Optional
annotation class OutputDirectory
annotation class OutputFile
annotation class TaskAction
annotation class PathSensitive(val value: PathSensitivity)

enum class PathSensitivity { ABSOLUTE, RELATIVE, NAME_ONLY, NONE }

interface TaskProvider<T : Task> : Provider<T> {
    fun configure(action: Action<in T>)
}

interface TaskContainer {
    fun <T : Task> register(name: String, type: Class<T>): TaskProvider<T>
}
