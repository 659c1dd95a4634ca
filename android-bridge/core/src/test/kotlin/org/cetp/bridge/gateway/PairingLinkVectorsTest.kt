package org.cetp.bridge.gateway

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.io.File

class PairingLinkVectorsTest {
    private val cases: List<JsonObject> =
        Json.parseToJsonElement(File(System.getProperty("cetp.spec"), "vectors/pairing_links.json").readText())
            .jsonArray.map { it.jsonObject }

    private fun text(case: JsonObject, key: String) = case.getValue(key).jsonPrimitive.content

    /** What is read, in the form that the vectors have. */
    private fun read(link: String): JsonElement = when (val result = PairingLink.parse(link)) {
        is LinkResult.Bad -> JsonPrimitive(false)
        is LinkResult.Good -> buildJsonObject {
            put("gateway", result.link.address.url)
            put("code", result.link.code.text)
            result.link.pin?.let { put("pin", it.toString()) }
        }
    }

    @Test
    fun `links are read, or refused, as in the vectors`() {
        assertTrue(cases.size > 1)
        assertEquals(
            cases.associate { text(it, "description") to it.getValue("reads") },
            cases.associate { text(it, "description") to read(text(it, "link")) },
        )
    }

    @Test
    fun `a link that is written from what was read reads the same`() {
        val links = cases.mapNotNull { (PairingLink.parse(text(it, "link")) as? LinkResult.Good)?.link }
        assertEquals(links, links.map { (PairingLink.parse(it.format()) as LinkResult.Good).link })
    }
}
