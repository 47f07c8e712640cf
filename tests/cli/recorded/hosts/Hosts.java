/** A callback of the main thread and one of another. */
public final class Hosts implements Runnable {
    static int sum;

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            if ((i & 1) == 0) sum += i;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(new Hosts(), "worker \ud83d\ude00");
        t.start();
        t.join();
        System.out.println(sum);
    }
}
