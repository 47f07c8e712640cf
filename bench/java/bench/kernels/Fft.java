package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** Fast Fourier transform of 2^size complex numbers in place, there and back. */
public final class Fft implements Workload {
    @Override
    public String run(int size, long seed) {
        int n = 1 << size;
        Rng rng = new Rng(seed);
        double[] re = new double[n];
        double[] im = new double[n];
        for (int i = 0; i < n; i++) {
            re[i] = rng.unit();
            im[i] = rng.unit();
        }
        double[] before = re.clone();
        transform(re, im, -1);
        Sum sum = new Sum();
        for (int i = 0; i < n; i += n / 16) sum.add(re[i]);
        transform(re, im, 1);
        for (int i = 0; i < n; i++) {
            if (Math.abs(re[i] / n - before[i]) > 1e-9)
                throw new IllegalStateException("differs at " + i);
        }
        return sum.toString();
    }

    private static void transform(double[] re, double[] im, int sign) {
        int n = re.length;
        reverse(re, im);
        for (int half = 1; half < n; half *= 2) {
            double angle = sign * Math.PI / half;
            double stepRe = -2 * Math.sin(angle / 2) * Math.sin(angle / 2);
            double stepIm = Math.sin(angle);
            double wr = 1;
            double wi = 0;
            for (int k = 0; k < half; k++) {
                for (int i = k; i < n; i += 2 * half) {
                    int j = i + half;
                    double tr = wr * re[j] - wi * im[j];
                    double ti = wr * im[j] + wi * re[j];
                    re[j] = re[i] - tr;
                    im[j] = im[i] - ti;
                    re[i] += tr;
                    im[i] += ti;
                }
                double next = wr + wr * stepRe - wi * stepIm;
                wi = wi + wi * stepRe + wr * stepIm;
                wr = next;
            }
        }
    }

    private static void reverse(double[] re, double[] im) {
        int n = re.length;
        int j = 0;
        for (int i = 0; i < n - 1; i++) {
            if (i < j) {
                double t = re[i];
                re[i] = re[j];
                re[j] = t;
                t = im[i];
                im[i] = im[j];
                im[j] = t;
            }
            int bit = n >> 1;
            while (bit <= j) {
                j -= bit;
                bit >>= 1;
            }
            j += bit;
        }
    }
}
