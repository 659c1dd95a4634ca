package org.cetp.bridge.tools

import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.SpecFiles
import org.cetp.bridge.fakes.SpecFiles.Vector
import org.cetp.bridge.protocol.CetpContract
import org.junit.Assert.assertEquals
import org.junit.Assume.assumeFalse
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters

/** Manifests are judged as the shared vectors say. */
@RunWith(Parameterized::class)
class DiscoveryVectorsTest(private val vector: Vector) {
    @Test
    fun `A provider may be called exactly when its manifest is as a consumer needs it`() {
        assumeFalse("the package manager is asked for one action and returns no other", vector.name in NEVER_RETURNED)
        val provider = Discovery.providers(listOf(entry(SpecFiles.plain(vector.data) as Map<*, *>))).single()
        val isRight = if (vector.valid) vector.name !in UNKNOWN_HERE else vector.name in TAKEN_ALL_THE_SAME
        assertEquals(isRight, provider.address != null)
    }

    /** What the package manager would have returned for such a manifest. */
    private fun entry(facts: Map<*, *>): ServiceEntry {
        val name = facts["package"] as String
        val named = mapOf(
            CetpContract.Discovery.AUTHORITY to facts["authority"],
            CetpContract.Discovery.VERSION to facts["version"],
        )
        return FakeApp.entry(name).copy(
            exported = (facts["service"] as Map<*, *>)["exported"] as Boolean,
            metaData = named.filterValues { it != null },
            authority = (facts["provider"] as Map<*, *>?)?.let { authority(name, it) },
        )
    }

    private fun authority(packageName: String, provider: Map<*, *>) = AuthorityEntry(
        packageName = packageName,
        authorities = (provider["authorities"] as List<*>).map { it as String },
        exported = provider["exported"] as Boolean,
        permission = provider["permission"] as String?,
        enabled = true,
    )

    companion object {
        @JvmStatic
        @Parameters(name = "{0}")
        fun vectors(): List<Vector> = SpecFiles.vectors("discovery")

        private val NEVER_RETURNED = setOf("what a manifest says: a misspelt action")

        /** Spec 9: right for a sender of that version, not known here. */
        private val UNKNOWN_HERE = setOf("what a manifest says: a version of the future")

        /** Spec 9: not what an author should write, and understood nevertheless. */
        private val TAKEN_ALL_THE_SAME = setOf("the version: as text")
    }
}
