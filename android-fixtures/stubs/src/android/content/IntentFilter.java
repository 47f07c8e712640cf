package android.content;

import java.util.ArrayList;

public class IntentFilter implements android.os.Parcelable {
    private final ArrayList<String> actions = new ArrayList<String>();

    public IntentFilter() {}
    public IntentFilter(String action) { actions.add(action); }
    public final void addAction(String a) { actions.add(a); }
    public final boolean hasAction(String a) { return actions.contains(a); }
}
