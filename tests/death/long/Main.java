/**
 * One callback of many iterations: {@code Main N}. Prints how often each way of its branches was
 * taken, counted by itself.
 */
public final class Main {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int random = 1;
        int odd = 0;
        int rare = 0;
        for (int i = 0; i < n; i++) {
            random ^= random << 13;
            random ^= random >>> 17;
            random ^= random << 5;
            if ((random & 1) != 0) odd++;
            if ((random & 0xFF000) == 0) {
                rare++;
                twice(rare);
            }
        }
        System.out.println(odd + " " + (n - odd) + " " + rare + " " + (n - rare));
    }

    static int twice(int n) {
        return n > 5 ? 2 * n : n;
    }
}
