// The part of the Android Gradle plugin's interface (gradle-api 8) that the plugin uses.
package com.android.build.api.artifact

import java.io.File
import org.gradle.api.Task
import org.gradle.api.file.Directory
import org.gradle.api.file.DirectoryProperty
import org.gradle.api.file.FileSystemLocation
import org.gradle.api.file.RegularFile
import org.gradle.api.file.RegularFileProperty
import org.gradle.api.provider.Provider
import org.gradle.api.tasks.TaskProvider

interface Artifact<T : FileSystemLocation> {
    interface Transformable
    interface ContainsMany
    abstract class Single<T : FileSystemLocation> : Artifact<T>
}

sealed class SingleArtifact<T : FileSystemLocation> : Artifact.Single<T>() {
    object APK : SingleArtifact<Directory>(), Artifact.Transformable, Artifact.ContainsMany
    object BUNDLE : SingleArtifact<RegularFile>(), Artifact.Transformable
    object OBFUSCATION_MAPPING_FILE : SingleArtifact<RegularFile>()
}

interface BuiltArtifact {
    val outputFile: String
}

interface ArtifactTransformationRequest<TaskT : Task> {
    fun submit(task: TaskT, transformer: (input: BuiltArtifact) -> File)
}

interface InAndOutDirectoryOperationRequest<TaskT : Task> {
    fun <ArtifactT> toTransformMany(type: ArtifactT): ArtifactTransformationRequest<TaskT>
        where ArtifactT : Artifact.Single<Directory>,
              ArtifactT : Artifact.Transformable,
              ArtifactT : Artifact.ContainsMany
}

interface InAndOutFileOperationRequest {
    fun <ArtifactT> toTransform(type: ArtifactT)
        where ArtifactT : Artifact.Single<RegularFile>,
              ArtifactT : Artifact.Transformable
}

interface TaskBasedOperation<TaskT : Task> {
    fun wiredWithDirectories(
        taskInput: (TaskT) -> DirectoryProperty,
        taskOutput: (TaskT) -> DirectoryProperty,
    ): InAndOutDirectoryOperationRequest<TaskT>

    fun wiredWithFiles(
        taskInput: (TaskT) -> RegularFileProperty,
        taskOutput: (TaskT) -> RegularFileProperty,
    ): InAndOutFileOperationRequest
}

interface Artifacts {
    fun <FileTypeT : FileSystemLocation> get(type: SingleArtifact<FileTypeT>): Provider<FileTypeT>
    fun <TaskT : Task> use(taskProvider: TaskProvider<TaskT>): TaskBasedOperation<TaskT>
}
