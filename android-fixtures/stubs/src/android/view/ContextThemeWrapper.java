package android.view;

import android.content.Context;
import android.content.ContextWrapper;

public class ContextThemeWrapper extends ContextWrapper {
    public ContextThemeWrapper() { super(null); }
    public ContextThemeWrapper(Context base, int theme) { super(base); }
}
