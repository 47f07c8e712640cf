package org.example.notes

import android.app.Service
import android.content.Intent
import android.os.IBinder

/** Pretends to send the notes away, in a process of its own on a phone. */
class SyncService : Service() {
    private enum class Step { CONNECT, SEND, WAIT, DONE, FAILED }

    private var runs = 0

    override fun onStartCommand(intent: Intent?, flags: Int, startId: Int): Int {
        runs++
        val n = intent?.getIntExtra("n", 0) ?: 0
        println("service: " + steps(n).joinToString(">") { it.name.take(1) })
        if (runs % 3 == 0) stopSelf()
        return if (n % 2 == 0) START_STICKY else START_NOT_STICKY
    }

    private fun steps(n: Int): Sequence<Step> {
        var left = n % 5
        return generateSequence(Step.CONNECT) { s ->
            when (s) {
                Step.CONNECT -> if (n % 7 == 6) Step.FAILED else Step.SEND
                Step.SEND -> if (left-- > 0) Step.WAIT else Step.DONE
                Step.WAIT -> Step.SEND
                Step.DONE, Step.FAILED -> null
            }
        }
    }

    override fun onBind(intent: Intent?): IBinder? = null

    override fun onDestroy() {
        println("service: $runs runs")
    }
}
