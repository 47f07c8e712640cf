package bench.kernels;

import java.util.ArrayList;
import java.util.List;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** Prices a barrier option by simulated paths of a share, one task object per path. */
public final class MonteCarlo implements Workload {
    private static final int DAYS = 200;

    /** What a path came to. */
    private static final class Outcome {
        final double last;
        final double highest;
        final boolean out;

        Outcome(double last, double highest, boolean out) {
            this.last = last;
            this.highest = highest;
            this.out = out;
        }
    }

    /** Gaussian numbers by the polar method, two at a time. */
    private static final class Gauss {
        private final Rng rng;
        private double spare;
        private boolean has;

        Gauss(long seed) {
            rng = new Rng(seed);
        }

        double next() {
            if (has) {
                has = false;
                return spare;
            }
            double u;
            double v;
            double s;
            do {
                u = 2 * rng.unit() - 1;
                v = 2 * rng.unit() - 1;
                s = u * u + v * v;
            } while (s >= 1 || s == 0);
            double factor = Math.sqrt(-2 * Math.log(s) / s);
            spare = v * factor;
            has = true;
            return u * factor;
        }
    }

    /** One path. */
    private static final class Task {
        private final long seed;
        private final double barrier;

        Task(long seed, double barrier) {
            this.seed = seed;
            this.barrier = barrier;
        }

        Outcome walk() {
            Gauss gauss = new Gauss(seed);
            double price = 100;
            double highest = price;
            for (int day = 0; day < DAYS; day++) {
                price *= 1 + 0.0002 + 0.012 * gauss.next();
                if (price > highest) highest = price;
                if (price < barrier) return new Outcome(price, highest, true);
            }
            return new Outcome(price, highest, false);
        }
    }

    @Override
    public String run(int size, long seed) {
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < size; i++) tasks.add(new Task(seed * 1_000_003 + i, 75));
        List<Outcome> outcomes = new ArrayList<>();
        for (Task t : tasks) outcomes.add(t.walk());
        double value = 0;
        int knocked = 0;
        double peak = 0;
        for (Outcome o : outcomes) {
            if (o.out) knocked++;
            else if (o.last > 105) value += o.last - 105;
            if (o.highest > peak) peak = o.highest;
        }
        Sum sum = new Sum();
        sum.add(value / size);
        sum.add((long) knocked);
        sum.add(peak);
        return sum.toString();
    }
}
