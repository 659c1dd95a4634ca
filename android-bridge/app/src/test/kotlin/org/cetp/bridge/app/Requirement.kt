package org.cetp.bridge.app

/** Says which demands of cetp-spec/requirements.toml a test proves; a test of the specification reads it. */
@Target(AnnotationTarget.FUNCTION)
@Retention(AnnotationRetention.SOURCE)
internal annotation class Requirement(vararg val ids: String)
