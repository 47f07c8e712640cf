package android.view;

/** What the runtime is compiled against; the device has the real one. */
public class View {
    public int getId() {
        throw new UnsupportedOperationException("stub");
    }
}
