package org.cetp.bridge.gateway

import okhttp3.Interceptor
import okhttp3.Response

/**
 * Offers no compression. Frames are short and a gateway does not compress them, so the offer would be for nothing; and
 * no answer can unfold to more than was counted.
 */
internal object NoCompression : Interceptor {
    override fun intercept(chain: Interceptor.Chain): Response = chain.proceed(
        chain.request().newBuilder()
            .removeHeader("Sec-WebSocket-Extensions")
            .header("Accept-Encoding", "identity")
            .build(),
    )
}

/** Holds [CleartextRule] for addresses without a name, which no name service is asked for. */
internal object CleartextGuard : Interceptor {
    override fun intercept(chain: Interceptor.Chain): Response {
        val url = chain.request().url
        if (!url.isHttps && !CleartextRule.mayAsk(url.host)) throw NotPrivate(url.host)
        return chain.proceed(chain.request())
    }
}
