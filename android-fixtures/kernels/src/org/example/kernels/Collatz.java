package org.example.kernels;

import java.util.Random;

/** The tightest loop there is. */
final class Collatz implements Kernel {
    @Override
    public long run(Random random, int size) {
        long steps = 0;
        int from = 1 + random.nextInt(100);
        for (int i = from; i < from + 500 * size; i++) {
            long x = i;
            while (x != 1) {
                if ((x & 1) == 0) x >>= 1;
                else x = 3 * x + 1;
                steps++;
            }
        }
        return steps;
    }
}
