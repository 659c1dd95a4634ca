package org.cetp.bridge.app.fakes

import android.content.ContentProvider
import android.content.ContentValues
import android.content.IContentProvider
import android.database.Cursor
import android.net.Uri
import android.os.Bundle
import android.os.RemoteException
import org.robolectric.android.controller.ContentProviderController
import java.lang.reflect.InvocationHandler
import java.lang.reflect.Proxy

/**
 * A real ContentProvider that answers as a test wants.
 *
 * @param failing what the way to it throws, in place of an answer.
 */
class TestProvider(
    private val failing: RemoteException? = null,
    private val answer: (method: String, extras: Bundle?) -> Bundle? = { _, _ -> null },
) : ContentProvider() {
    /** Make it reachable under an authority. */
    fun serve(app: InstalledApp): TestProvider {
        ContentProviderController.of(this).create(app.provider)
        return this
    }

    /** Robolectric comes straight here on Android 8, and by [getIContentProvider] on later ones. */
    override fun call(method: String, arg: String?, extras: Bundle?): Bundle? {
        failing?.let { throw it }
        return answer(method, extras)
    }

    override fun getIContentProvider(): IContentProvider {
        val real = super.getIContentProvider()
        failing ?: return real
        val broken = InvocationHandler { _, method, _ -> if (method.name == "call") throw failing else null }
        val interfaces = arrayOf(IContentProvider::class.java)
        return Proxy.newProxyInstance(javaClass.classLoader, interfaces, broken) as IContentProvider
    }

    override fun onCreate(): Boolean = true

    override fun getType(uri: Uri): String? = null

    override fun insert(uri: Uri, values: ContentValues?): Uri? = null

    override fun delete(uri: Uri, selection: String?, arguments: Array<String>?): Int = 0

    override fun update(uri: Uri, values: ContentValues?, selection: String?, arguments: Array<String>?): Int = 0

    override fun query(
        uri: Uri,
        columns: Array<String>?,
        selection: String?,
        arguments: Array<String>?,
        order: String?,
    ): Cursor? = null
}
