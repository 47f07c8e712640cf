package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** Successive over-relaxation on a square grid. */
public final class Sor implements Workload {
    private static final int SWEEPS = 20;
    private static final double OMEGA = 1.25;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        double[][] grid = new double[size][size];
        for (double[] row : grid) {
            for (int j = 0; j < size; j++) row[j] = rng.unit() * 1e-6;
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 1; i < size - 1; i++) relax(grid[i - 1], grid[i], grid[i + 1]);
        }
        double total = 0;
        for (double[] row : grid) {
            for (double v : row) total += v;
        }
        Sum sum = new Sum();
        sum.add(total);
        return sum.toString();
    }

    private static void relax(double[] above, double[] row, double[] below) {
        for (int j = 1; j < row.length - 1; j++) {
            row[j] = OMEGA * 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1])
                    + (1 - OMEGA) * row[j];
        }
    }
}
