package org.cetp.bridge.tools

/** Where the owner's decisions outlive the process; the app keeps them in its preferences, tests in memory. */
public interface ConsentStore {
    /** All that was saved: the package, and its decision as text. Empty when nothing can be read. Must be quick. */
    public fun load(): Map<String, String>

    /** Keep an app's decision in place of the one before; returns at once and never throws. */
    public fun save(packageName: String, decision: String)
}
