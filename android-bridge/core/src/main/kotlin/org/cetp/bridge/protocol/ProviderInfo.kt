package org.cetp.bridge.protocol

/** What a provider says of itself to people (spec 4.3); nothing is decided by it. */
public data class ProviderInfo(val name: String, val description: String?, val scopes: List<Scope>) {
    /** A range of data that the user may grant. */
    public data class Scope(val name: String, val description: String?)
}
