/** An index comes from a search that found nothing. */
public class UncheckedIndex {
    static String after(String text, char mark) {
        int at = text.indexOf(mark); // cause
        char[] all = text.toCharArray();
        char first = all[at];
        return first + text.substring(at + 1);
    }

    public static void main(String[] args) {
        System.out.println(after("a=b", '='));
        System.out.println(after("ab", '='));
    }
}
