package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** Multiplies a sparse matrix in compressed rows with a vector, again and again. */
public final class Sparse implements Workload {
    private static final int ROUNDS = 20;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        int[] start = new int[size + 1];
        for (int row = 0; row < size; row++) start[row + 1] = start[row] + 1 + rng.below(9);
        int[] column = new int[start[size]];
        double[] value = new double[column.length];
        for (int i = 0; i < column.length; i++) {
            column[i] = rng.below(size);
            value[i] = rng.unit() / 5;
        }
        double[] x = new double[size];
        double[] y = new double[size];
        for (int i = 0; i < size; i++) x[i] = rng.unit();
        for (int round = 0; round < ROUNDS; round++) {
            for (int row = 0; row < size; row++) {
                double dot = 0;
                int end = start[row + 1];
                for (int i = start[row]; i < end; i++) dot += value[i] * x[column[i]];
                y[row] = dot;
            }
            double[] swap = x;
            x = y;
            y = swap;
        }
        double total = 0;
        for (double v : x) total += v;
        Sum sum = new Sum();
        sum.add(total);
        return sum.toString();
    }
}
