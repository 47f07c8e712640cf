package android.content;

import android.database.Cursor;
import android.net.Uri;

public abstract class ContentResolver {
    public ContentResolver(Context c) {}

    /** The provider that serves this address. */
    protected abstract ContentProvider provider(Uri uri);

    public final Cursor query(Uri u, String[] p, String s, String[] a, String o) {
        return provider(u).query(u, p, s, a, o);
    }
    public final String getType(Uri u) { return provider(u).getType(u); }
    public final Uri insert(Uri u, ContentValues v) { return provider(u).insert(u, v); }
    public final int delete(Uri u, String s, String[] a) { return provider(u).delete(u, s, a); }
    public final int update(Uri u, ContentValues v, String s, String[] a) {
        return provider(u).update(u, v, s, a);
    }
}
