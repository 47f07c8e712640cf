public final class App {
    static int sum;

    static int work(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 1) == 0) s += i;
            else s -= 1;
        }
        sum += s;
        return s;
    }

    static int callee(int n) {
        return n > 2 ? work(n) : -1;
    }
}
