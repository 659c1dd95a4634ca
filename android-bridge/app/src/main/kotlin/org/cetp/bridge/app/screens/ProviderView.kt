package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.tools.Consent
import org.cetp.bridge.tools.ProviderProblem
import org.cetp.bridge.tools.ProviderState
import org.cetp.bridge.tools.ToolStanding

/** What is shown of one app. @property about what it says of itself. */
internal data class ProviderView(
    val packageName: String,
    val name: Words,
    val version: Words,
    val allowed: Boolean,
    val badge: Words,
    val tone: Tone,
    val detail: Words,
    val about: Words?,
)

internal fun providerView(provider: ProviderState): ProviderView {
    val (badge, tone) = badgeOf(provider)
    return ProviderView(
        packageName = provider.packageName,
        name = plain(provider.appName.ifBlank { provider.packageName }),
        version = said(R.string.provider_version, plain(provider.packageName), plain(provider.appVersion)),
        allowed = provider.consent == Consent.ALLOWED,
        badge = said(badge),
        tone = tone,
        detail = detailOf(provider),
        about = aboutOf(provider),
    )
}

private fun badgeOf(provider: ProviderState): Pair<Int, Tone> = when (provider.consent) {
    Consent.SIGNER_CHANGED -> R.string.provider_signer_changed to Tone.BAD
    Consent.NOT_ASKED -> if (provider.problem == null) R.string.provider_new to Tone.BUSY else troubled(provider)
    Consent.REFUSED -> if (provider.problem == null) R.string.provider_off to Tone.IDLE else troubled(provider)
    Consent.ALLOWED -> if (provider.problem == null) R.string.provider_on to Tone.GOOD else troubled(provider)
}

private fun troubled(provider: ProviderState): Pair<Int, Tone> {
    val badge = when (requireNotNull(provider.problem)) {
        is ProviderProblem.BadManifest, is ProviderProblem.BadAnswer -> R.string.provider_faulty
        is ProviderProblem.UnknownVersion -> R.string.provider_unknown_version
        is ProviderProblem.NotPermitted -> R.string.provider_not_permitted
        is ProviderProblem.NotReached -> R.string.provider_not_reached
    }
    return badge to Tone.BAD
}

private fun detailOf(provider: ProviderState): Words {
    val problem = provider.problem
    return when {
        provider.consent == Consent.SIGNER_CHANGED -> said(R.string.provider_signer_changed_detail)
        problem != null -> lines(said(remedyOf(problem)), said(R.string.reason, plain(problem.detail)))
        provider.consent == Consent.ALLOWED -> toolsLine(provider)
        else -> said(R.string.provider_ask)
    }
}

private fun remedyOf(problem: ProviderProblem): Int = when (problem) {
    is ProviderProblem.BadManifest -> R.string.provider_bad_manifest
    is ProviderProblem.UnknownVersion -> R.string.provider_unknown_version_detail
    is ProviderProblem.NotPermitted -> R.string.provider_not_permitted_detail
    is ProviderProblem.NotReached -> R.string.provider_not_reached_detail
    is ProviderProblem.BadAnswer -> R.string.provider_bad_answer
}

private fun toolsLine(provider: ProviderState): Words {
    val standings = provider.tools.map { it.standing }
    val offered = standings.count { it is ToolStanding.Offered }
    return lines(
        if (offered > 0) Words.Counted(R.plurals.provider_tools, offered) else said(R.string.provider_no_tools),
        counted(R.plurals.provider_writes, standings.count { it is ToolStanding.SaysItWrites }),
        counted(R.plurals.provider_held, standings.count { it is ToolStanding.HeldByGateway }),
        counted(R.plurals.provider_unusable, standings.count { it is ToolStanding.Unusable }),
    )
}

private fun counted(id: Int, count: Int): Words? = if (count > 0) Words.Counted(id, count) else null

private fun aboutOf(provider: ProviderState): Words? {
    val info = provider.info ?: return null
    val scopes = info.scopes.map { scope ->
        val name = plain(scope.name)
        val description = scope.description
        when (description) {
            null -> said(R.string.provider_scope, name)
            else -> said(R.string.provider_scope_of, name, plain(description))
        }
    }
    val name = plain(info.name).takeIf { info.name != provider.appName }
    val parts = listOfNotNull(name, info.description?.let(::plain)) + scopes
    return if (parts.isEmpty()) null else Words.Lines(parts)
}
