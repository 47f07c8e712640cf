package android.view;

import android.content.Context;
import java.util.ArrayList;

public abstract class ViewGroup extends View {
    private final ArrayList<View> children = new ArrayList<View>();

    public ViewGroup(Context c) { super(c); }
    public void addView(View v) { children.add(v); }
    public int getChildCount() { return children.size(); }
    public View getChildAt(int i) { return children.get(i); }
    public void removeAllViews() { children.clear(); }

    @Override
    <T extends View> T find(int i) {
        T v = super.find(i);
        for (int k = 0; v == null && k < children.size(); k++) v = children.get(k).find(i);
        return v;
    }
}
