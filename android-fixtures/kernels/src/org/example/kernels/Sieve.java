package org.example.kernels;

import java.util.Random;

/** Prime numbers. */
final class Sieve implements Kernel {
    @Override
    public long run(Random random, int size) {
        boolean[] composite = new boolean[20000 * size + random.nextInt(100)];
        long sum = 0;
        for (int i = 2; i < composite.length; i++) {
            if (composite[i]) continue;
            sum += i;
            for (long j = (long) i * i; j < composite.length; j += i) composite[(int) j] = true;
        }
        return sum;
    }
}
