/** Another thread clears a static field as soon as it is old enough. */
public class Race {
    static volatile String shared = "value";

    static void clear(int age) {
        if (age > 3) {
            shared = null; // cause
        }
    }

    static int use(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += shared.length();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        for (int age = 2; age < 6; age++) {
            System.out.println(use(2));
            final int now = age;
            Thread other = new Thread(() -> clear(now), "cleaner");
            other.start();
            other.join();
        }
    }
}
