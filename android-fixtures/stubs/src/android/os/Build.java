package android.os;

public class Build {
    public static final String MODEL = "host";

    public Build() {}

    public static class VERSION {
        public static final int SDK_INT = Integer.getInteger("stub.sdk", 29);
        public static final String RELEASE = "10";

        public VERSION() {}
    }
}
