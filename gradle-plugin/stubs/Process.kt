package org.gradle.process

import org.gradle.api.Action

interface ExecResult

interface ExecSpec {
    fun commandLine(arguments: Iterable<*>): ExecSpec
}

interface ExecOperations {
    fun exec(action: Action<in ExecSpec>): ExecResult
}
