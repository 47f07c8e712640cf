package kt;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** All lines and branches run; what the compiler adds to them does not. */
final class Generated {
    private static int sum;

    private Generated() {
    }

    interface Shape {
        int side();

        default int area() {
            return side() * side();
        }
    }

    static void locked(Object lock) {
        synchronized (lock) {
            sum++;
        }
    }

    static int read(byte[] bytes) throws Exception {
        try (InputStream in = new ByteArrayInputStream(bytes)) {
            return in.read();
        }
    }

    static int readAll(InputStream stream) throws Exception {
        int read;
        try (InputStream in = stream) {
            read = in.read();
        }
        return read;
    }

    static int number(String text) {
        switch (text) {
            case "one":
                return 1;
            case "two":
                return 2;
            default:
                return 0;
        }
    }

    static void run() throws Exception {
        locked(Generated.class);
        sum += read(new byte[] {1});
        sum += readAll(new ByteArrayInputStream(new byte[] {1}));
        sum += number("one") + number("two") + number("three");
        Shape square = () -> 3;
        System.out.println(sum + square.area());
    }
}
