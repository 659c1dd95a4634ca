package org.cetp.bridge.app.screens

import android.os.Bundle
import android.view.View
import android.widget.TextView
import org.cetp.bridge.app.R
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.RequestKey

/** May this call run? The whole call, and below it what the owner can say; the way there leads past all of it. */
class ApprovalActivity : RequestScreen(R.layout.approval, R.string.approval, RequestKey.Kind.APPROVAL) {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        part<View>(R.id.approval_arguments_title).heading()
        buttons.forEach { (scope, id) -> answers(id) { parts.bridge.decide(requestId, Decision.Allow(scope)) } }
        answers(R.id.approval_deny) { parts.bridge.decide(requestId, Decision.Deny) }
    }

    override fun render(open: OpenRequest) {
        val request = open.request as? ApprovalRequest ?: return
        val view = approvalView(open, request)
        part<View>(R.id.approval_call).shownIf(true)
        part<View>(R.id.approval_arguments_part).shownIf(true)
        part<TextView>(R.id.approval_tool).words(view.tool)
        part<TextView>(R.id.approval_effect).apply { words(view.effect) }.tone(view.tone)
        part<TextView>(R.id.approval_meaning).words(view.meaning)
        part<TextView>(R.id.approval_where).words(view.where)
        part<TextView>(R.id.approval_caller).words(view.caller)
        part<TextView>(R.id.approval_reason).words(view.reason)
        part<TextView>(R.id.approval_until).words(untilWords(open, R.string.approval_until))
        part<TextView>(R.id.approval_arguments).words(view.arguments)
        part<View>(R.id.approval_cut).shownIf(view.isCut)
        buttons.forEach { (scope, id) -> part<View>(id).shownIf(scope in view.scopes) }
    }

    private companion object {
        val buttons = mapOf(
            ApprovalScope.ONCE to R.id.approval_once,
            ApprovalScope.SESSION to R.id.approval_session,
            ApprovalScope.ALWAYS to R.id.approval_always,
        )
    }
}
