package org.example.notes

import android.app.Application

class NotesApp : Application() {
    val store = Store()

    override fun onCreate() {
        super.onCreate()
        store.add(
                "Welcome", "**Hello**\nThis is a note\n---\n[ ] try it @3\n[x] install",
                setOf("home"), pinned = true)
    }
}
