// The part of Gradle's interface that the plugin uses, written by hand after Gradle 8's
// documentation: only declarations, so that the plugin's source can be compiled without Gradle.
@file:Suppress("unused", "UNUSED_PARAMETER")

package org.gradle.api

fun interface Action<T> {
    fun execute(value: T)
}

interface Task

abstract class DefaultTask : Task

interface Plugin<T> {
    fun apply(target: T)
}

interface Project {
    val extensions: org.gradle.api.plugins.ExtensionContainer
    val pluginManager: org.gradle.api.plugins.PluginManager
    val tasks: org.gradle.api.tasks.TaskContainer
    val layout: org.gradle.api.file.ProjectLayout
    val configurations: org.gradle.api.artifacts.ConfigurationContainer
}
