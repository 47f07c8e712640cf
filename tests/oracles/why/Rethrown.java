/** A handler wraps the exception that a callee threw. */
public class Rethrown {
    static int limit = 3;

    static void check(int value) {
        if (value > limit) { // cause
            throw new IllegalArgumentException("above the limit");
        }
    }

    static void run(int value) {
        try {
            check(value);
        } catch (IllegalArgumentException e) {
            throw new RuntimeException("run " + value, e);
        }
    }

    public static void main(String[] args) {
        for (int value = 1; value < 9; value++) {
            run(value);
        }
    }
}
