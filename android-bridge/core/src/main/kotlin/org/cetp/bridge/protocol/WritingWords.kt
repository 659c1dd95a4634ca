package org.cetp.bridge.protocol

/** The words by which a tool's name says that it writes, or that it reads (spec 7.4), as `contract.json` has them. */
internal object WritingWords {
    /** Characters of a name that are looked at. */
    const val MAX_CHARS: Int = 200

    /** As first word: reads, whatever follows. */
    val READING: Set<String> = words(
        """
        browse check count describe download explain export fetch find get has is list load look lookup monitor peek
        preview query read retrieve scan search show summarize summarise view watch what when where which who
        """,
    )

    /** As first or last word: writes. */
    val WRITING: Set<String> = words(
        """
        buy cancel create delete deposit drop edit erase insert modify overwrite pay purchase purge put remove rename
        replace revoke send submit uninstall unsubscribe upload upsert wipe withdraw write
        """,
    )

    /** As first word only: elsewhere these are as often nouns. */
    val WRITING_FIRST: Set<String> = words(
        """
        accept add append apply approve archive assign authorize block book change clear close complete confirm copy
        disable dismiss enable execute forward install invite lock make mark move order place post publish reject reply
        reset restore save schedule set share subscribe toggle transfer trigger turn unlock update
        """,
    )

    /** As last word: what comes before is part of a thing's name. */
    val NOUNS: Set<String> = words(
        """
        address archive by count date details history id ids info list log logs name names number price report result
        results schedule settings size stats status summary time times total totals type types
        """,
    )

    private fun words(text: String): Set<String> = text.trim().split(Regex("\\s+")).toSet()
}
