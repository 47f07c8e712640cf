package org.example.notes

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.widget.Button
import android.widget.LinearLayout

class NotesActivity : Activity() {
    private sealed class State {
        data class Listing(val order: Order) : State()
        data class Reading(val id: Int, val from: State) : State()
        data class Searching(val query: String) : State()
        object Empty : State()
    }

    private lateinit var store: Store
    private var state: State = State.Empty
    private var presses = 0

    private val texts = listOf(
        "Milk\nbread\n[ ] shop @5\n[ ] pay @x",
        "|a|b|\n|1|2|\nafter",
        "|a|b|\n|1|\n",
        "[?] broken",
        "**bold**\n_thin_\n---\nplain words here",
        "",
        "[x] one\n[x] two\n[ ] three @12\n|t|",
    )
    private val queries = listOf("a", "e", "[ ]", "zzz", "bold", "|")

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        store = (application as NotesApp).store
        presses = savedInstanceState?.getInt("presses") ?: 0
        store.listen { id -> if (id % 4 == 0) println("changed $id") }
        val actions: List<Pair<String, () -> Unit>> = listOf(
            "list" to { go(State.Listing(Order.ByTitle)) },
            "open" to { go(State.Listing(Order.ByOpen(presses % 2 == 0))) },
            "size" to { go(State.Listing(Order.BySize)) },
            "add" to ::add,
            "add" to ::add,
            "read" to {
                store.ids().let { ids ->
                    if (ids.isNotEmpty()) go(State.Reading(ids[presses % ids.size], state))
                }
            },
            "back" to { (state as? State.Reading)?.let { go(it.from) } ?: go(State.Empty) },
            "search" to { go(State.Searching(queries[presses % queries.size])) },
            "tick" to ::tick,
            "remove" to {
                store.ids().getOrNull(presses % 7)?.let { println("removed ${store.remove(it)}") }
            },
            "undo" to { println(if (store.undo()) "undone" else "nothing to undo") },
            "sync" to ::sync,
            "stats" to { println(store.statistics() + " #" + store.digest()) },
            "pin" to {
                store.ids().forEach { id -> store.update(id) { copy(pinned = id == presses % 3) } }
            },
        )
        setContentView(LinearLayout(this).apply {
            id = 1
            for ((label, action) in actions) {
                addView(Button(this@NotesActivity).apply {
                    text = label
                    setOnClickListener { presses++; action() }
                    if (label == "sync") setOnLongClickListener { error("long press on $label") }
                })
            }
        })
        go(State.Listing(Order.ByTitle))
    }

    override fun onSaveInstanceState(outState: Bundle) = outState.putInt("presses", presses)

    override fun onResume() {
        super.onResume()
        Flow.launch("refresh") {
            Flow.delay(40)
            if (presses % 5 == 3) show()
        }
    }

    override fun onStop() {
        super.onStop()
        if (store.changes > 3) {
            startService(Intent(this, SyncService::class.java).putExtra("n", store.changes))
        }
    }

    override fun onDestroy() {
        println("closed after $presses presses, ${store.changes} changes")
        super.onDestroy()
    }

    private fun go(next: State) {
        state = next
        show()
    }

    private fun show() = when (val s = state) {
        is State.Listing -> store.sorted(s.order).forEachIndexed { i, n ->
            println("$i ${if (n.pinned) "*" else ""}${n.title} ${n.open}/${n.words()}")
        }
        is State.Reading -> println(
                store[s.id]?.blocks?.joinToString("\n") { it.render(depth = 1) } ?: "gone")
        is State.Searching -> store.search(s.query).take(4).forEach { (id, line) ->
            println("$id: $line")
        }
        State.Empty -> println("(empty)")
    }

    private fun add() {
        try {
            val n = store.add(
                    "Note ${'A' + presses % 26}", texts[presses % texts.size],
                    if (presses % 3 == 0) setOf("work", "odd") else setOf("idea"))
            println("added ${n.id} with ${n.blocks.size} blocks")
        } catch (e: ParseException) {
            println("cannot add: ${e.message}")
        } finally {
            if (presses % 6 == 0) go(State.Empty)
        }
    }

    private fun tick() {
        for (id in store.ids()) {
            val did = store.update(id) {
                var first = true
                copy(blocks = blocks.map { b ->
                    if (b is Block.Task && !b.done && first) {
                        b.copy(done = true).also { first = false }
                    } else {
                        b
                    }
                })
            }
            if (did) {
                println("ticked in $id")
                return
            }
        }
        println("nothing to tick")
    }

    private fun sync() {
        val n = presses
        Flow.launch("sync $n") {
            val sum = Flow.retry(times = 3) { attempt ->
                Flow.offload {
                    if (n % 4 > attempt) error("attempt $attempt refused")
                    (1..n).fold(1L) { a, i -> if (i % 3 == 0) a * i % 1009 else a + i }
                }
            }
            Flow.delay(20)
            println("synced: $sum")
        }
    }
}
