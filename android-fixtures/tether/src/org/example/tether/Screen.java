package org.example.tether;

/** What the user would read: standard output. */
final class Screen {
    private Screen() {}

    static void show(String format, Object... args) {
        System.out.println(
                args.length == 0 ? format : String.format(java.util.Locale.ROOT, format, args));
    }
}
