/** A method gives an object of another class than its caller expects. */
public class BadCast {
    static Object make(int kind) {
        if (kind == 2) {
            return Integer.valueOf(kind); // cause
        }
        return "text";
    }

    static int length(Object value) {
        return ((String) value).length();
    }

    public static void main(String[] args) {
        for (int kind = 0; kind < 3; kind++) {
            System.out.println(length(make(kind)));
        }
    }
}
