package org.cetp.bridge.app.providers

import android.os.Bundle
import org.cetp.bridge.protocol.CetpContract.Reply

private val KEYS = listOf(
    Reply.STATUS,
    Reply.DATA,
    Reply.ERROR_CODE,
    Reply.ERROR_MESSAGE,
    Reply.RESOLUTION_HINT,
    Reply.AUTHORIZE_INTENT,
)

/**
 * The texts of a reply (spec 5) under their keys; whatever else it holds is neither read nor built.
 *
 * Throws a RuntimeException when it cannot be taken apart: before Android 13 one object of a class of the provider's own
 * is enough for that, under any key.
 */
internal fun readReply(reply: Bundle): Map<String, Any?> {
    reply.classLoader = NoClasses
    return KEYS.filter(reply::containsKey).associateWith { reply.getString(it) }
}

/** Knows no class at all, so that a reply cannot have objects built in this process. */
private object NoClasses : ClassLoader() {
    override fun loadClass(name: String, resolve: Boolean): Class<*> =
        throw ClassNotFoundException("replies hold texts, not objects")
}
