package com.example.notes.cetp

import android.os.Bundle
import org.json.JSONObject

/** The fixed names of CETP v1 that a provider needs (spec 4 to 6). */
object Cetp {
    const val PERMISSION = "com.clawseed.permission.ACCESS_TOOLS"

    const val LIST_TOOLS = "list_tools"
    const val EXECUTE_TOOL = "execute_tool"
    const val GET_PROVIDER_INFO = "get_provider_info"

    const val TOOL_NAME = "tool_name"
    const val ARGS = "args"
    const val REQUEST_ID = "request_id"

    const val STATUS = "status"
    const val SUCCESS = "success"
    const val ERROR = "error"
    const val DATA = "data"
    const val ERROR_CODE = "error_code"
    const val ERROR_MESSAGE = "error_message"
    const val RESOLUTION_HINT = "resolution_hint"
    const val AUTHORIZE_INTENT = "authorize_intent"
}

/** The six codes; a provider sends no other (spec 6). */
enum class ErrorCode { AUTH_REQUIRED, PERMISSION_DENIED, TOOL_NOT_FOUND, INVALID_ARGS, RATE_LIMITED, INTERNAL_ERROR }

/** What a call is answered with (spec 5). */
sealed interface CetpReply {
    /** @property data the answer of the tool; at most [MAX_DATA_CHARS] as text, so page or filter beyond that. */
    data class Success(val data: JSONObject) : CetpReply

    /** @property message says in words what happened, and which argument or limit is meant. */
    data class Error(val code: ErrorCode, val message: String) : CetpReply

    /**
     * The user must agree first (spec 5.3).
     *
     * @property hint what the user can do, in words.
     * @property intent action of an exported activity of this app, where it can be done.
     */
    data class AuthRequired(val message: String, val hint: String, val intent: String) : CetpReply

    /** The Bundle that crosses the border: strings only, never a Bundle within it. */
    fun toBundle(): Bundle = when (this) {
        is Success -> success(data.toString())
        is Error -> error(code, message)
        is AuthRequired -> error(ErrorCode.AUTH_REQUIRED, message).apply {
            putString(Cetp.RESOLUTION_HINT, hint)
            putString(Cetp.AUTHORIZE_INTENT, intent)
        }
    }

    private fun success(text: String): Bundle =
        if (text.length > MAX_DATA_CHARS) {
            error(ErrorCode.INTERNAL_ERROR, "The answer has more than $MAX_DATA_CHARS characters; ask for less.")
        } else {
            bundle(Cetp.SUCCESS).apply { putString(Cetp.DATA, wellFormed(text)) }
        }

    private fun error(code: ErrorCode, message: String): Bundle = bundle(Cetp.ERROR).apply {
        putString(Cetp.ERROR_CODE, code.name)
        putString(Cetp.ERROR_MESSAGE, wellFormed(message))
    }

    private fun bundle(status: String) = Bundle().apply { putString(Cetp.STATUS, status) }

    /** Half of a surrogate pair cannot be sent as UTF-8 by whoever is next. */
    private fun wellFormed(text: String) = text.toByteArray().toString(Charsets.UTF_8)

    companion object {
        /** A Binder transaction carries about 1 MB, two bytes for each character, for all calls in flight (spec 12). */
        const val MAX_DATA_CHARS = 200_000
    }
}
