package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.cetp.bridge.fakes.SpecFiles
import org.junit.Assert.assertEquals
import org.junit.Test

/** The constants of the core are those of `contract.json`: none is missing, none is other, none is our own. */
class ContractTest {
    private val contract = SpecFiles.json("contract.json").jsonObject
    private val gateway = contract.part("gateway")

    @Test
    fun `Every group of constants is one that is compared here`() {
        val compared = setOf("Discovery", "Method", "Extra", "Reply", "Capability", "Gateway", "CloseCode", "Names")
        assertEquals(compared, CetpContract::class.java.declaredClasses.map { it.simpleName }.toSet())
        assertEquals(contract.number("version"), CetpContract.VERSION)
    }

    @Test
    fun `Discovery's names are the contract's`() {
        val discovery = contract.part("discovery")
        val metaData = discovery.part("meta_data")
        val expected = mapOf(
            "ACTION" to discovery.text("intent_action"),
            "AUTHORITY" to metaData.text("authority"),
            "VERSION" to metaData.text("version"),
            "PERMISSION" to discovery.text("permission"),
        )
        assertEquals(expected, constants(CetpContract.Discovery))
    }

    @Test
    fun `Methods and extras are the contract's`() {
        val methods = contract.part("methods")
        assertEquals(namedAfterThemselves(methods.keys), constants(CetpContract.Method))
        val extras = methods.values.flatMap { it.jsonObject.getValue("extras").jsonArray.texts() }
        assertEquals(namedAfterThemselves(extras), constants(CetpContract.Extra))
    }

    @Test
    fun `Reply keys, statuses and error codes are the contract's`() {
        val keys = contract.part("reply_keys").values.map { it.jsonPrimitive.content }
        val statuses = contract.part("status").values.map { it.jsonPrimitive.content }
        assertEquals(namedAfterThemselves(keys + statuses), constants(CetpContract.Reply))
        assertEquals(contract.part("error_codes").keys.toList(), ErrorCode.entries.map { it.name })
    }

    @Test
    fun `The gateway's address, capabilities and close codes are the contract's`() {
        val address = mapOf(
            "PORT" to gateway.number("default_port"),
            "PATH" to gateway.text("path"),
            "FRAME_VERSION" to gateway.number("frame_version"),
        )
        assertEquals(address, constants(CetpContract.Gateway))
        val capabilities = gateway.getValue("capabilities").jsonArray.texts()
        val named = capabilities.associateBy { it.removePrefix("cetp.").uppercase() }
        assertEquals(named, constants(CetpContract.Capability))
        val codes = gateway.part("close_codes").mapKeys { it.key.uppercase() }
        assertEquals(codes.mapValues { it.value.jsonPrimitive.content.toInt() }, constants(CetpContract.CloseCode))
    }

    @Test
    fun `What names are made of is the contract's`() {
        val expected = contract.part("names").mapKeys { it.key.uppercase() }.mapValues { (_, value) ->
            if (value is JsonArray) value.texts().toSet() else SpecFiles.plain(value)
        }
        assertEquals(expected, constants(CetpContract.Names))
    }

    @Test
    fun `The words that say that a tool writes are the contract's`() {
        val expected = contract.part("writing_words").mapKeys { it.key.uppercase() }.mapValues { (_, value) ->
            if (value is JsonArray) value.texts().toSet() else SpecFiles.plain(value)
        }
        assertEquals(expected, constants(WritingWords))
    }

    /** Name and value of every constant in an object. */
    private fun constants(group: Any): Map<String, Any?> = group.javaClass.declaredFields
        .filter { it.name != "INSTANCE" }
        .onEach { it.isAccessible = true }
        .associate { it.name to it.get(null) }

    private fun namedAfterThemselves(names: Collection<String>): Map<String, String> =
        names.associateBy { it.uppercase() }

    private fun JsonObject.part(key: String): JsonObject = getValue(key).jsonObject

    private fun JsonObject.text(key: String): String = getValue(key).jsonPrimitive.content

    private fun JsonObject.number(key: String): Int = text(key).toInt()

    private fun JsonArray.texts(): List<String> = map { it.jsonPrimitive.content }
}
