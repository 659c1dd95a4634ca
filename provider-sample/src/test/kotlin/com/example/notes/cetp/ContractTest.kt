package com.example.notes.cetp

import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.io.File

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
class ContractTest {
    private val contract = JSONObject(File(System.getProperty("cetp.spec"), "contract.json").readText())

    @Test
    fun `methods and their extras are those of the contract`() {
        val methods = contract.getJSONObject("methods")
        assertEquals(methods.keys().asSequence().toSet(), setOf(Cetp.LIST_TOOLS, Cetp.EXECUTE_TOOL, Cetp.GET_PROVIDER_INFO))
        val extras = methods.getJSONObject(Cetp.EXECUTE_TOOL).getJSONArray("extras")
        assertEquals((0 until extras.length()).map(extras::getString).toSet(), setOf(Cetp.TOOL_NAME, Cetp.ARGS, Cetp.REQUEST_ID))
    }

    @Test
    fun `reply keys, status words, codes and permission are those of the contract`() {
        val keys = setOf(Cetp.STATUS, Cetp.DATA, Cetp.ERROR_CODE, Cetp.ERROR_MESSAGE, Cetp.RESOLUTION_HINT, Cetp.AUTHORIZE_INTENT)
        assertEquals(contract.getJSONObject("reply_keys").keys().asSequence().toSet(), keys)
        assertEquals(contract.getJSONObject("status").keys().asSequence().toSet(), setOf(Cetp.SUCCESS, Cetp.ERROR))
        assertEquals(contract.getJSONObject("error_codes").keys().asSequence().toSet(), ErrorCode.entries.map { it.name }.toSet())
        assertEquals(contract.getJSONObject("discovery").getString("permission"), Cetp.PERMISSION)
    }
}
