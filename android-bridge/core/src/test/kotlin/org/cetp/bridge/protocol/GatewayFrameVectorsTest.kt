package org.cetp.bridge.protocol

import org.cetp.bridge.fakes.SpecFiles
import org.cetp.bridge.fakes.SpecFiles.Vector
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters

/** Frames of a gateway are read as the shared vectors say. */
@RunWith(Parameterized::class)
class GatewayFrameVectorsTest(private val vector: Vector) {
    @Test
    fun `A frame is read exactly when a bridge can use it`() {
        val frame = GatewayFrameReader.read(vector.data.toString())
        val isReadable = frame !is GatewayFrame.Unreadable
        val isLeftToSchemas = frame is GatewayFrame.Ignored || vector.name in ONLY_A_SCHEMA_REFUSES
        assertEquals(vector.valid || isLeftToSchemas, isReadable)
    }

    companion object {
        @JvmStatic
        @Parameters(name = "{0}")
        fun vectors(): List<Vector> = SpecFiles.vectors("gateway_frames")

        /** A field is wrong that a bridge does not need, or one verdict or limit, which is passed over by itself. */
        private val ONLY_A_SCHEMA_REFUSES = setOf(
            "session_start and connected: a persona of null",
            "session_start and connected: a count that is a fraction",
            "session_start and connected: connected without a message",
            "connected with the extensions: a limit of zero",
            "connected with the extensions: a limit as text",
            "tools_registered and tools_changed with the extensions: a quarantined tool with a public name",
            "tools_registered and tools_changed with the extensions: a quarantined tool without a reason",
            "tools_registered and tools_changed with the extensions: an accepted tool without a public name",
            "tools_registered and tools_changed with the extensions: a public name of 65 characters",
            "tools_registered and tools_changed with the extensions: a public name with a dot",
            "tools_registered and tools_changed with the extensions: a state that is unheard of",
            "error: a code of null",
            "the frames of an approval: a session of null",
            "the frames of an approval: closed without saying how",
            "the frames of an approval: a status that is unheard of",
            "frames that newer gateways send: a question that is closed without a reason",
            "frames that newer gateways send: a question that is closed in an unheard-of way",
            "frames that newer gateways send: ask_user_ack of another kind",
        )
    }
}
