import java.util.HashMap;
import java.util.Map;

/** A map that lacks a key gives null, which a callee uses much later. */
public class NullFromMap {
    static final Map<String, String> names = new HashMap<>();

    static String find(String key) {
        String found = names.get(key); // cause
        if (key.length() > 100) {
            found = key;
        }
        return found;
    }

    static int measure(String text) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += i;
        }
        return sum + text.length();
    }

    public static void main(String[] args) {
        names.put("a", "one");
        System.out.println(measure(find("a")));
        System.out.println(measure(find("b")));
    }
}
