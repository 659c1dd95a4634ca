package org.cetp.bridge.tools

import org.cetp.bridge.protocol.CetpContract.Names

/** The label that stands before the tools of a package (spec 8.1). Pure functions. */
public object Labels {
    private const val BASE_WITHOUT_MEANING = "app"
    private const val ALL_DIGITS = 64
    private val OUTSIDE = Regex("[^a-z0-9]+")

    /**
     * Every package of one phone with its label; no two have the same, whatever the order. Packages that cannot be
     * named are left out.
     */
    public fun of(packages: Collection<String>): Map<String, String> {
        val found = packages.filter(NameFitting::canBeNamed).toSet()
        val bases = found.associateWith(::base)
        val digits = found.associateWithTo(HashMap()) { if (bases.getValue(it).telling) 0 else Names.LABEL_HASH_DIGITS }
        while (true) {
            val labels = found.associateWith { label(it, bases.getValue(it).text, digits.getValue(it)) }
            val clashing = clashing(labels)
            if (clashing.isEmpty()) return labels
            clashing.forEach { digits[it] = minOf(digits.getValue(it) + Names.LABEL_HASH_DIGITS, ALL_DIGITS) }
        }
    }

    /** The part of a package that its label is made of. */
    internal fun baseOf(packageName: String): String = base(packageName).text

    /** @property telling false when no segment of the package said anything. */
    private class Base(val text: String, val telling: Boolean)

    private fun base(packageName: String): Base {
        val telling = packageName.split('.').map(::plain).lastOrNull { it.isNotEmpty() && it !in Names.SILENT_SEGMENTS }
        return Base(telling ?: BASE_WITHOUT_MEANING, telling != null)
    }

    private fun plain(segment: String): String =
        segment.map { if (it in 'A'..'Z') it + ('a' - 'A') else it }.joinToString("").replace(OUTSIDE, "_").trim('_')

    private fun label(packageName: String, base: String, digits: Int): String =
        if (digits == 0) base else base + "_" + NameFitting.hash(packageName, digits)

    private fun clashing(labels: Map<String, String>): List<String> {
        val holders = labels.values.groupingBy { it }.eachCount()
        return labels.filterValues { holders.getValue(it) > 1 }.keys.toList()
    }
}
