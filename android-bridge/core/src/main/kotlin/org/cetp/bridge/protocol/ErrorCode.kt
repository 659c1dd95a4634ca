package org.cetp.bridge.protocol

/** What a provider may answer instead of data (spec 6). */
public enum class ErrorCode {
    AUTH_REQUIRED,
    PERMISSION_DENIED,
    TOOL_NOT_FOUND,
    INVALID_ARGS,
    RATE_LIMITED,
    INTERNAL_ERROR,
}
