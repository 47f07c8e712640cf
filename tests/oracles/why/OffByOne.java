/** The bound of a loop is one too high. */
public class OffByOne {
    static int sum(int[] values) {
        int last = values.length; // cause
        int sum = 0;
        for (int i = 0; i <= last; i++) {
            sum += values[i];
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(sum(new int[] {1, 2, 3}));
    }
}
