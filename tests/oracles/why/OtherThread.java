/** Another thread clears a static field. */
public class OtherThread {
    static volatile String shared = "value";

    static void clear() {
        shared = null; // cause
    }

    static int use() {
        return shared.length();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(use());
        Thread other = new Thread(OtherThread::clear, "cleaner");
        other.start();
        other.join();
        System.out.println(use());
    }
}
