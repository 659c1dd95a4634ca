package org.cetp.bridge.app.fakes

import android.content.ContentProviderClient
import android.content.ContentResolver
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowContentResolver

/** A phone whose maker forbids that one app starts another: no provider can be had until a test allows it. */
@Implements(ContentResolver::class)
class ProcessStarts : ShadowContentResolver() {
    @Implementation
    override fun acquireUnstableContentProviderClient(name: String): ContentProviderClient? =
        if (allowed) super.acquireUnstableContentProviderClient(name) else null

    companion object {
        /** False whenever a test class says so in its set-up; tests of one process run one after the other. */
        @Volatile
        var allowed = true
    }
}
