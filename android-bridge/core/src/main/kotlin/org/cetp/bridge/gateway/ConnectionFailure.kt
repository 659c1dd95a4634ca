package org.cetp.bridge.gateway

import java.io.IOException
import java.io.InterruptedIOException
import java.net.ConnectException
import java.net.NoRouteToHostException
import java.net.UnknownHostException
import java.security.cert.CertificateException
import javax.net.ssl.SSLException
import javax.net.ssl.SSLPeerUnverifiedException

/** What an exception from below means to people. */
internal fun problemOf(failure: IOException, address: GatewayAddress): GatewayProblem {
    val causes = causesOf(failure)
    return when {
        causes.any { it is NotPrivate } -> GatewayProblem.CleartextRefused(address.host)
        causes.any { it is UnknownHostException } -> GatewayProblem.UnknownHost(address.host)
        causes.any { NOT_PERMITTED in it.message.orEmpty() } -> GatewayProblem.NotPermitted
        causes.any { it is SSLException } -> problemOfTls(causes, address)
        causes.any { it is InterruptedIOException } -> GatewayProblem.Silent
        causes.any { it is NoRouteToHostException || NO_NETWORK in it.message.orEmpty() } -> GatewayProblem.NoRoute
        causes.any { it is ConnectException } -> GatewayProblem.NotListening(address.port)
        else -> GatewayProblem.Broken
    }
}

private fun problemOfTls(causes: List<Throwable>, address: GatewayAddress): GatewayProblem = when {
    causes.any { it is PinMismatch } -> GatewayProblem.PinMismatch
    causes.any { it is SSLPeerUnverifiedException } -> GatewayProblem.WrongName(address.host)
    causes.any { it is CertificateException } -> GatewayProblem.NotTrusted
    else -> GatewayProblem.NotTls
}

/** Bounded, since a chain of causes may be a ring. */
private fun causesOf(failure: Throwable): List<Throwable> =
    generateSequence(failure) { it.cause }.take(MAX_CAUSES).toList()

private const val MAX_CAUSES = 16

/** Android's words for a connection that a missing permission forbids. */
private const val NOT_PERMITTED = "EPERM"
private const val NO_NETWORK = "unreachable"
