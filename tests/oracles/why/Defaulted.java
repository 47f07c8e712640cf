/** A default argument is passed through three methods. */
public class Defaulted {
    static String title(boolean known) {
        String title = null; // cause
        if (known) {
            title = "known";
        }
        return title;
    }

    static String wrap(String text, int depth) {
        return depth == 0 ? text : wrap(text, depth - 1);
    }

    static int show(String text) {
        return text.hashCode();
    }

    public static void main(String[] args) {
        System.out.println(show(wrap(title(true), 3)));
        System.out.println(show(wrap(title(false), 3)));
    }
}
