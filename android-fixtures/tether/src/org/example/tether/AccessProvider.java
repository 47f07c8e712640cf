package org.example.tether;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The list of devices that may join, as a table. */
public class AccessProvider extends ContentProvider {
    private final TreeMap<Integer, ContentValues> rows = new TreeMap<>();
    private int next = 1;

    @Override
    public boolean onCreate() { return true; }

    private int row(Uri u) {
        List<String> s = u.getPathSegments();
        if (s.size() < 2) return -1;
        try {
            return Integer.parseInt(s.get(1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Unknown URI " + u);
        }
    }

    @Override
    public Cursor query(Uri u, String[] projection, String selection, String[] args, String order) {
        int only = row(u);
        MatrixCursor c = new MatrixCursor(new String[] {"_id", "name", "value"});
        for (Map.Entry<Integer, ContentValues> e : rows.entrySet()) {
            if (only >= 0 && e.getKey() != only) continue;
            ContentValues row = e.getValue();
            c.addRow(new Object[] {e.getKey(), row.getAsString("name"), row.getAsInteger("value")});
        }
        return c;
    }

    @Override
    public String getType(Uri u) {
        return row(u) < 0 ? "vnd.android.cursor.dir/access" : "vnd.android.cursor.item/access";
    }

    @Override
    public Uri insert(Uri u, ContentValues v) {
        if (row(u) >= 0) throw new IllegalArgumentException("cannot insert into " + u);
        Integer value = v.getAsInteger("value");
        if (value == null || value > 900) throw new IllegalArgumentException("value");
        rows.put(next, v);
        return Uri.withAppendedPath(u, Integer.toString(next++));
    }

    @Override
    public int delete(Uri u, String selection, String[] args) {
        return rows.remove(row(u)) == null ? 0 : 1;
    }

    @Override
    public int update(Uri u, ContentValues v, String selection, String[] args) {
        int r = row(u);
        if (!rows.containsKey(r)) return 0;
        rows.put(r, v);
        return 1;
    }
}
