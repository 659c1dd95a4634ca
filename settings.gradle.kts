pluginManagement {
    repositories {
        google {
            content {
                includeGroupByRegex("com\\.android.*")
                includeGroupByRegex("com\\.google.*")
                includeGroupByRegex("androidx.*")
            }
        }
        mavenCentral()
    }
}

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        google {
            content {
                includeGroupByRegex("com\\.android.*")
                includeGroupByRegex("androidx.*")
            }
        }
        mavenCentral()
    }
}

rootProject.name = "cetp-toolkit"

// The same modules, under the same names, as in the host build (tests/android).
include(":core", ":app", ":sample")
project(":core").projectDir = file("android-bridge/core")
project(":app").projectDir = file("android-bridge/app")
project(":sample").projectDir = file("provider-sample")
