package com.example.notes.cetp

import android.content.Context
import android.content.pm.PackageManager
import android.content.pm.Signature
import android.os.Build
import org.json.JSONObject
import java.security.MessageDigest

/**
 * Who calls. Every app of one UID can act for the others, so they are one caller; Android lets them share a UID only
 * when the same certificate signed them.
 *
 * @property packages sorted; never empty.
 * @property certificate SHA-256 of what signed them, in small hexadecimal digits; several with `+` between.
 */
data class Caller(val packages: List<String>, val certificate: String)

/** What is known of a caller. Times are milliseconds since 1970. */
sealed interface Decision {
    /** It asked, and the user has not decided. */
    data class Asked(val at: Long) : Decision

    /** The user refused. */
    data object Refused : Decision

    /** @property until the first moment at which it no longer holds; Long.MAX_VALUE: until it is revoked. */
    data class Allowed(val scope: String, val until: Long) : Decision
}

/** Whether a call is answered. */
sealed interface Verdict {
    /** @property scope the detail that the user allowed. */
    data class Granted(val scope: String) : Verdict

    /** @property reply what the caller is told instead. */
    data class Refused(val reply: CetpReply) : Verdict
}

/** Finds the caller: UID → packages → signing certificate → the user's grant (spec 10). Safe on any thread. */
class CallerPolicy(context: Context, private val now: () -> Long = System::currentTimeMillis) {
    private val packageManager = context.packageManager
    private val decisions = context.getSharedPreferences("cetp_callers", Context.MODE_PRIVATE)

    /** Start of the minute and calls within it, by UID; guarded by itself. */
    private val minutes = HashMap<Int, Pair<Long, Int>>()

    /** Count one call; false when the caller has used up its minute. */
    fun takesCall(uid: Int): Boolean = synchronized(minutes) {
        val (start, calls) = minutes[uid]?.takeIf { now() - it.first in 0 until MINUTE } ?: (now() to 0)
        minutes[uid] = start to calls + 1
        calls < CALLS_A_MINUTE
    }

    /** Decide on a call that is about to read the user's data; a caller nobody decided on is remembered as asking. */
    fun judge(uid: Int, hint: String): Verdict {
        val caller = identify(uid) ?: return refused("It cannot be told which app is calling.")
        return when (val decision = decisions.getString(key(caller), null)?.let(::read)) {
            Decision.Refused -> refused("The user refused this app.")
            is Decision.Asked, null -> ask(caller, "The user has not allowed this app yet.", hint)
            is Decision.Allowed -> when {
                now() < decision.until -> Verdict.Granted(decision.scope)
                else -> ask(caller, "The permission has expired.", hint)
            }
        }
    }

    /** Null when the UID has no app that is visible here, or they differ in their certificates. */
    fun identify(uid: Int): Caller? {
        val packages = packageManager.getPackagesForUid(uid)?.sorted().orEmpty()
        val certificate = packages.map(::certificate).distinct().singleOrNull() ?: return null
        return Caller(packages, certificate)
    }

    /** Every caller on record and what is known of it. */
    fun known(): Map<Caller, Decision> = decisions.all.mapNotNull { (key, value) ->
        (value as? String)?.let { Caller(key.substringBefore('/').split('+'), key.substringAfter('/')) to read(it) }
    }.toMap()

    /** Callers that nobody decided on, the latest first. */
    fun asking(): List<Caller> = known()
        .mapNotNull { (caller, decision) -> (decision as? Decision.Asked)?.let { caller to it.at } }
        .sortedByDescending { (_, at) -> at }
        .map { (caller, _) -> caller }

    /** Write down what the user decided. */
    fun decide(caller: Caller, decision: Decision) {
        val value = when (decision) {
            is Decision.Asked -> JSONObject().put("asked", decision.at)
            Decision.Refused -> JSONObject().put("refused", true)
            is Decision.Allowed -> JSONObject().put("allowed", decision.scope).put("until", decision.until)
        }
        decisions.edit().putString(key(caller), value.toString()).apply()
    }

    /** Forget a caller; its next call asks again. */
    fun forget(caller: Caller) = decisions.edit().remove(key(caller)).apply()

    private fun refused(message: String) = Verdict.Refused(CetpReply.Error(ErrorCode.PERMISSION_DENIED, message))

    private fun ask(caller: Caller, message: String, hint: String): Verdict {
        // Whoever asks most must not fill the store.
        (asking() - caller).drop(MAX_ASKING - 1).forEach(::forget)
        decide(caller, Decision.Asked(now()))
        return Verdict.Refused(CetpReply.AuthRequired(message, hint, AUTHORIZE_ACTION))
    }

    private fun read(value: String): Decision = JSONObject(value).run {
        when {
            has("allowed") -> Decision.Allowed(getString("allowed"), getLong("until"))
            has("asked") -> Decision.Asked(getLong("asked"))
            else -> Decision.Refused
        }
    }

    private fun key(caller: Caller) = caller.packages.joinToString("+") + "/" + caller.certificate

    private fun certificate(packageName: String): String? = try {
        signers(packageName).map { fingerprint(it.toByteArray()) }.sorted().joinToString("+").ifEmpty { null }
    } catch (_: PackageManager.NameNotFoundException) {
        null
    }

    /** Those who sign the app today; when a certificate was replaced, the user is asked again. */
    private fun signers(packageName: String): List<Signature> {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.P) return signersBefore28(packageName)
        val info = packageManager.getPackageInfo(packageName, PackageManager.GET_SIGNING_CERTIFICATES).signingInfo
        return info?.apkContentsSigners.orEmpty().toList()
    }

    @Suppress("DEPRECATION")
    private fun signersBefore28(packageName: String): List<Signature> =
        packageManager.getPackageInfo(packageName, PackageManager.GET_SIGNATURES).signatures.orEmpty().toList()

    private fun fingerprint(certificate: ByteArray): String =
        MessageDigest.getInstance("SHA-256").digest(certificate).joinToString("") { "%02x".format(it) }

    companion object {
        /** Opens the screen on which the user decides; an exported activity of this app has it in a filter. */
        const val AUTHORIZE_ACTION = "com.example.notes.AUTHORIZE_TOOLS"
        const val CALLS_A_MINUTE = 120
        const val RATE = "More than $CALLS_A_MINUTE calls in a minute; wait for the next one."
        private const val MINUTE = 60_000L
        private const val MAX_ASKING = 20
    }
}
