package android.widget;

import android.content.Context;

public class LinearLayout extends android.view.ViewGroup {
    public LinearLayout(Context c) { super(c); }
}
