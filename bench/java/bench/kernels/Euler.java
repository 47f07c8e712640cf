package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * Flow of an ideal gas in a closed box with a bump of pressure: two-dimensional Euler equations,
 * finite volumes, limited slopes.
 */
public final class Euler implements Workload {
    private static final double GAMMA = 1.4;
    private static final int STEPS = 8;

    /** Density, two momenta, energy. */
    private double[][][] u;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        u = new double[4][size][size];
        int cx = size / 4 + rng.below(size / 2);
        int cy = size / 4 + rng.below(size / 2);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                boolean inside = (i - cx) * (i - cx) + (j - cy) * (j - cy) < size * size / 36;
                u[0][i][j] = inside ? 2 : 1 + 0.01 * rng.unit();
                u[3][i][j] = (inside ? 3 : 1) / (GAMMA - 1);
            }
        }
        double time = 0;
        for (int step = 0; step < STEPS; step++) {
            double dt = 0.3 / fastest(size);
            sweep(size, dt, true);
            sweep(size, dt, false);
            time += dt;
        }
        Sum sum = new Sum();
        sum.add(time);
        double mass = 0;
        for (double[] row : u[0]) {
            for (double v : row) mass += v;
        }
        sum.add(mass);
        sum.add(u[3][size / 2][size / 2]);
        u = null;
        return sum.toString();
    }

    private double pressure(int i, int j) {
        double rho = u[0][i][j];
        return (GAMMA - 1) * (u[3][i][j]
                              - 0.5 * (u[1][i][j] * u[1][i][j] + u[2][i][j] * u[2][i][j]) / rho);
    }

    private double fastest(int size) {
        double best = 0;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double p = pressure(i, j);
                if (p < 0) throw new IllegalStateException("negative pressure");
                double speed = Math.max(Math.abs(u[1][i][j]), Math.abs(u[2][i][j])) / u[0][i][j]
                        + Math.sqrt(GAMMA * p / u[0][i][j]);
                if (speed > best) best = speed;
            }
        }
        return best;
    }

    /** One dimension: every row (or column) is a tube with walls at its ends. */
    private void sweep(int size, double dt, boolean alongI) {
        double[][] line = new double[4][size + 4];
        double[][] flux = new double[size + 1][4];
        double[] left = new double[4];
        double[] right = new double[4];
        for (int other = 0; other < size; other++) {
            load(line, size, other, alongI);
            for (int k = 0; k <= size; k++) {
                for (int q = 0; q < 4; q++) {
                    double[] w = line[q];
                    left[q] = w[k + 1] + 0.5 * limit(w[k + 1] - w[k], w[k + 2] - w[k + 1]);
                    right[q] = w[k + 2] - 0.5 * limit(w[k + 2] - w[k + 1], w[k + 3] - w[k + 2]);
                }
                rusanov(left, right, flux[k]);
            }
            for (int k = 0; k < size; k++) {
                for (int q = 0; q < 4; q++) line[q][k + 2] -= dt * (flux[k + 1][q] - flux[k][q]);
            }
            store(line, size, other, alongI);
        }
    }

    /**
     * Brings a line into the form (density, momentum along, momentum across, energy), with two
     * mirrored cells at each end.
     */
    private void load(double[][] line, int size, int other, boolean alongI) {
        for (int q = 0; q < 4; q++) {
            int from = alongI || q == 0 || q == 3 ? q : 3 - q;
            double[] w = line[q];
            for (int k = 0; k < size; k++)
                w[k + 2] = alongI ? u[from][k][other] : u[from][other][k];
            double sign = q == 1 ? -1 : 1;
            w[1] = sign * w[2];
            w[0] = sign * w[3];
            w[size + 2] = sign * w[size + 1];
            w[size + 3] = sign * w[size];
        }
    }

    private void store(double[][] line, int size, int other, boolean alongI) {
        for (int q = 0; q < 4; q++) {
            int to = alongI || q == 0 || q == 3 ? q : 3 - q;
            for (int k = 0; k < size; k++) {
                if (alongI) u[to][k][other] = line[q][k + 2];
                else u[to][other][k] = line[q][k + 2];
            }
        }
    }

    private static double limit(double a, double b) {
        if (a * b <= 0) return 0;
        return Math.abs(a) < Math.abs(b) ? a : b;
    }

    private static void rusanov(double[] l, double[] r, double[] out) {
        double ul = l[1] / l[0];
        double ur = r[1] / r[0];
        double pl = (GAMMA - 1) * (l[3] - 0.5 * (l[1] * l[1] + l[2] * l[2]) / l[0]);
        double pr = (GAMMA - 1) * (r[3] - 0.5 * (r[1] * r[1] + r[2] * r[2]) / r[0]);
        double s = Math.max(Math.abs(ul) + Math.sqrt(GAMMA * pl / l[0]),
                            Math.abs(ur) + Math.sqrt(GAMMA * pr / r[0]));
        out[0] = 0.5 * (l[1] + r[1] - s * (r[0] - l[0]));
        out[1] = 0.5 * (l[1] * ul + pl + r[1] * ur + pr - s * (r[1] - l[1]));
        out[2] = 0.5 * (l[2] * ul + r[2] * ur - s * (r[2] - l[2]));
        out[3] = 0.5 * ((l[3] + pl) * ul + (r[3] + pr) * ur - s * (r[3] - l[3]));
    }
}
