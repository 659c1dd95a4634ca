package com.example.notes.cetp

import android.content.ContentProvider
import android.content.ContentValues
import android.net.Uri
import android.os.Binder
import android.os.Bundle
import android.util.JsonReader
import android.util.JsonToken
import android.util.Log
import com.example.notes.tools.NotesTools
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject
import java.io.IOException
import java.io.StringReader

/** What an app offers. Called on several Binder threads at once; must be quick and must only read (spec 7.4). */
interface Tools {
    /** What the user can do to allow an app, in words. */
    val authorizeHint: String

    /** All tools: objects with a `name`, a `description` and the JSON Schema of the `parameters` (spec 7). */
    fun list(): JSONArray

    /** Facts for people: `provider_name`, `description`, `scopes` (spec 4.3). */
    fun info(): JSONObject

    /** Answer one of the listed tools, in the detail of [scope]. What it throws becomes `INTERNAL_ERROR`. */
    fun execute(name: String, args: JSONObject, scope: String): CetpReply
}

/** The ContentProvider that consumers call (spec 4). It answers every call with a reply and never throws. */
class ToolProvider(private val now: () -> Long = System::currentTimeMillis) : ContentProvider() {
    private val tools: Tools by lazy { NotesTools(requireNotNull(context)) }
    private val callers by lazy { CallerPolicy(requireNotNull(context), now) }

    /** Opens nothing: the app's start waits for this, on the main thread. */
    override fun onCreate(): Boolean = true

    override fun call(method: String, arg: String?, extras: Bundle?): Bundle = try {
        answer(method, extras ?: Bundle.EMPTY, Binder.getCallingUid()).toBundle()
    } catch (failure: Exception) {
        // The last border: whatever went wrong becomes a reply. Only its kind is logged, for its message may hold data.
        Log.w("CETP", "$EXCUSE ${failure.javaClass.name}")
        CetpReply.Error(ErrorCode.INTERNAL_ERROR, EXCUSE).toBundle()
    }

    private fun answer(method: String, extras: Bundle, uid: Int): CetpReply = when {
        !callers.takesCall(uid) -> CetpReply.Error(ErrorCode.RATE_LIMITED, CallerPolicy.RATE)
        method == Cetp.LIST_TOOLS -> CetpReply.Success(JSONObject().put("tools", tools.list()))
        method == Cetp.GET_PROVIDER_INFO -> CetpReply.Success(tools.info())
        method == Cetp.EXECUTE_TOOL -> execute(extras, uid)
        else -> CetpReply.Error(ErrorCode.TOOL_NOT_FOUND, "This provider does not know the method.")
    }

    private fun execute(extras: Bundle, uid: Int): CetpReply {
        val name = extras.getString(Cetp.TOOL_NAME)
            ?: return CetpReply.Error(ErrorCode.INVALID_ARGS, "The extra tool_name must be text.")
        if (!isListed(name)) return CetpReply.Error(ErrorCode.TOOL_NOT_FOUND, "list_tools gives the names of all.")
        val scope = when (val verdict = callers.judge(uid, tools.authorizeHint)) {
            is Verdict.Granted -> verdict.scope
            is Verdict.Refused -> return verdict.reply
        }
        val args = arguments(extras) ?: return CetpReply.Error(ErrorCode.INVALID_ARGS, ARGS_RULE)
        return tools.execute(name, args, scope)
    }

    private fun isListed(name: String): Boolean = tools.list().let { list ->
        (0 until list.length()).any { list.getJSONObject(it).getString("name") == name }
    }

    /** The arguments; `{}` when there are none (spec 4.2), null when they are no JSON object or too large. */
    private fun arguments(extras: Bundle): JSONObject? {
        if (!extras.containsKey(Cetp.ARGS)) return JSONObject()
        val text = extras.getString(Cetp.ARGS)?.takeIf { it.length <= MAX_ARGS_CHARS } ?: return null
        return try {
            if (isStrict(JsonReader(StringReader(text)))) JSONObject(text) else null
        } catch (_: IOException) {
            null
        } catch (_: JSONException) {
            null
        }
    }

    /** JSONObject alone takes comments, missing quotes and text behind the end; and deep nesting ends its stack. */
    private fun isStrict(reader: JsonReader): Boolean {
        var depth = 0
        while (depth <= MAX_ARGS_DEPTH) {
            when (reader.peek()) {
                JsonToken.BEGIN_OBJECT -> reader.beginObject().also { depth++ }
                JsonToken.BEGIN_ARRAY -> reader.beginArray().also { depth++ }
                JsonToken.END_OBJECT -> reader.endObject().also { depth-- }
                JsonToken.END_ARRAY -> reader.endArray().also { depth-- }
                JsonToken.END_DOCUMENT -> return true
                else -> reader.skipValue()
            }
        }
        return false
    }

    // CETP uses nothing else of a ContentProvider.
    override fun query(uri: Uri, columns: Array<String>?, where: String?, args: Array<String>?, order: String?) = null
    override fun getType(uri: Uri): String? = null
    override fun insert(uri: Uri, values: ContentValues?): Uri? = null
    override fun delete(uri: Uri, where: String?, args: Array<String>?): Int = 0
    override fun update(uri: Uri, values: ContentValues?, where: String?, args: Array<String>?): Int = 0

    private companion object {
        const val EXCUSE = "The app could not answer."
        const val MAX_ARGS_CHARS = 10_000
        const val MAX_ARGS_DEPTH = 8
        const val ARGS_RULE =
            "The extra args must be a JSON object: at most $MAX_ARGS_CHARS characters, $MAX_ARGS_DEPTH levels deep."
    }
}
