package org.cetp.bridge.app.fakes

import android.os.Bundle
import android.os.Parcel
import android.os.Parcelable

/** A reply of texts. */
internal fun reply(vararg keys: Pair<String, String>) =
    Bundle().apply { keys.forEach { (key, value) -> putString(key, value) } }

/** As it arrives from another process: packed, and not yet taken apart. */
internal fun sent(bundle: Bundle): Bundle {
    val parcel = Parcel.obtain()
    parcel.writeBundle(bundle)
    parcel.setDataPosition(0)
    return checkNotNull(parcel.readBundle(null))
}

/** A Bundle of the right length and mark around a value of a kind that does not exist. */
internal fun garbage(): Bundle {
    val parcel = Parcel.obtain()
    parcel.writeInt(Int.SIZE_BYTES * WORDS)
    parcel.writeInt(MARK)
    parcel.writeInt(1)
    parcel.writeString("status")
    parcel.writeInt(NO_KIND)
    repeat(WORDS) { parcel.writeInt(0) }
    parcel.setDataPosition(0)
    return checkNotNull(parcel.readBundle(null))
}

/** An object of a class that only the provider has; tells when somebody builds one from a reply. */
internal class Foreign : Parcelable {
    override fun describeContents(): Int = 0

    override fun writeToParcel(parcel: Parcel, flags: Int) = parcel.writeInt(1)

    companion object CREATOR : Parcelable.Creator<Foreign> {
        @Volatile
        var built = false

        override fun createFromParcel(parcel: Parcel): Foreign {
            built = true
            return Foreign()
        }

        override fun newArray(size: Int): Array<Foreign?> = arrayOfNulls(size)
    }
}

/** "BNDL", with which every packed Bundle begins. */
private const val MARK = 0x4C444E42
private const val NO_KIND = 4711
private const val WORDS = 16
