package org.cetp.bridge.tools

import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.protocol.PlainText
import org.cetp.bridge.tools.FoundProvider.Manifest

/** From what the package manager said to providers, and what is wrong with those that cannot be called (spec 3). */
public object Discovery {
    /** Providers of one phone that are looked at. */
    public const val MAX_PROVIDERS: Int = 200

    private const val MAX_SHOWN = 100

    /**
     * The providers of a phone, one for each app, in the order of their packages.
     *
     * Several services of one app count once when they name the same authority; which of two it should be, nobody can
     * say.
     *
     * @param first packages that are looked at even when there are more than [MAX_PROVIDERS].
     */
    public fun providers(services: List<ServiceEntry>, first: Set<String> = emptySet()): List<FoundProvider> =
        services.groupBy { it.packageName }.entries
            .sortedWith(compareBy({ it.key !in first }, { it.key }))
            .take(MAX_PROVIDERS)
            .map { (_, entries) -> provider(entries.sortedBy { it.serviceName }) }
            .sortedBy { it.packageName }

    private fun provider(entries: List<ServiceEntry>): FoundProvider {
        val entry = entries.first()
        return FoundProvider(
            packageName = entry.packageName,
            appName = PlainText.line(entry.appName, MAX_SHOWN).ifEmpty { entry.packageName },
            appVersion = PlainText.line(entry.appVersion, MAX_SHOWN),
            signer = entry.signer,
            manifest = together(entries.map(ManifestRules::judge)),
        )
    }

    private fun together(judged: List<Manifest>): Manifest {
        val sound = judged.filterIsInstance<Manifest.Sound>().distinct()
        return when (sound.size) {
            0 -> judged.first()
            1 -> sound.single()
            else -> Manifest.Unsound(
                ProviderProblem.BadManifest(
                    "it declares several services for ${CetpContract.Discovery.ACTION} with different authorities: " +
                        sound.joinToString { it.address.authority },
                ),
            )
        }
    }
}
