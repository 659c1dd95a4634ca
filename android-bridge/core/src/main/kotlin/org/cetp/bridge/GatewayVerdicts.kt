package org.cetp.bridge

import org.cetp.bridge.session.Phase
import org.cetp.bridge.session.SessionState
import org.cetp.bridge.tools.ProviderState
import org.cetp.bridge.tools.ToolStanding
import org.cetp.bridge.tools.ToolState

/** Puts what the gateway holds back, or cannot take, beside what the phone found. */
internal object GatewayVerdicts {
    /** The providers as their owner sees them while the session stands so. */
    fun shown(found: List<ProviderState>, state: SessionState): List<ProviderState> {
        val registered = (state.phase as? Phase.OnSocket)?.registered ?: return found
        val reasons = registered.leftOut + registered.held
        if (reasons.isEmpty()) return found
        return found.map { provider -> provider.copy(tools = provider.tools.map { judged(it, reasons) }) }
    }

    private fun judged(tool: ToolState, reasons: Map<String, String>): ToolState {
        val reason = reasons[tool.wireName] ?: return tool
        if (tool.standing != ToolStanding.Offered) return tool
        return tool.copy(standing = ToolStanding.HeldByGateway(reason))
    }
}
