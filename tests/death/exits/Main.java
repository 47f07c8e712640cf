/** Forty calls, each with a decision, then the end of the process in the way that is asked for. */
public final class Main {
    static int sum;

    static void step(int i) {
        if ((i & 1) == 0) {
            sum += i;
        } else {
            sum -= 1;
        }
    }

    static void quit(String how) {
        if (how.equals("halt")) {
            Runtime.getRuntime().halt(3);
        }
        if (how.equals("runtime")) {
            Runtime.getRuntime().exit(3);
        }
        System.exit(3);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 40; i++) {
            step(i);
        }
        System.out.println(sum);
        quit(args[0]);
    }
}
