import org.jetbrains.kotlin.gradle.dsl.JvmTarget

plugins {
    `java-library`
    alias(libs.plugins.kotlin.jvm)
}

java {
    sourceCompatibility = JavaVersion.VERSION_1_8
    targetCompatibility = JavaVersion.VERSION_1_8
}

kotlin {
    explicitApi()
    compilerOptions {
        jvmTarget = JvmTarget.JVM_1_8
        allWarningsAsErrors = true
    }
}

tasks.compileKotlin {
    // No call that Java 8, and so Android 8, lacks.
    compilerOptions.freeCompilerArgs.add("-Xjdk-release=1.8")
}

dependencies {
    api(libs.coroutines.core)
    api(libs.serialization.json)
    api(libs.okhttp)
    testImplementation(libs.junit)
    testImplementation(libs.coroutines.test)
    testImplementation(libs.turbine)
    testImplementation(libs.mockwebserver)
    testImplementation(libs.okhttp.tls)
}

tasks.test {
    val spec = rootDir.resolve("cetp-spec")
    inputs.dir(spec.resolve("vectors"))
    inputs.file(spec.resolve("contract.json"))
    systemProperty("cetp.spec", spec.path)
}
