package com.example.notes.fakes

import android.content.ContentResolver
import android.content.Context
import android.content.pm.ApplicationInfo
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.Signature
import android.content.pm.SigningInfo
import android.net.Uri
import android.os.Build
import android.os.Bundle
import com.example.notes.cetp.Caller
import com.example.notes.cetp.CallerPolicy
import com.example.notes.cetp.Cetp
import com.example.notes.cetp.ToolProvider
import org.json.JSONObject
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowBinder
import org.robolectric.shadows.ShadowContentResolver
import java.util.concurrent.atomic.AtomicLong

/** A phone with this app on it, a clock that stands still, and apps that call. Fits whatever the app offers. */
class Phone {
    val context: Context = RuntimeEnvironment.getApplication()
    private val declared =
        context.packageManager.getPackageInfo(context.packageName, PackageManager.GET_PROVIDERS).providers!!.single()

    /** As the manifest has it. */
    val authority: String = declared.authority
    val clock = AtomicLong(START)
    val callers = CallerPolicy(context, clock::get)

    init {
        val provider = ToolProvider(clock::get)
        provider.attachInfo(context, declared)
        ShadowContentResolver.registerProviderInternal(declared.authority, provider)
    }

    /** Install an app that shares the UID with those that have it already. */
    fun install(packageName: String, uid: Int, certificate: String, label: String = packageName): Caller {
        val info = PackageInfo().apply {
            this.packageName = packageName
            applicationInfo = ApplicationInfo().apply {
                this.packageName = packageName
                this.uid = uid
                nonLocalizedLabel = label
            }
            sign(this, Signature(certificate.toByteArray()))
        }
        shadowOf(context.packageManager).installPackage(info)
        shadowOf(context.packageManager).setPackagesForUid(uid, *installed(uid, packageName))
        return callers.identify(uid) ?: Caller(listOf(packageName), "")
    }

    /** Call as the app with this UID, through the resolver as any app does. */
    fun call(uid: Int, method: String, extras: Bundle? = null): Bundle {
        ShadowBinder.setCallingUid(uid)
        return resolver.call(Uri.parse("content://$authority"), method, null, extras)!!
    }

    fun execute(uid: Int, tool: String, args: String? = null): Bundle = call(
        uid,
        Cetp.EXECUTE_TOOL,
        Bundle().apply {
            putString(Cetp.TOOL_NAME, tool)
            args?.let { putString(Cetp.ARGS, it) }
        },
    )

    private val resolver: ContentResolver get() = context.contentResolver

    private fun installed(uid: Int, packageName: String): Array<String> =
        (context.packageManager.getPackagesForUid(uid).orEmpty().toSet() + packageName).toTypedArray()

    @Suppress("DEPRECATION")
    private fun sign(info: PackageInfo, signature: Signature) {
        info.signatures = arrayOf(signature)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
            info.signingInfo = SigningInfo::class.java.getDeclaredConstructor().newInstance()
            shadowOf(info.signingInfo).setSignatures(arrayOf(signature))
        }
    }

    companion object {
        /** 31 January 2026, 12:00 UTC. */
        const val START = 1_769_860_800_000L
        const val BRIDGE = 10_101
        const val STRANGER = 10_102
    }
}

val Bundle.code: String? get() = getString(Cetp.ERROR_CODE)
val Bundle.message: String get() = getString(Cetp.ERROR_MESSAGE).orEmpty()

/** The objects of an array. */
fun JSONObject.objects(key: String): List<JSONObject> {
    val array = getJSONArray(key)
    return (0 until array.length()).map(array::getJSONObject)
}

/** The data of a success; fails with the reply when it is none. */
val Bundle.answer: JSONObject
    get() = JSONObject(checkNotNull(getString(Cetp.DATA)) { "no success: $code $message" })
