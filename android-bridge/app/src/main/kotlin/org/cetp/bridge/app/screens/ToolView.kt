package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.tools.SaysItWrites
import org.cetp.bridge.tools.ToolStanding
import org.cetp.bridge.tools.ToolState

/** What is shown of one tool. @property allowed the position of its own switch; null when it has none. */
internal data class ToolView(
    val name: String,
    val title: Words,
    val description: Words?,
    val badge: Words,
    val tone: Tone,
    val reason: Words?,
    val allowed: Boolean?,
)

internal fun toolView(tool: ToolState): ToolView {
    val standing = tool.standing
    val view = ToolView(
        name = tool.name,
        title = plain(tool.name),
        description = tool.spec?.description?.takeIf { it.isNotBlank() }?.let(::plain),
        badge = said(R.string.tool_offered),
        tone = Tone.GOOD,
        reason = null,
        // What says that it writes and is offered all the same has been allowed, which can be taken back.
        allowed = if (SaysItWrites.word(tool.name) != null) true else null,
    )
    return when (standing) {
        ToolStanding.Offered -> view
        is ToolStanding.SaysItWrites -> view.copy(
            badge = said(R.string.tool_writes),
            tone = Tone.WARNING,
            reason = said(R.string.tool_writes_detail, plain(standing.word)),
            allowed = false,
        )
        is ToolStanding.Unusable -> view.copy(
            badge = said(R.string.tool_unusable),
            tone = Tone.BAD,
            reason = said(R.string.reason, plain(standing.reason)),
            allowed = null,
        )
        is ToolStanding.HeldByGateway -> view.copy(
            badge = said(R.string.tool_held),
            tone = Tone.WARNING,
            reason = said(R.string.reason, plain(standing.reason)),
        )
    }
}
