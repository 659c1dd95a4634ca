plugins { id("com.android.application") }

android {
    namespace = "org.example.notes"
    defaultConfig {
        applicationId = "org.example.notes"
        minSdk = 26
        targetSdk = 35
    }
}
