package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** First Fourier coefficients of (x + 1)^x on [0, p] by the trapezoid rule; the seed moves p. */
public final class Series implements Workload {
    private static final int STEPS = 400;

    @Override
    public String run(int size, long seed) {
        double period = 2 + 0.001 * new Rng(seed).below(100);
        double[] a = new double[size];
        double[] b = new double[size];
        a[0] = integrate(period, 0, 0) / period;
        for (int n = 1; n < size; n++) {
            double omega = 2 * Math.PI * n / period;
            a[n] = 2 * integrate(period, omega, 1) / period;
            b[n] = 2 * integrate(period, omega, 2) / period;
        }
        Sum sum = new Sum();
        for (int n = 0; n < size; n++) {
            sum.add(a[n]);
            sum.add(b[n]);
        }
        return sum.toString();
    }

    private static double integrate(double end, double omega, int kind) {
        double h = end / STEPS;
        double area = 0.5 * value(0, omega, kind);
        double x = h;
        for (int i = 1; i < STEPS; i++) {
            area += value(x, omega, kind);
            x += h;
        }
        return (area + 0.5 * value(end, omega, kind)) * h;
    }

    private static double value(double x, double omega, int kind) {
        double f = Math.pow(x + 1, x);
        switch (kind) {
            case 1:
                return f * Math.cos(omega * x);
            case 2:
                return f * Math.sin(omega * x);
            default:
                return f;
        }
    }
}
