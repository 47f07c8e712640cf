package bench;

/** Xorshift numbers, the same on every VM. */
public final class Rng {
    private long state;

    public Rng(long seed) {
        state = seed * 0x9E3779B97F4A7C15L + 0x1234567;
        if (state == 0) state = 1;
        for (int i = 0; i < 8; i++) next();
    }

    /** 64 bits. */
    public long next() {
        long x = state;
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        state = x;
        return x * 0x2545F4914F6CDD1DL;
    }

    /** 0 … bound − 1. */
    public int below(int bound) {
        return (int) ((next() >>> 33) * bound >>> 31);
    }

    /** 0 … 1. */
    public double unit() {
        return (next() >>> 11) * (1.0 / (1L << 53));
    }
}
