package org.example.tether;

import android.app.Service;
import android.content.Intent;
import android.os.Binder;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.IBinder;
import android.os.Looper;

/** Keeps the network running while nobody looks. */
public class TetherService extends Service {
    /** What clients in this process get. */
    public class Local extends Binder {
        int uptime() { return commands; }
        TetherService service() { return TetherService.this; }
    }

    private HandlerThread thread;
    private Handler worker;
    private int commands;
    private Thread watchdog;
    private volatile boolean watching;
    private final Object lock = new Object();
    private int checks;

    @Override
    public void onCreate() {
        thread = new HandlerThread("tether-worker");
        thread.start();
        worker = new Handler(thread.getLooper());
        watching = true;
        watchdog = new Thread("watchdog") {
            @Override
            public void run() { watch(); }
        };
        watchdog.start();
        Screen.show("service created");
    }

    /** Waits to be asked; each question is one check. */
    private void watch() {
        synchronized (lock) {
            while (watching) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    return;
                }
                if (watching) checks += checks % 3 == 0 ? 2 : 1;
                lock.notifyAll();
            }
        }
    }

    @Override
    public int onStartCommand(Intent i, int flags, int id) {
        commands++;
        final int n = i.getIntExtra("n", 0), arg = i.getIntExtra("arg", 0);
        worker.post(() -> {
            final long r = work(n, arg);
            new Handler(Looper.getMainLooper())
                    .post(() -> Screen.show("work %d,%d = %d", n, arg, r));
        });
        if (n == 7) stopSelf();
        return n % 2 == 0 ? START_STICKY : START_NOT_STICKY;
    }

    private static long work(int n, int arg) {
        long sum = 0;
        for (int i = 1; i <= 20 + arg; i++) {
            switch (n % 5) {
                case 0: sum += i; break;
                case 1: sum ^= (long) i << n; break;
                case 2: sum = sum % 2 == 0 ? sum + 3 * i : sum / 2; break;
                case 3:
                    try {
                        sum += 1000 / (i % 4);
                    } catch (ArithmeticException e) {
                        sum--;
                    }
                    break;
                default: sum += gcd(i, arg + 1);
            }
        }
        return sum;
    }

    private static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

    @Override
    public IBinder onBind(Intent i) { return new Local(); }

    @Override
    public boolean onUnbind(Intent i) {
        Screen.show("unbound");
        return super.onUnbind(i);
    }

    @Override
    public void onDestroy() {
        thread.quitSafely();
        watching = false;
        synchronized (lock) {
            lock.notifyAll();
        }
        try {
            watchdog.join();
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Screen.show("service destroyed after %d commands", commands);
    }
}
