// The versions of both plugins are decided here once; AGP compiles Kotlin itself, with this version of it.
plugins {
    alias(libs.plugins.android.application) apply false
    alias(libs.plugins.kotlin.jvm) apply false
}
