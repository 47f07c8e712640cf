package org.example.notes

/** What a note is made of. */
sealed class Block {
    data class Text(val text: String, val style: Style = Style.PLAIN) : Block()
    data class Task(val text: String, val done: Boolean = false, val due: Int? = null) : Block()
    data class Table(val rows: List<List<String>>) : Block()
    data object Rule : Block()
}

enum class Style(val mark: String) {
    PLAIN(""),
    BOLD("**"),
    ITALIC("_") {
        override fun wrap(s: String) = if (s.isEmpty()) s else super.wrap(s)
    };

    open fun wrap(s: String): String = mark + s + mark
}

data class Note(
        val id: Int, val title: String, val blocks: List<Block>,
        val tags: Set<String> = emptySet(), val pinned: Boolean = false)

fun Block.render(depth: Int = 0): String = "  ".repeat(depth) + when (this) {
    is Block.Text -> style.wrap(text)
    is Block.Task -> (if (done) "[x] " else "[ ] ") + text + (due?.let { " @$it" } ?: "")
    is Block.Table -> rows.joinToString("\n" + "  ".repeat(depth)) { row ->
        row.joinToString("|", "|", "|")
    }
    Block.Rule -> "---"
}

fun Note.words(): Int = blocks.sumOf { b ->
    when (b) {
        is Block.Text -> b.text.split(' ').count { it.isNotBlank() }
        is Block.Task -> b.text.count { it == ' ' } + 1
        is Block.Table -> b.rows.sumOf { it.size }
        else -> 0
    }
}

val Note.open: Int get() = blocks.count { it is Block.Task && !it.done }

/** How the list is ordered. */
sealed interface Order : Comparator<Note> {
    object ByTitle : Order {
        override fun compare(a: Note, b: Note) =
                compareValuesBy(a, b, { !it.pinned }, { it.title }, { it.id })
    }

    class ByOpen(private val down: Boolean) : Order {
        override fun compare(a: Note, b: Note): Int =
                (a.open - b.open).let { if (down) -it else it }
                        .let { if (it != 0) it else a.id - b.id }
    }

    object BySize : Order {
        override fun compare(a: Note, b: Note) = compareValuesBy(b, a, Note::words, Note::id)
    }
}
