package org.cetp.phone

import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.annotation.LooperMode
import java.nio.file.Paths

/**
 * Not a test: the only form in which Robolectric lends its framework. The application is the bridge's own; the main
 * looper has a thread of its own, as on a phone.
 */
@RunWith(RobolectricTestRunner::class)
@Config(shadows = [CompletePackageManager::class])
@LooperMode(LooperMode.Mode.INSTRUMENTATION_TEST)
class Phone {
    @Test
    fun serve() {
        val bridge = RuntimeEnvironment.getApplication()
        val apps = Apps(bridge)
        val sample = Paths.get(checkNotNull(System.getProperty("phone.sample")) { "phone.sample names no APK" })
        apps.install(sample, certificate = "sample")
        Commands(Providers(bridge), System.`in`.bufferedReader(), System.out).serve()
    }
}
