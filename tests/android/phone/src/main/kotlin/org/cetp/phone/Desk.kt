package org.cetp.phone

import kotlinx.coroutines.flow.first
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import java.nio.file.Paths

/** What can be asked for by name. @param sample the APK of the sample. */
class Desk(
    private val owner: Owner,
    private val asked: Asked,
    private val apps: Apps,
    private val measurements: Measurements,
    private val sample: String,
) {
    /** Set when the sample is installed. */
    @Volatile
    private var notes: Notes? = null

    /** Do it; throws IllegalStateException when it cannot be done or did not come out well. */
    suspend fun run(command: JsonObject): JsonElement = when (val name = command.text("do")) {
        "pair" -> owner.pair(command.text("link"))
        "connect" -> done { owner.connect() }
        "disconnect" -> done { owner.disconnect() }
        "allow" -> done { owner.allow(command.text("package")) }
        "status" -> owner.status(command.text("is"))
        "asked" -> owner.asked(command.text("package"))
        "repeat" -> owner.repeat(command.text("package"))
        "problem" -> owner.problem()
        "decide" -> asked.decide(command.text("press"))
        "reply" -> asked.reply(command.text("words"))
        "providers" -> owner.providers()
        "install_sample" -> done { notes = Notes(apps.install(Paths.get(sample), certificate = "sample")) }
        "write_note" -> done { sample().write(command.text("title"), command.text("text")) }
        "authorize_sample" -> sample().authorize()
        "install" -> done { apps.install(Pack(command.getValue("pack").jsonObject)) }
        "remove" -> done { apps.remove(command.text("package")) }
        "authorise" -> done { apps.provider(command.text("package")).isAuthorised = true }
        "behave" -> done { apps.provider(command.text("package")).behave(Behaviour.valueOf(command.text("how"))) }
        "called" -> done { apps.provider(command.text("package")).calls.first { it >= command.number("times") } }
        "measure_discovery" ->
            measurements.discovery(command.texts("packages"), command.number("tools"), command.number("times"))
        "measure_calls" -> measurements.calls(command.text("package"), command.text("tool"), command.number("times"))
        else -> error("no command $name")
    }

    private fun sample() = checkNotNull(notes) { "the sample is not installed" }

    private suspend fun done(work: suspend () -> Unit): JsonElement {
        work()
        return JsonNull
    }
}
