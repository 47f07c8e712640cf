package org.example.notes

import android.content.ContentProvider
import android.content.ContentValues
import android.database.Cursor
import android.database.MatrixCursor
import android.net.Uri

class NotesProvider : ContentProvider() {
    private val store get() = (context.applicationContext as NotesApp).store
    private val Uri.note: Int? get() = pathSegments.getOrNull(1)?.toIntOrNull()

    override fun onCreate() = true

    override fun query(
            uri: Uri, projection: Array<String>?, selection: String?, args: Array<String>?,
            order: String?): Cursor =
        MatrixCursor(arrayOf("_id", "title", "words")).apply {
            store.sorted(Order.BySize).filter { uri.note == null || it.id == uri.note }
                    .forEach { addRow(arrayOf(it.id, it.title, it.words())) }
        }

    override fun getType(uri: Uri) =
            "vnd.android.cursor." + (if (uri.note == null) "dir" else "item") + "/note"

    override fun insert(uri: Uri, values: ContentValues): Uri {
        require(uri.note == null) { "cannot insert into $uri" }
        val text = (1..(values.getAsInteger("value") ?: 0) % 5).joinToString("\n") {
            if (it == 3) "[ ] step $it @$it" else "line $it"
        }
        return Uri.withAppendedPath(
                uri, store.add(values.getAsString("name") ?: "?", text).id.toString())
    }

    override fun delete(uri: Uri, selection: String?, args: Array<String>?) =
            uri.note?.let { if (store.remove(it)) 1 else 0 } ?: 0

    override fun update(
            uri: Uri, values: ContentValues, selection: String?, args: Array<String>?): Int =
        if (store.update(uri.note ?: -1) { copy(title = values.getAsString("name") ?: title) }) {
            1
        } else {
            0
        }
}
