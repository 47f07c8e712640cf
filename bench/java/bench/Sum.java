package bench;

/** A hash that grows with what is put in: the result of a workload. */
public final class Sum {
    private long value = 17;

    public void add(long x) {
        value = value * 0x100000001B3L + x;
    }

    /** To about four digits: VMs may differ in the last bits of sines and powers. */
    public void add(double x) {
        if (x == 0 || Double.isNaN(x) || Double.isInfinite(x)) {
            add(Double.doubleToLongBits(x));
            return;
        }
        add((long) Math.floor(Math.log10(Math.abs(x)) * 1e4));
        add(x < 0 ? 1L : 0L);
    }

    public void add(String s) {
        add((long) s.hashCode());
        add((long) s.length());
    }

    @Override
    public String toString() {
        return Long.toHexString(value);
    }
}
