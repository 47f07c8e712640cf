package org.example.notes

import android.os.Handler
import android.os.Looper
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.startCoroutine
import kotlin.coroutines.suspendCoroutine

/** Just enough to run suspend functions on the main looper. */
object Flow {
    private val main = Handler(Looper.getMainLooper())

    fun launch(name: String, body: suspend () -> Unit) {
        body.startCoroutine(object : Continuation<Unit> {
            override val context = EmptyCoroutineContext
            override fun resumeWith(result: Result<Unit>) {
                result.onFailure { println("$name failed: ${it.message}") }
                        .onSuccess { println("$name done") }
            }
        })
    }

    suspend fun delay(ms: Long) =
            suspendCoroutine<Unit> { c -> main.postDelayed({ c.resume(Unit) }, ms) }

    /** Runs the work on a thread of its own and comes back to the main looper. */
    suspend fun <T> offload(work: () -> T): T = suspendCoroutine { c ->
        val thread = Thread {
            val r = runCatching(work)
            main.post { r.fold({ c.resume(it) }, { c.resumeWithException(it) }) }
        }
        thread.start()
        thread.join()
    }

    suspend fun <T> retry(times: Int, pause: Long = 10, work: suspend (Int) -> T): T {
        var last: Throwable? = null
        repeat(times) { i ->
            try {
                return work(i)
            } catch (e: IllegalStateException) {
                last = e
                delay(pause * (i + 1))
            }
        }
        throw last ?: IllegalArgumentException("no tries")
    }
}
