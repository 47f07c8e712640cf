package truthtrace;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.util.ArrayList;

/**
 * Receives one number per traced place and keeps it, in order, per thread. Nothing is written before the process ends: a shutdown hook
 * writes every thread's numbers to the file that the system property truth.out names.
 *
 * <p>T.smali beside this file is this source after D8 and baksmali (see ../../README.md), so that no Java compiler is needed.
 */
public final class T {
    private static final ArrayList<Log> LOGS = new ArrayList<>();
    private static final ThreadLocal<Log> MINE = new ThreadLocal<>();

    private T() {}

    /** The numbers of one thread. */
    static final class Log {
        final int number;
        final String name;
        int[] ids = new int[1024];
        volatile int count;

        Log(int number, String name) {
            this.number = number;
            this.name = name;
        }
    }

    /** Writes all logs when the process ends, after they have stopped growing. */
    static final class Writer extends Thread {
        Writer() {
            super("truth-writer");
        }

        private static long total() {
            synchronized (LOGS) {
                long n = 0;
                for (int i = 0; i < LOGS.size(); i++) n += LOGS.get(i).count;
                return n;
            }
        }

        @Override
        public void run() {
            try {
                long before = -1;
                for (int i = 0; i < 25; i++) {
                    long now = total();
                    if (now == before) break;
                    before = now;
                    Thread.sleep(8);
                }
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(System.getProperty("truth.out", "truth.bin")), 65536));
                synchronized (LOGS) {
                    for (int i = 0; i < LOGS.size(); i++) {
                        Log log = LOGS.get(i);
                        int n = log.count;
                        int[] ids = log.ids;
                        out.writeInt(log.number);
                        out.writeUTF(log.name);
                        out.writeInt(n);
                        byte[] raw = new byte[4 * n];
                        for (int k = 0, at = 0; k < n; k++) {
                            int v = ids[k];
                            raw[at++] = (byte) (v >> 24);
                            raw[at++] = (byte) (v >> 16);
                            raw[at++] = (byte) (v >> 8);
                            raw[at++] = (byte) v;
                        }
                        out.write(raw);
                    }
                }
                out.close();
            } catch (Exception e) {
                System.err.println("truth: trace lost: " + e);
            }
        }
    }

    static {
        Runtime.getRuntime().addShutdownHook(new Writer());
    }

    private static Log start() {
        Log log;
        synchronized (LOGS) {
            log = new Log(LOGS.size() + 1, Thread.currentThread().getName());
            LOGS.add(log);
        }
        MINE.set(log);
        return log;
    }

    private static int[] grow(Log log) {
        int[] more = new int[log.ids.length * 2];
        System.arraycopy(log.ids, 0, more, 0, log.ids.length);
        log.ids = more;
        return more;
    }

    /** Place number id is about to run (or, for a move-result or move-exception, has just run). */
    public static void p(int id) {
        Log log = MINE.get();
        if (log == null) log = start();
        int n = log.count;
        int[] ids = log.ids;
        if (n == ids.length) ids = grow(log);
        ids[n] = id;
        log.count = n + 1;
    }
}
