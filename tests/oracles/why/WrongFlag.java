/** A flag of the configuration sends control to a state that is refused. */
public class WrongFlag {
    static boolean strict;

    static void configure(String text) {
        strict = text.contains("strict"); // cause
    }

    static int parse(String text) {
        if (strict && text.isEmpty()) {
            throw new IllegalStateException("empty");
        }
        return text.length();
    }

    public static void main(String[] args) {
        System.out.println(parse(""));
        configure("mode=strict");
        System.out.println(parse("abc"));
        System.out.println(parse(""));
    }
}
