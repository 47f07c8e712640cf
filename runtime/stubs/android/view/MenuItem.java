package android.view;

/** What the runtime is compiled against; the device has the real one. */
public interface MenuItem {
    int getItemId();
}
