package org.cetp.bridge.protocol

/** Which versions of the protocol are spoken here (spec 9). */
public object ProtocolVersion {
    private val SPOKEN = CetpContract.VERSION.toString()

    /**
     * Whether the meta-data's raw value names a version that is spoken here: the integer, its text, or a list of texts
     * that holds it. A list is written with commas, or is a list.
     */
    public fun isSpoken(value: Any?): Boolean = when (value) {
        is Int -> value == CetpContract.VERSION
        is String -> value.split(',').any { it.trim() == SPOKEN }
        is List<*> -> SPOKEN in value
        else -> false
    }
}
