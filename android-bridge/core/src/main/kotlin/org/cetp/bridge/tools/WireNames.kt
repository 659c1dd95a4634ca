package org.cetp.bridge.tools

import org.cetp.bridge.protocol.CetpContract.Names

/** One tool of a phone: the app, and the app's own name of it. */
public data class ToolKey(val packageName: String, val tool: String) {
    /** What a shortened name's hash is made of (spec 8.3). */
    internal val standsFor: String get() = "$packageName\u0000$tool"
}

/** From packages and tools to wire names (spec 8). Pure functions. */
public object WireNames {
    /**
     * Every tool of one phone with its wire name: legal, no two the same, whatever the order. Tools and packages that
     * cannot be named are left out.
     *
     * @param providers every package that offers tools, with as many of its tools as are known.
     */
    public fun of(providers: Map<String, Collection<String>>): Map<ToolKey, String> {
        val labels = Labels.of(providers.keys)
        val joined = labels.flatMap { (packageName, label) ->
            shortNames(packageName, providers.getValue(packageName)).map { (tool, short) ->
                ToolKey(packageName, tool) to label + Names.SEPARATOR + short
            }
        }
        return fitAll(joined.toMap())
    }

    /** Each tool without its provider's own prefix, unless another tool has that very name (spec 8.2). */
    private fun shortNames(packageName: String, tools: Collection<String>): Map<String, String> {
        val prefix = Labels.baseOf(packageName) + Names.SEPARATOR
        val names = tools.filter(NameFitting::canBeNamed).toSet()
        return names.associateWith { tool ->
            val rest = tool.removePrefix(prefix)
            if (rest.isEmpty() || rest in names) tool else rest
        }
    }

    /** Legal names stay; those that are made legal avoid them and each other. */
    private fun fitAll(joined: Map<ToolKey, String>): Map<ToolKey, String> {
        val attempts = joined.keys.associateWithTo(HashMap()) { 1 }
        while (true) {
            val fitted = joined.mapValues { (key, name) ->
                checkNotNull(NameFitting.fit(name, key.standsFor, attempts.getValue(key))) { "$name was named" }
            }
            val holders = fitted.values.groupingBy { it }.eachCount()
            val taken = joined.keys.filter {
                holders.getValue(fitted.getValue(it)) > 1 && !NameFitting.isLegal(joined.getValue(it))
            }
            if (taken.isEmpty()) return fitted
            taken.forEach { attempts[it] = attempts.getValue(it) + 1 }
        }
    }
}
