import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.android.application)
}

android {
    namespace = "com.example.notes"
    compileSdk = libs.versions.compileSdk.get().toInt()

    defaultConfig {
        applicationId = "com.example.notes"
        minSdk = libs.versions.minSdk.get().toInt()
        targetSdk = libs.versions.targetSdk.get().toInt()
        versionCode = libs.versions.versionCode.get().toInt()
        versionName = libs.versions.versionName.get()
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }

    testOptions.unitTests {
        isIncludeAndroidResources = true
        all { test ->
            // Android 16's framework needs Java 21.
            val newer = JavaVersion.current().isCompatibleWith(JavaVersion.VERSION_21)
            test.systemProperty("robolectric.enabledSdks", if (newer) "26,34,36" else "26,34")
            test.systemProperty("cetp.spec", rootDir.resolve("cetp-spec").path)
            test.maxHeapSize = "2g"
        }
    }
}

kotlin {
    compilerOptions {
        jvmTarget = JvmTarget.JVM_1_8
        allWarningsAsErrors = true
    }
}

// Nothing of ours: an app that copies the sample needs no library of this project.
dependencies {
    testImplementation(libs.junit)
    testImplementation(libs.robolectric)
}
