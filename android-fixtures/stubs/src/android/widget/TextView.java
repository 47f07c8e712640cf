package android.widget;

import android.content.Context;

public class TextView extends android.view.View {
    private CharSequence text = "";

    public TextView(Context c) { super(c); }
    public CharSequence getText() { return text; }
    public final void setText(CharSequence t) { text = t; }
}
