package org.cetp.phone

import android.app.Service
import android.content.Intent
import org.robolectric.Robolectric
import org.robolectric.android.controller.ServiceController
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.annotation.RealObject
import org.robolectric.shadows.ShadowService

/** Does what the system does for started services; Robolectric only writes down what it was asked for. */
class Services {
    /** By class name. Only the main thread touches it. */
    private val running = mutableMapOf<String, ServiceController<out Service>>()

    /** Of the last start. Only the main thread touches it. */
    private var starts = 0

    /** As `Context.startService`: the service starts a moment later, on the main thread. */
    fun start(intent: Intent) = postToMain {
        val name = checkNotNull(intent.component).className
        val service = running.getOrPut(name) {
            Robolectric.buildService(Class.forName(name).asSubclass(Service::class.java), intent).create()
        }
        service.get().onStartCommand(intent, 0, ++starts)
    }

    /** As `Context.stopService`. */
    fun stop(name: String) = postToMain { running.remove(name)?.destroy() }
}

/** A service that ends when it says so, as on a phone. */
@Implements(Service::class)
class EndingService : ShadowService() {
    @RealObject
    private lateinit var service: Service

    @Implementation
    override fun stopSelf() {
        super.stopSelf()
        end()
    }

    @Implementation
    override fun stopSelf(id: Int) {
        super.stopSelf(id)
        end()
    }

    private fun end() {
        service.application.stopService(Intent(service, service.javaClass))
    }
}
