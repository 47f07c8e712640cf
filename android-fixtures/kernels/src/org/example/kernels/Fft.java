package org.example.kernels;

import java.util.Random;

/** A number-theoretic transform modulo 998244353: exact, so that every VM agrees. */
final class Fft implements Kernel {
    private static final long P = 998244353, ROOT = 3;

    @Override
    public long run(Random random, int size) {
        int n = 256;
        while (n < 256 * size) n *= 2;
        long[] a = new long[n];
        for (int i = 0; i < n; i++) a[i] = random.nextInt(1000);
        long before = a[n / 3];
        transform(a, false);
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum = sum * 17 + a[i];
            a[i] = a[i] * a[i] % P;
        }
        transform(a, true);
        for (long x : a) sum ^= x << (x & 15);
        return sum + before;
    }

    private static long power(long x, long e) {
        long r = 1;
        for (x %= P; e > 0; e >>= 1) {
            if ((e & 1) != 0) r = r * x % P;
            x = x * x % P;
        }
        return r;
    }

    private static void transform(long[] a, boolean inverse) {
        int n = a.length;
        for (int i = 1, j = 0; i < n; i++) {
            int bit = n >> 1;
            for (; (j & bit) != 0; bit >>= 1) j ^= bit;
            j ^= bit;
            if (i < j) {
                long t = a[i];
                a[i] = a[j];
                a[j] = t;
            }
        }
        for (int len = 2; len <= n; len <<= 1) {
            long step = power(ROOT, (P - 1) / len);
            if (inverse) step = power(step, P - 2);
            for (int i = 0; i < n; i += len) {
                long w = 1;
                for (int k = 0; k < len / 2; k++) {
                    long u = a[i + k], v = a[i + k + len / 2] * w % P;
                    a[i + k] = u + v < P ? u + v : u + v - P;
                    a[i + k + len / 2] = u >= v ? u - v : u - v + P;
                    w = w * step % P;
                }
            }
        }
        if (inverse) {
            long r = power(n, P - 2);
            for (int i = 0; i < n; i++) a[i] = a[i] * r % P;
        }
    }
}
