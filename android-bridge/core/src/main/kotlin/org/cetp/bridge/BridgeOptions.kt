package org.cetp.bridge

import org.cetp.bridge.session.SessionOptions
import org.cetp.bridge.tools.CatalogTiming
import org.cetp.bridge.tools.ToolRunnerOptions

/** Every bound of a bridge; the defaults are meant for phones. */
public data class BridgeOptions(
    val session: SessionOptions = SessionOptions(),
    val calls: ToolRunnerOptions = ToolRunnerOptions(),
    val catalog: CatalogTiming = CatalogTiming(),
)
