package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * Solves a dense linear system by LU factorisation with partial pivoting, and checks the residual.
 */
public final class LuFact implements Workload {
    @Override
    public String run(int size, long seed) {
        double[][] a = matrix(size, seed);
        double[] b = new double[size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) b[i] += a[i][j];
        }
        int[] pivots = new int[size];
        factor(a, pivots);
        double[] x = b.clone();
        solve(a, pivots, x);
        double[][] original = matrix(size, seed);
        double worst = 0;
        for (int i = 0; i < size; i++) {
            double residual = -b[i];
            for (int j = 0; j < size; j++) residual += original[i][j] * x[j];
            worst = Math.max(worst, Math.abs(residual));
        }
        if (!(worst < 1e-6 * size)) throw new IllegalStateException("residual " + worst);
        Sum sum = new Sum();
        for (int i = 0; i < size; i++) sum.add((long) Math.rint(x[i] * 1e3));
        for (int p : pivots) sum.add((long) p);
        return sum.toString();
    }

    private static double[][] matrix(int size, long seed) {
        Rng rng = new Rng(seed);
        double[][] a = new double[size][size];
        for (double[] row : a) {
            for (int j = 0; j < size; j++) row[j] = rng.unit() - 0.5;
        }
        return a;
    }

    private static void factor(double[][] a, int[] pivots) {
        int n = a.length;
        for (int k = 0; k < n; k++) {
            int best = k;
            for (int i = k + 1; i < n; i++) {
                if (Math.abs(a[i][k]) > Math.abs(a[best][k])) best = i;
            }
            pivots[k] = best;
            if (a[best][k] == 0) throw new IllegalStateException("singular");
            if (best != k) {
                double[] row = a[best];
                a[best] = a[k];
                a[k] = row;
            }
            double[] top = a[k];
            for (int i = k + 1; i < n; i++) {
                double[] row = a[i];
                double factor = row[k] / top[k];
                row[k] = factor;
                if (factor != 0) subtract(row, top, factor, k + 1);
            }
        }
    }

    /** row -= factor * top, from a column on. */
    private static void subtract(double[] row, double[] top, double factor, int from) {
        for (int j = from; j < row.length; j++) row[j] -= factor * top[j];
    }

    private static void solve(double[][] a, int[] pivots, double[] x) {
        int n = a.length;
        for (int k = 0; k < n; k++) {
            int p = pivots[k];
            double t = x[p];
            if (p != k) {
                x[p] = x[k];
                x[k] = t;
            }
        }
        for (int i = 1; i < n; i++) {
            double t = x[i];
            for (int j = 0; j < i; j++) t -= a[i][j] * x[j];
            x[i] = t;
        }
        for (int i = n - 1; i >= 0; i--) {
            double t = x[i];
            for (int j = i + 1; j < n; j++) t -= a[i][j] * x[j];
            x[i] = t / a[i][i];
        }
    }
}
