package android.app;

public final class ApplicationExitInfo {
    private final String[] values;

    ApplicationExitInfo(String[] values) {
        this.values = values;
    }

    public int getPid() {
        return Integer.parseInt(values[0]);
    }

    public long getTimestamp() {
        return Long.parseLong(values[1]);
    }

    public int getReason() {
        return Integer.parseInt(values[2]);
    }

    public int getStatus() {
        return Integer.parseInt(values[3]);
    }

    public int getImportance() {
        return Integer.parseInt(values[4]);
    }

    /** Texts of the app: nobody may ask. */
    public String getDescription() {
        throw new AssertionError("the description was asked for");
    }
}
