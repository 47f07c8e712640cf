package android.content;

/** What the runtime is compiled against; the device has the real one. */
public class Intent {
    public String getAction() {
        throw new UnsupportedOperationException("stub");
    }
}
