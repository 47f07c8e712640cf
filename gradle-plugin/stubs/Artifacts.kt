package org.gradle.api.artifacts

import org.gradle.api.Action

interface ConfigurationPublications {
    fun artifact(notation: Any): Any
}

interface Configuration {
    var isCanBeConsumed: Boolean
    var isCanBeResolved: Boolean
    val outgoing: ConfigurationPublications
}

interface ConfigurationContainer {
    fun create(name: String, action: Action<in Configuration>): Configuration
}
