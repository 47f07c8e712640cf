package org.gradle.api.file

import java.io.File
import org.gradle.api.provider.Property
import org.gradle.api.provider.Provider

interface FileSystemLocation {
    val asFile: File
}

interface Directory : FileSystemLocation

interface RegularFile : FileSystemLocation

interface FileSystemLocationProperty<T : FileSystemLocation> : Property<T>

interface DirectoryProperty : FileSystemLocationProperty<Directory> {
    fun file(path: String): Provider<RegularFile>
    fun dir(path: String): Provider<Directory>
}

interface RegularFileProperty : FileSystemLocationProperty<RegularFile>

interface ProjectLayout {
    val buildDirectory: DirectoryProperty
}
