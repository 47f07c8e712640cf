package org.example.kernels;

import java.util.Random;

final class HeapSort implements Kernel {
    @Override
    public long run(Random random, int size) {
        int[] a = new int[2000 * size];
        for (int i = 0; i < a.length; i++) a[i] = random.nextInt();
        for (int i = a.length / 2; i >= 0; i--) sift(a, i, a.length);
        for (int end = a.length - 1; end > 0; end--) {
            int t = a[0];
            a[0] = a[end];
            a[end] = t;
            sift(a, 0, end);
        }
        long sum = 0;
        for (int i = 1; i < a.length; i++) {
            if (a[i - 1] > a[i]) throw new IllegalStateException("not sorted at " + i);
            sum = sum * 31 + a[i];
        }
        return sum;
    }

    private static void sift(int[] a, int root, int end) {
        while (true) {
            int child = 2 * root + 1;
            if (child >= end) return;
            if (child + 1 < end && a[child] < a[child + 1]) child++;
            if (a[root] >= a[child]) return;
            int t = a[root];
            a[root] = a[child];
            a[child] = t;
            root = child;
        }
    }
}
