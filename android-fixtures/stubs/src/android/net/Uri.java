package android.net;

import java.util.ArrayList;
import java.util.List;

/** {@code scheme://authority/path}, no more. */
public class Uri implements android.os.Parcelable {
    public static final Uri EMPTY = new Uri("");
    private final String text;

    private Uri(String text) { this.text = text; }

    public static Uri parse(String s) { return new Uri(s); }
    public static Uri withAppendedPath(Uri base, String segment) {
        return new Uri(base.text + '/' + segment);
    }
    public String getScheme() {
        int i = text.indexOf(':');
        return i < 0 ? null : text.substring(0, i);
    }

    private int start() { int i = text.indexOf("://"); return i < 0 ? 0 : i + 3; }
    public String getAuthority() {
        int e = text.indexOf('/', start());
        return text.substring(start(), e < 0 ? text.length() : e);
    }
    public String getPath() {
        int e = text.indexOf('/', start());
        return e < 0 ? "" : text.substring(e);
    }

    public List<String> getPathSegments() {
        List<String> l = new ArrayList<String>();
        for (String s : getPath().split("/")) if (!s.isEmpty()) l.add(s);
        return l;
    }

    public String getLastPathSegment() {
        List<String> l = getPathSegments();
        return l.isEmpty() ? null : l.get(l.size() - 1);
    }
    @Override public String toString() { return text; }
    @Override
    public boolean equals(Object o) {
        return o instanceof Uri && ((Uri) o).text.equals(text);
    }
    @Override public int hashCode() { return text.hashCode(); }
}
