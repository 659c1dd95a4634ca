package com.example.notes.cetp

import android.os.Bundle
import com.example.notes.fakes.Phone
import com.example.notes.fakes.answer
import com.example.notes.fakes.code
import com.example.notes.fakes.objects
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import java.io.File

/**
 * Plays `provider_calls.json`: calls that every CETP provider must get right, whatever its tools are. Copy it with the
 * provider. With `-Dcetp.replies=FOLDER` the replies are written there, for `cetp validate`.
 */
@RunWith(RobolectricTestRunner::class)
class ConformanceTest {
    private val phone by lazy { Phone() }

    @Before
    fun threeCallers() {
        val scopes = phone.call(UIDS.getValue("allowed"), Cetp.GET_PROVIDER_INFO).answer.objects("scopes")
        val first = scopes.first().getString("name")
        UIDS.forEach { (name, uid) ->
            val caller = phone.install("com.example.caller.$name", uid, "$name's certificate")
            when (name) {
                "allowed" -> phone.callers.decide(caller, Decision.Allowed(first, Long.MAX_VALUE))
                "refused" -> phone.callers.decide(caller, Decision.Refused)
            }
        }
    }

    @Test
    fun `every call is answered as the specification says`() {
        cases().forEachIndexed { index, case ->
            val reply = play(case)
            record("%02d".format(index), reply)
            val pattern = case.getJSONObject("reply")
            pattern.keys().forEach { key ->
                val what = "${case.getString("description")}: $key of $reply"
                assertTrue(what, fits(pattern.get(key), reply.getString(key)))
            }
        }
    }

    @Test
    fun `every reply is a Bundle of text with one of the six codes or JSON data`() {
        cases().forEach { case ->
            val reply = play(case)
            val keys = reply.keySet()
            assertEquals(case.getString("description"), keys.size, keys.mapNotNull(reply::getString).size)
            if (reply.getString(Cetp.STATUS) == Cetp.SUCCESS) reply.answer else ErrorCode.valueOf(reply.code.orEmpty())
        }
    }

    private fun cases(): List<JSONObject> {
        val calls = JSONArray(requireNotNull(javaClass.getResource("/provider_calls.json")).readText())
        return (0 until calls.length()).map(calls::getJSONObject)
    }

    private fun play(case: JSONObject): Bundle =
        phone.call(UIDS.getValue(case.getString("caller")), case.getString("method"), extras(case))

    private val firstTool by lazy {
        phone.call(UIDS.getValue("allowed"), Cetp.LIST_TOOLS).answer.objects("tools").first().getString("name")
    }

    private fun extras(case: JSONObject): Bundle? = case.optJSONObject("extras")?.let { given ->
        Bundle().apply {
            given.keys().forEach { key ->
                when (val value = given.get(key)) {
                    is Int -> putInt(key, value)
                    else -> putString(key, value.toString().replace("\$first", firstTool).replace("\$deep", DEEP))
                }
            }
        }
    }

    /** A part of spec 14.4: text, `$any` string, `$absent`. */
    private fun fits(pattern: Any, value: String?): Boolean = when {
        pattern !is JSONObject -> value == pattern
        pattern.has("\$absent") -> value == null
        else -> value != null
    }

    private fun record(name: String, reply: Bundle) {
        val folder = System.getProperty("cetp.replies") ?: return
        val file = File(folder, "$name.json").apply { parentFile?.mkdirs() }
        file.writeText(JSONObject(reply.keySet().associateWith(reply::getString)).toString(2) + "\n")
    }

    private companion object {
        val DEEP = "{\"a\":".repeat(100_000)
        val UIDS = mapOf("allowed" to 10_301, "refused" to 10_302, "stranger" to 10_303)
    }
}
