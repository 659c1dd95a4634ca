package org.cetp.bridge

/** Where the bridge writes what it does: never a token, arguments, answers or other contents of calls. */
public fun interface Log {
    public fun write(level: Level, message: String)

    /** How much a line matters. */
    public enum class Level { INFO, WARNING }
}
