package org.cetp.bridge.app.notices

/** What a notification is about. Two of the same are never shown at once. */
sealed interface Notice {
    /** Tells notices of one [number] apart; null when there is only one. */
    val tag: String?
    val number: Int

    /** The service runs. */
    data object Connection : Notice {
        override val tag: String? = null
        override val number: Int = 1
    }

    /** The service has stopped or could not start. */
    data object Problem : Notice {
        override val tag: String? = null
        override val number: Int = 2
    }

    /** An app asks to be authorised. */
    data class Authorize(val packageName: String) : Notice {
        override val tag: String get() = packageName
        override val number: Int get() = AUTHORIZE
    }

    /** An app could not be started. */
    data class Wake(val packageName: String) : Notice {
        override val tag: String get() = packageName
        override val number: Int get() = WAKE
    }

    private companion object {
        const val AUTHORIZE = 3
        const val WAKE = 4
    }
}
