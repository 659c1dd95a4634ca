import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    alias(libs.plugins.android.application)
}

android {
    namespace = "org.cetp.bridge.app"
    compileSdk = libs.versions.compileSdk.get().toInt()

    defaultConfig {
        applicationId = "org.cetp.bridge"
        minSdk = libs.versions.minSdk.get().toInt()
        targetSdk = libs.versions.targetSdk.get().toInt()
        versionCode = libs.versions.versionCode.get().toInt()
        versionName = libs.versions.versionName.get()
    }

    // `bridge` defines the permission that providers require; `guest` is for phones where another app already does.
    flavorDimensions += "permission"
    productFlavors {
        create("bridge") {
            dimension = "permission"
            isDefault = true
        }
        create("guest") {
            dimension = "permission"
            applicationIdSuffix = ".guest"
        }
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

dependencies {
    implementation(project(":core"))
    implementation(libs.coroutines.android)
    testImplementation(libs.junit)
    testImplementation(libs.robolectric)
    testImplementation(libs.coroutines.test)
    testImplementation(libs.turbine)
    testImplementation(libs.mockwebserver)
}
