package android.view;

import android.content.Context;

public class View {
    public interface OnClickListener {
        void onClick(View v);
    }

    public interface OnLongClickListener {
        boolean onLongClick(View v);
    }

    public static final int NO_ID = -1;

    private final Context context;
    private OnClickListener click;
    private OnLongClickListener longClick;
    private int id = NO_ID;
    private boolean enabled = true;

    public View(Context c) { context = c; }
    public final Context getContext() { return context; }
    public void setOnClickListener(OnClickListener l) { click = l; }
    public void setOnLongClickListener(OnLongClickListener l) { longClick = l; }
    public boolean performClick() {
        if (click == null || !enabled) return false;
        click.onClick(this);
        return true;
    }
    public boolean performLongClick() { return longClick != null && longClick.onLongClick(this); }
    public int getId() { return id; }
    public void setId(int i) { id = i; }
    public boolean isEnabled() { return enabled; }
    public void setEnabled(boolean e) { enabled = e; }
    public final <T extends View> T findViewById(int i) { return this.find(i); }
    @SuppressWarnings("unchecked")
    <T extends View> T find(int i) { return id == i ? (T) this : null; }
}
