    public static long multiplyHigh(long x, long y) {
        long x1 = x >> 32;
        long x2 = x & 0xFFFFFFFFL;
        long y1 = y >> 32;
        long y2 = y & 0xFFFFFFFFL;
        long low = x2 * y2;
        long t = x1 * y2 + (low >>> 32);
        long middle = (t & 0xFFFFFFFFL) + x2 * y1;
        return x1 * y1 + (t >> 32) + (middle >> 32);
    }

    public static double fma(double a, double b, double c) {
        boolean special = Double.isNaN(a) || Double.isNaN(b) || Double.isNaN(c)
                || Double.isInfinite(a) || Double.isInfinite(b) || Double.isInfinite(c);
        if (special || a == 0.0 || b == 0.0) return a * b + c;
        java.math.BigDecimal p = new java.math.BigDecimal(a).multiply(new java.math.BigDecimal(b));
        return (c == 0.0 ? p : p.add(new java.math.BigDecimal(c))).doubleValue();
    }

    public static float fma(float a, float b, float c) {
        return (float) (((double) a * (double) b) + (double) c);
    }
