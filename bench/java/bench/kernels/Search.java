package bench.kernels;

import java.util.Arrays;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * Four in a row on 7 × 6 by alpha-beta with a table of known positions, from random openings; size
 * is the depth.
 */
public final class Search implements Workload {
    private static final int WIDTH = 7;
    private static final int HEIGHT = 6;
    /** One spare bit on top of each column. */
    private static final int STRIDE = HEIGHT + 1;
    private static final int TABLE = 1 << 14;
    private static final int OPENINGS = 64;
    private static final int[] ORDER = {3, 2, 4, 1, 5, 0, 6};

    private final long[] keys = new long[TABLE];
    private final byte[] scores = new byte[TABLE];
    private final long[] stones = new long[2];
    private final int[] filled = new int[WIDTH];
    private long nodes;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        Sum sum = new Sum();
        nodes = 0;
        for (int i = 0; i < OPENINGS; i++) {
            Arrays.fill(keys, 0);
            Arrays.fill(filled, 0);
            stones[0] = stones[1] = 0;
            sum.add((long) best(open(rng), size, -100, 100));
        }
        sum.add(nodes);
        return sum.toString();
    }

    /** Six stones that win nothing, nor let the next one win. */
    private int open(Rng rng) {
        int ply = 0;
        for (int tries = 1; ply < 6; tries++) {
            if (tries % 64 == 0) {
                // No stone fits here: from the beginning.
                Arrays.fill(filled, 0);
                stones[0] = stones[1] = 0;
                ply = 0;
            }
            int side = ply & 1;
            int column = rng.below(WIDTH);
            put(column, side);
            if (wins(stones[side]) || threat(side ^ 1)) take(column, side);
            else ply++;
        }
        return ply;
    }

    private boolean threat(int side) {
        for (int column = 0; column < WIDTH; column++) {
            if (filled[column] < HEIGHT) {
                put(column, side);
                boolean won = wins(stones[side]);
                take(column, side);
                if (won) return true;
            }
        }
        return false;
    }

    private void put(int column, int side) {
        stones[side] |= 1L << column * STRIDE + filled[column]++;
    }

    private void take(int column, int side) {
        stones[side] &= ~(1L << column * STRIDE + --filled[column]);
    }

    private static boolean wins(long s) {
        return lined(s, 1) || lined(s, STRIDE) || lined(s, STRIDE - 1) || lined(s, STRIDE + 1);
    }

    private static boolean lined(long s, int step) {
        long pairs = s & s >> step;
        return (pairs & pairs >> 2 * step) != 0;
    }

    /** How good the position is for the side to move. */
    private int best(int ply, int depth, int alpha, int beta) {
        nodes++;
        int side = ply & 1;
        if (ply == WIDTH * HEIGHT) return 0;
        if (depth == 0)
            return Long.bitCount(stones[side] & CENTRE) - Long.bitCount(stones[side ^ 1] & CENTRE);
        long key = (stones[0] * 0x9E3779B97F4A7C15L ^ stones[1] * 0xC2B2AE3D27D4EB4FL) + depth;
        int slot = (int) (key >>> 40) & TABLE - 1;
        if (keys[slot] == key) return scores[slot];
        if (threat(side)) return 50 + depth;
        int top = -100;
        boolean exact = true;
        for (int column : ORDER) {
            if (filled[column] == HEIGHT) continue;
            put(column, side);
            int score = -best(ply + 1, depth - 1, -beta, -alpha);
            take(column, side);
            if (score > top) top = score;
            if (top > alpha) alpha = top;
            if (alpha >= beta) {
                exact = false;
                break;
            }
        }
        if (exact) {
            keys[slot] = key;
            scores[slot] = (byte) top;
        }
        return top;
    }

    private static final long CENTRE = 0x3FL << 3 * STRIDE;
}
