package org.cetp.bridge.tools

import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.protocol.PlainText
import org.cetp.bridge.protocol.ProtocolVersion
import org.cetp.bridge.tools.FoundProvider.Manifest

/** What one service's manifest must say for its provider to be called (spec 3, 9, 10). Pure. */
internal object ManifestRules {
    private const val MAX_SHOWN = 100
    private const val PERMISSION = CetpContract.Discovery.PERMISSION
    private val PACKAGE = Regex("[A-Za-z0-9_.]+")
    private val AUTHORITY = Regex("[A-Za-z0-9_.-]+")

    fun judge(entry: ServiceEntry): Manifest {
        val named = entry.metaData[CetpContract.Discovery.AUTHORITY]
        val problem =
            aboutService(entry) ?: aboutName(named) ?: aboutProvider(entry, named as String) ?: aboutVersion(entry)
        return when {
            problem != null -> Manifest.Unsound(problem)
            else -> Manifest.Sound(ProviderAddress(entry.packageName, named as String))
        }
    }

    private fun aboutService(entry: ServiceEntry): ProviderProblem? = when {
        !PACKAGE.matches(entry.packageName) -> bad("its package holds characters that no package has")
        entry.signer.isEmpty() -> bad("its signing certificate cannot be read")
        !entry.exported -> bad("its service is not exported")
        else -> null
    }

    private fun aboutName(authority: Any?): ProviderProblem? = when {
        authority == null -> bad("the meta-data ${CetpContract.Discovery.AUTHORITY} is missing")
        authority !is String -> bad("the meta-data ${CetpContract.Discovery.AUTHORITY} is no text")
        ';' in authority -> bad("the meta-data names several authorities; it must name one")
        !AUTHORITY.matches(authority) -> bad("the meta-data names ${shown(authority)}, which is no authority")
        else -> null
    }

    private fun aboutProvider(entry: ServiceEntry, authority: String): ProviderProblem? {
        val place = shown(authority)
        val provider = entry.authority ?: return bad("it has no ContentProvider with the authority $place")
        return when {
            provider.packageName != entry.packageName -> bad("the authority $place belongs to another app")
            !provider.authorities.all(AUTHORITY::matches) -> bad("its ContentProvider lists what is no authority")
            authority !in provider.authorities -> bad("its ContentProvider has not the authority $place")
            !provider.exported -> bad("its ContentProvider is not exported")
            provider.permission == null -> bad("its ContentProvider does not require $PERMISSION")
            provider.permission != PERMISSION ->
                bad("its ContentProvider requires ${shown(provider.permission)} in place of $PERMISSION")
            !provider.enabled -> ProviderProblem.NotReached("its ContentProvider is switched off")
            else -> null
        }
    }

    private fun aboutVersion(entry: ServiceEntry): ProviderProblem? {
        val version = entry.metaData[CetpContract.Discovery.VERSION]
        return when {
            ProtocolVersion.isSpoken(version) -> null
            version == null -> unknown("the meta-data ${CetpContract.Discovery.VERSION} is missing")
            else -> unknown("its version is ${shown(version.toString())}; here it is ${CetpContract.VERSION}")
        }
    }

    private fun unknown(what: String): ProviderProblem = ProviderProblem.UnknownVersion(what)

    private fun bad(what: String): ProviderProblem = ProviderProblem.BadManifest(what)

    private fun shown(text: String): String = "\"${PlainText.line(text, MAX_SHOWN)}\""
}
