package org.cetp.bridge.tools

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit

/**
 * The inquiries that are under way, one for each app, and those that are due again after a failure.
 *
 * Used by one coroutine alone, which also reads the events; what became of an inquiry counts only while it is the
 * app's newest.
 */
internal class Inquiries(
    private val scope: CoroutineScope,
    source: ProviderSource,
    private val timing: CatalogTiming,
    private val events: SendChannel<CatalogEvent>,
) {
    private val inquiry = ProviderInquiry(source, timing)
    private val permits = Semaphore(timing.parallel)
    private val running = HashMap<String, Running>()
    private val retries = HashMap<String, Job>()

    private val failures = HashMap<String, Int>()

    /** One inquiry, and the token by which its answers are known. */
    class Running(val address: ProviderAddress) {
        /** Touched by the owner of [Inquiries] alone, like the others here. Null only until it is launched. */
        var job: Job? = null

        /** Whether its tools have been told. */
        var answered: Boolean = false

        /** Whether to ask once more, because something changed after it was asked. */
        var again: Boolean = false
    }

    /** Whether some provider has still to tell its tools. */
    val areOpen: Boolean get() = running.values.any { !it.answered }

    /** Ask a provider, or once more when the inquiry under way has ended: a hanging app is not asked twice at once. */
    fun ask(address: ProviderAddress) {
        retries.remove(address.packageName)?.cancel()
        val before = running[address.packageName]
        when {
            before != null && !before.answered && before.address == address -> before.again = true
            else -> start(address)
        }
    }

    /** Forget an app. */
    fun stop(packageName: String) {
        running.remove(packageName)?.job?.cancel()
        retries.remove(packageName)?.cancel()
        failures.remove(packageName)
    }

    /** How often an app failed in a row. */
    fun failures(packageName: String): Int = failures[packageName] ?: 0

    fun isCurrent(inquiry: Running): Boolean = running[inquiry.address.packageName] === inquiry

    /** Its tools have been told, or not: what follows from it. */
    fun answered(inquiry: Running, result: InquiryResult) {
        inquiry.answered = true
        when (result) {
            is InquiryResult.Listed -> failures.remove(inquiry.address.packageName)
            is InquiryResult.Failed -> failed(inquiry.address.packageName, result)
        }
        if (inquiry.again) ask(inquiry.address)
    }

    private fun failed(packageName: String, result: InquiryResult.Failed) {
        running.remove(packageName)
        val count = failures(packageName) + 1
        failures[packageName] = count
        if (!result.retried) return
        retries[packageName] = scope.launch {
            delay(timing.pause(count))
            events.send(CatalogEvent.Retry(packageName))
        }
    }

    private fun start(address: ProviderAddress) {
        running.remove(address.packageName)?.job?.cancel()
        val started = Running(address)
        running[address.packageName] = started
        started.job = scope.launch { permits.withPermit { carryOut(started) } }
    }

    /** Tools first: a provider that is slow to tell its name delays nothing. */
    private suspend fun carryOut(started: Running) {
        val result = inquiry.tools(started.address)
        events.send(CatalogEvent.Asked(started, result))
        if (result is InquiryResult.Listed) events.send(CatalogEvent.Informed(started, inquiry.info(started.address)))
    }
}
