package org.example.notes

import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent

class ReminderReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        val store = (context.applicationContext as NotesApp).store
        val level = intent.getIntExtra("level", 0)
        when (intent.action) {
            Intent.ACTION_BOOT_COMPLETED -> println("boot, ${store.ids().size} notes")
            "org.example.notes.REMIND" -> store.sorted(Order.ByTitle)
                .flatMap { n ->
                    n.blocks.filterIsInstance<Block.Task>()
                            .filter { !it.done && (it.due ?: 99) <= level }
                }
                .forEach { println("remember ${it.text}") }
            else -> println("what is ${intent.action}?")
        }
    }
}
