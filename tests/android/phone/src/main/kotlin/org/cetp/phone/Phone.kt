package org.cetp.phone

import kotlinx.coroutines.cancel
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.annotation.LooperMode

/**
 * Not a test: the only form in which Robolectric lends its framework. The main looper has a thread of its own, as on a
 * phone.
 */
@RunWith(RobolectricTestRunner::class)
@LooperMode(LooperMode.Mode.INSTRUMENTATION_TEST)
@Config(
    application = PhoneApp::class,
    shadows = [CompletePackageManager::class, EndingService::class, HeardNotifications::class],
)
class Phone {
    /** Serve until the phone is switched off. */
    @Test
    fun serve() {
        val bridge = RuntimeEnvironment.getApplication() as PhoneApp
        HeardNotifications.shown.value = emptyMap()
        val apps = Apps(bridge)
        val sample = checkNotNull(System.getProperty("phone.sample")) { "phone.sample names no APK" }
        Commands(Desk(Owner(bridge), Asked(bridge), apps, Measurements(bridge), sample), System.out).serve(System.`in`)
        apps.letGo()
        bridge.disconnect()
        bridge.scope.cancel()
    }
}
