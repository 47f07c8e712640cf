package org.gradle.api.plugins

import org.gradle.api.Action

interface AppliedPlugin

interface ExtensionContainer {
    fun <T : Any> create(name: String, type: Class<T>, vararg arguments: Any): T
    fun <T : Any> getByType(type: Class<T>): T
}

interface PluginManager {
    fun withPlugin(id: String, action: Action<AppliedPlugin>)
}
