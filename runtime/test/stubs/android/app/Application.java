package android.app;

public class Application {
    public static String getProcessName() {
        return System.getProperty("stub.process");
    }
}
