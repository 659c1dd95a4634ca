package org.cetp.bridge.app.screens

import android.app.Activity
import android.graphics.Bitmap
import android.graphics.Canvas
import java.io.File
import org.robolectric.shadows.ShadowLooper

/** Draw what the screen shows to `NAME.png` in the folder of the system property `cetp.pictures`. */
internal fun Activity.picture(name: String): Bitmap {
    ShadowLooper.idleMainLooper()
    val view = window.decorView
    val bitmap = Bitmap.createBitmap(view.width, view.height, Bitmap.Config.ARGB_8888)
    view.draw(Canvas(bitmap))
    val folder = File(System.getProperty("cetp.pictures") ?: "build/pictures").apply { mkdirs() }
    File(folder, "$name.png").outputStream().use { bitmap.compress(Bitmap.CompressFormat.PNG, 100, it) }
    return bitmap
}
