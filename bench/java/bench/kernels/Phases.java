package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * The same code over data whose nature changes: a small interpreter runs programs that differ from
 * phase to phase, and a filter meets rising, falling, flat and random numbers in turn. A static
 * model sees the average of the phases.
 */
public final class Phases implements Workload {
    private static final int PHASES = 12;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        Sum sum = new Sum();
        for (int phase = 0; phase < PHASES; phase++) {
            int[] data = series(rng, size, phase % 4);
            sum.add(classify(data));
            sum.add(interpret(program(rng, phase), data));
        }
        return sum.toString();
    }

    private static int[] series(Rng rng, int size, int nature) {
        int[] data = new int[size];
        int value = 0;
        for (int i = 0; i < size; i++) {
            int noise = rng.below(100);
            switch (nature) {
                case 0:
                    value += noise < 95 ? noise : -noise;
                    break;
                case 1:
                    value -= noise < 95 ? noise : -noise;
                    break;
                case 2:
                    if (noise == 0) value++;
                    break;
                default:
                    value = rng.below(10_000) - 5_000;
            }
            data[i] = value;
        }
        return data;
    }

    private static long classify(int[] data) {
        long up = 0;
        long down = 0;
        long turns = 0;
        boolean rising = false;
        for (int i = 1; i < data.length; i++) {
            int step = data[i] - data[i - 1];
            if (step > 0) {
                up += step;
                if (!rising) turns++;
                rising = true;
            } else if (step < 0) {
                down -= step;
                if (rising) turns++;
                rising = false;
            }
            if ((data[i] & 1) == 0) up++;
        }
        return up * 31 + down * 17 + turns;
    }

    /** A straight program of a few kinds of instructions, one kind preferred in each phase. */
    private static int[] program(Rng rng, int phase) {
        int[] code = new int[24];
        for (int i = 0; i < code.length; i++)
            code[i] = rng.below(10) < 7 ? phase % 6 : rng.below(6);
        return code;
    }

    private static long interpret(int[] code, int[] data) {
        long a = 1;
        long b = 0;
        int pc = 0;
        for (int i = 0; i < data.length; i++) {
            switch (code[pc]) {
                case 0:
                    a += data[i];
                    break;
                case 1:
                    b ^= a << 3;
                    break;
                case 2:
                    if (data[i] > 0) a -= b;
                    else b -= a;
                    break;
                case 3:
                    a = a * 5 + 1;
                    break;
                case 4:
                    if ((a & 7) == 0) b++;
                    break;
                default:
                    long t = a;
                    a = b;
                    b = t;
            }
            if (++pc == code.length) pc = 0;
        }
        return a ^ b;
    }
}
