/**
 * Two threads, each of which is one callback that never ends: the loop is in its first method, or
 * in one that this calls. Each runs a number of rounds, with decisions as random as a generator
 * makes them, an inner loop that calls, and now and then an exception; then it waits for ever.
 */
public final class Main extends Thread {
    private final boolean deep;
    private final int rounds;
    private int state = 12345;
    int sum;

    private Main(boolean deep, int rounds) {
        super(deep ? "deep" : "flat");
        this.deep = deep;
        this.rounds = rounds;
    }

    private int random() {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return state;
    }

    private void step(int n) {
        switch (n & 15) {
            case 0: sum += 3; break;
            case 1: sum ^= 5; break;
            case 2: sum -= 7; break;
            case 3: sum *= 3; break;
            case 4: sum += 11; break;
            case 5: sum ^= 13; break;
            case 6: sum -= 17; break;
            case 7: sum *= 5; break;
            case 8: sum += 19; break;
            case 9: sum ^= 23; break;
            case 10: sum -= 29; break;
            case 11: sum *= 7; break;
            case 12: sum += 31; break;
            case 13: sum ^= 37; break;
            case 14: sum -= 41; break;
            default: sum *= 9;
        }
    }

    private void round() {
        int n = random();
        for (int i = 0; i < 8; i++) {
            step(n);
            n >>>= 4;
        }
        if ((state & 63) == 1) {
            throw new IllegalStateException();
        }
    }

    private void work() {
        for (int i = 0; ; i++) {
            if (i == rounds) {
                done();
            }
            try {
                round();
            } catch (IllegalStateException e) {
                sum++;
            }
        }
    }

    private void done() {
        System.out.println(getName());
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            sum++;
        }
    }

    @Override
    public void run() {
        if (deep) {
            work();
            return;
        }
        for (int i = 0; ; i++) {
            if (i == rounds) {
                done();
            }
            try {
                round();
            } catch (IllegalStateException e) {
                sum++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Main(args[0].equals("deep"), Integer.parseInt(args[1]));
        t.start();
        t.join();
    }
}
