package org.example.kernels;

import java.util.Random;

/** Counts the ways to put queens on a board, by recursion. */
final class Queens implements Kernel {
    private int n;
    private long found;

    @Override
    public long run(Random random, int size) {
        n = 6 + Math.min(size, 6);
        found = 0;
        place(0, 0, 0, 0);
        return found * 1000 + random.nextInt(1000);
    }

    private void place(int row, int columns, int left, int right) {
        if (row == n) {
            found++;
            return;
        }
        for (int c = 0; c < n; c++) {
            int bit = 1 << c;
            if ((columns & bit) != 0 || (left >> c & 1) != 0 || (right >> c & 1) != 0) continue;
            place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }
}
