package org.example.notes

/** The notes, and what can be undone. */
class Store {
    private val notes = sortedMapOf<Int, Note>()
    private val undo = ArrayDeque<() -> Unit>()
    private var next = 1
    private val listeners = mutableListOf<(Int) -> Unit>()
    val tags: Map<String, Int> by lazy { mapOf("work" to 1, "home" to 2, "idea" to 3) }
    var changes = 0
        private set

    fun listen(l: (Int) -> Unit) { listeners += l }

    private fun changed(id: Int) {
        changes++
        listeners.forEach { it(id) }
    }

    fun add(
            title: String, text: String, tags: Set<String> = emptySet(),
            pinned: Boolean = false): Note {
        val note = Note(
                next++, title, Parser.parse(text),
                tags.filterTo(mutableSetOf()) { it in this.tags }, pinned)
        notes[note.id] = note
        undo.addLast { notes.remove(note.id) }
        changed(note.id)
        return note
    }

    fun update(id: Int, change: Note.() -> Note): Boolean {
        val old = notes[id] ?: return false
        val new = old.change()
        if (new == old) return false
        notes[id] = new
        undo.addLast { notes[id] = old }
        changed(id)
        return true
    }

    fun remove(id: Int) =
            notes.remove(id)?.also { old -> undo.addLast { notes[id] = old }; changed(id) } != null

    fun undo(): Boolean {
        (undo.removeLastOrNull() ?: return false).invoke()
        return true
    }

    fun sorted(order: Order): List<Note> = notes.values.sortedWith(order)

    fun ids(): List<Int> = notes.keys.toList()

    operator fun get(id: Int): Note? = notes[id]

    fun search(query: String): Sequence<Pair<Int, String>> = sequence {
        for (n in notes.values) {
            if (query in n.title) yield(n.id to n.title)
            yieldAll(n.blocks.asSequence().map { it.render() }.filter { query in it }
                    .map { n.id to it })
        }
    }

    fun statistics(): String = notes.values.groupBy { it.tags.firstOrNull() ?: "none" }
        .toSortedMap()
        .map { (tag, list) -> "$tag:${list.size}/${list.sumOf(Note::words)}" }.joinToString()

    /** A digest of everything, folded by recursion over the blocks. */
    fun digest(): Int = notes.values.fold(7) { h, n -> h * 31 + fold(n.blocks, n.title.length) }

    private tailrec fun fold(blocks: List<Block>, h: Int): Int =
            if (blocks.isEmpty()) h
            else fold(blocks.drop(1), h * 17 + blocks.first().render().length)
}
