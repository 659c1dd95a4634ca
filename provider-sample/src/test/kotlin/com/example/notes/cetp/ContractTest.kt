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

    private fun names(key: String): Set<String> = contract.getJSONObject(key).keys().asSequence().toSet()

    @Test
    fun `methods and their extras are those of the contract`() {
        assertEquals(names("methods"), setOf(Cetp.LIST_TOOLS, Cetp.EXECUTE_TOOL, Cetp.GET_PROVIDER_INFO))
        val extras = contract.getJSONObject("methods").getJSONObject(Cetp.EXECUTE_TOOL).getJSONArray("extras")
        val known = setOf(Cetp.TOOL_NAME, Cetp.ARGS, Cetp.REQUEST_ID)
        assertEquals((0 until extras.length()).map(extras::getString).toSet(), known)
    }

    @Test
    fun `reply keys, status words, codes and permission are those of the contract`() {
        val forAll = setOf(Cetp.STATUS, Cetp.DATA, Cetp.ERROR_CODE, Cetp.ERROR_MESSAGE)
        assertEquals(names("reply_keys"), forAll + Cetp.RESOLUTION_HINT + Cetp.AUTHORIZE_INTENT)
        assertEquals(names("status"), setOf(Cetp.SUCCESS, Cetp.ERROR))
        assertEquals(names("error_codes"), ErrorCode.entries.map { it.name }.toSet())
        assertEquals(contract.getJSONObject("discovery").getString("permission"), Cetp.PERMISSION)
    }
}
