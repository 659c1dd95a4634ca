package org.cetp.bridge.protocol

/** What a provider answered to a call (spec 5). */
public sealed interface ProviderReply {
    /** @property data JSON text of whatever form the tool chose; checked to be JSON, not rewritten. */
    public data class Success(val data: String) : ProviderReply

    /**
     * The provider refused or failed.
     *
     * @property code one of [ErrorCode], or another that this provider made up.
     * @property hint what the user can do, in words.
     * @property authorizeIntent action of an intent that opens the provider's own screen; only with `AUTH_REQUIRED`.
     */
    public data class Failure(
        val code: String,
        val message: String,
        val hint: String? = null,
        val authorizeIntent: String? = null,
    ) : ProviderReply

    public companion object {
        /** Read a reply's keys; whatever is no reply becomes an `INTERNAL_ERROR` that says what is wrong with it. */
        public fun of(keys: Map<String, Any?>?): ProviderReply = when {
            keys == null -> broken("it answered nothing")
            keys[CetpContract.Reply.STATUS] == CetpContract.Reply.SUCCESS -> success(keys[CetpContract.Reply.DATA])
            keys[CetpContract.Reply.STATUS] == CetpContract.Reply.ERROR -> failure(keys)
            else -> broken("its status is neither success nor error")
        }

        private fun success(data: Any?): ProviderReply = when {
            data !is String -> broken("its data is not text")
            PlainText.hasHalfCharacter(data) -> broken("its data holds half a character")
            !JsonText.isJson(data) -> broken("its data is not JSON")
            else -> Success(data)
        }

        private fun failure(keys: Map<String, Any?>): ProviderReply {
            val code = keys[CetpContract.Reply.ERROR_CODE] as? String
            if (code.isNullOrEmpty()) return broken("its error has no code")
            return Failure(
                code = code,
                message = keys[CetpContract.Reply.ERROR_MESSAGE] as? String ?: "",
                hint = keys[CetpContract.Reply.RESOLUTION_HINT] as? String,
                authorizeIntent = (keys[CetpContract.Reply.AUTHORIZE_INTENT] as? String)
                    ?.takeIf { code == ErrorCode.AUTH_REQUIRED.name },
            )
        }

        private fun broken(what: String) =
            Failure(ErrorCode.INTERNAL_ERROR.name, "The app does not keep to CETP: $what.")
    }
}
