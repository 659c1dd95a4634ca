package org.cetp.bridge.app.service

import org.cetp.bridge.app.R

/** Why the service does not run although the owner wants it. @property text a string resource that says what to do. */
enum class Refusal(val text: Int) {
    /** Android lets no app start it from the background at this moment. */
    BACKGROUND(R.string.refused_background),

    /** Android does not grant the permission for its type. */
    PERMISSION(R.string.refused_permission),

    /** Android has ended it. */
    TIME_LIMIT(R.string.refused_time_limit),

    /** There is a gateway, but no longer a token for it. */
    TOKEN_LOST(R.string.refused_token_lost),
}
