package org.example.notes

class ParseException(val line: Int, message: String) : Exception("line $line: $message")

/** Turns text into blocks. */
object Parser {
    private sealed class Token {
        class Line(val number: Int, val text: String) : Token()
        object End : Token()
    }

    private fun tokens(text: String): Sequence<Token> = sequence {
        var n = 0
        for (line in text.lineSequence()) {
            n++
            if (line.isBlank()) continue
            yield(Token.Line(n, line.trim()))
        }
        yield(Token.End)
    }

    fun parse(text: String): List<Block> {
        val out = mutableListOf<Block>()
        var table: MutableList<List<String>>? = null
        for (t in tokens(text)) {
            val line = (t as? Token.Line)?.text
            if (table != null && line?.startsWith("|") != true) {
                out += Block.Table(table.toList())
                table = null
            }
            when {
                t !is Token.Line -> Unit
                line == "---" -> out += Block.Rule
                line!!.startsWith("|") -> {
                    val cells = line.trim('|').split('|').map(String::trim)
                    val width = table?.first()?.size
                    if (width != null && width != cells.size) {
                        throw ParseException(
                                t.number, "row of ${cells.size} in a table of $width")
                    }
                    table = (table ?: mutableListOf()).apply { add(cells) }
                }
                line.startsWith("[") -> out += task(t.number, line)
                line.length > 4 && line.startsWith("**") && line.endsWith("**") ->
                        out += Block.Text(line.drop(2).dropLast(2), Style.BOLD)
                line.length > 2 && line.first() == '_' && line.last() == '_' ->
                        out += Block.Text(line.drop(1).dropLast(1), Style.ITALIC)
                else -> out += Block.Text(line)
            }
        }
        return out
    }

    private fun task(number: Int, line: String): Block.Task {
        val done = when (line.getOrNull(1)) {
            'x', 'X' -> true
            ' ' -> false
            else -> throw ParseException(number, "bad mark")
        }
        val at = line.lastIndexOf('@')
        val due = if (at > 0) line.substring(at + 1).toIntOrNull() else null
        return Block.Task(line.substring(3, if (due != null) at else line.length).trim(), done, due)
    }
}
