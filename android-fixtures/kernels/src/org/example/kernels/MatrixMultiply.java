package org.example.kernels;

import java.util.Random;

final class MatrixMultiply implements Kernel {
    @Override
    public long run(Random random, int size) {
        int n = 24 + 8 * size;
        double[][] a = new double[n][n], b = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
            a[i][j] = random.nextInt(100);
            b[i][j] = random.nextInt(100);
        }
        double trace = 0;
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
            if (i == j) trace += s;
        }
        return Double.doubleToLongBits(trace);
    }
}
