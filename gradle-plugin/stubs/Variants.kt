package com.android.build.api.variant

import com.android.build.api.artifact.Artifacts

interface VariantSelector {
    fun all(): VariantSelector
}

interface ApplicationVariant {
    val name: String
    val buildType: String?
    val artifacts: Artifacts
}

interface ApplicationAndroidComponentsExtension {
    fun selector(): VariantSelector
    fun onVariants(selector: VariantSelector, callback: (ApplicationVariant) -> Unit)
}
