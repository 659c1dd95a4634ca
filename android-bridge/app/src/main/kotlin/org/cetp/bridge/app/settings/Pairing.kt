package org.cetp.bridge.app.settings

import org.cetp.bridge.gateway.GatewayTarget

/** Which gateway this phone is paired with. */
sealed interface Pairing {
    data object None : Pairing

    data class Paired(val target: GatewayTarget) : Pairing

    /** It was paired, but the key store no longer gives the token: pair again. @property url of that gateway. */
    data class TokenLost(val url: String) : Pairing
}
