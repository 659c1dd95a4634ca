package org.cetp.bridge.fakes

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.io.File

/** The data of `cetp-spec/`, which all languages share. */
object SpecFiles {
    private val root =
        File(checkNotNull(System.getProperty("cetp.spec")) { "the system property cetp.spec is not set" })

    /** @param path below `cetp-spec/`. */
    fun json(path: String): JsonElement = Json.parseToJsonElement(File(root, path).readText())

    /** The files of a folder below `cetp-spec/`, in order. */
    fun names(folder: String): List<String> = checkNotNull(File(root, folder).list()) { "no folder $folder" }.sorted()

    /** All values of one file (spec 14.1). */
    fun vectors(
        file: String,
    ): List<Vector> = json("vectors/$file.json").jsonArray.map { it.jsonObject }.flatMap { group ->
        group.getValue("tests").jsonArray.map { it.jsonObject }.map { test ->
            Vector(
                name = "${group.text("description")}: ${test.text("description")}",
                schema = group.text("schema"),
                data = test.getValue("data"),
                valid = test.getValue("valid").jsonPrimitive.boolean,
            )
        }
    }

    /** One value, and whether a careful sender sends it. */
    data class Vector(val name: String, val schema: String, val data: JsonElement, val valid: Boolean) {
        override fun toString(): String = name
    }

    /** The value as Kotlin has it, which is how Android hands over meta-data and Bundles. */
    fun plain(element: JsonElement): Any? = when (element) {
        JsonNull -> null
        is JsonPrimitive -> if (element.isString) element.content else plainWord(element.content)
        is JsonArray -> element.map(::plain)
        is JsonObject -> element.mapValues { plain(it.value) }
    }

    private fun plainWord(word: String): Any = word.toBooleanStrictOrNull() ?: word.toIntOrNull() ?: word.toDouble()

    private fun JsonObject.text(key: String): String = getValue(key).jsonPrimitive.content
}
