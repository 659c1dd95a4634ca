package org.cetp.bridge.app.screens

import android.app.Activity
import android.graphics.Bitmap
import android.graphics.Canvas
import org.robolectric.shadows.ShadowLooper
import java.awt.image.BufferedImage
import java.awt.image.DataBuffer
import java.awt.image.IndexColorModel
import java.io.File
import javax.imageio.ImageIO

/** Draw what the screen shows; with `-Dpictures=FOLDER` also into `NAME.png` there. */
internal fun Activity.picture(name: String): Bitmap {
    ShadowLooper.idleMainLooper()
    val view = window.decorView
    view.jumpDrawablesToCurrentState()
    val bitmap = Bitmap.createBitmap(view.width, view.height, Bitmap.Config.ARGB_8888)
    view.draw(Canvas(bitmap))
    val folder = System.getProperty("pictures")?.let(::File) ?: return bitmap
    folder.mkdirs()
    ImageIO.write(indexed(bitmap), "png", File(folder, "$name.png"))
    return bitmap
}

/** With a palette of 256 colours a picture of text and plain grounds takes a third of the space. */
private fun indexed(bitmap: Bitmap): BufferedImage {
    val pixels = IntArray(bitmap.width * bitmap.height)
    bitmap.getPixels(pixels, 0, bitmap.width, 0, 0, bitmap.width, bitmap.height)
    val palette = pixels.asIterable().groupingBy { it }.eachCount().entries
        .sortedWith(compareByDescending<Map.Entry<Int, Int>> { it.value }.thenBy { it.key })
        .take(COLOURS).map { it.key }.toIntArray()
    val nearest = HashMap<Int, Int>()
    val model = IndexColorModel(8, palette.size, palette, 0, false, -1, DataBuffer.TYPE_BYTE)
    val image = BufferedImage(bitmap.width, bitmap.height, BufferedImage.TYPE_BYTE_INDEXED, model)
    val indices = pixels.map { colour -> nearest.getOrPut(colour) { nearestIn(palette, colour) } }.toIntArray()
    image.raster.setPixels(0, 0, bitmap.width, bitmap.height, indices)
    return image
}

private fun nearestIn(palette: IntArray, colour: Int): Int = palette.indices.minBy { index ->
    listOf(0, 8, 16).sumOf { shift ->
        val difference = (palette[index] shr shift and 0xff) - (colour shr shift and 0xff)
        difference * difference
    }
}

private const val COLOURS = 256
