package libcore.util;
/**
 * IEEE half floats: only what the intrinsics tables of ART 11 and 14 name (libcore 10 has no such
 * class).
 */
public final class FP16 {
  private FP16() {}
  public static float toFloat(short h) {
    int b = h & 0xffff, s = b >>> 15, e = (b >>> 10) & 31, m = b & 0x3ff;
    float f = e == 31 ? (m != 0 ? Float.NaN : Float.POSITIVE_INFINITY) : e == 0 ? m * 5.9604645E-8f
        : Float.intBitsToFloat((e + 112) << 23 | m << 13);
    return s != 0 ? -f : f;
  }
  public static short toHalf(float f) {
    int b = Float.floatToRawIntBits(f), s = (b >>> 16) & 0x8000, e = (b >>> 23) & 255, m =
        b & 0x7fffff;
    if (e == 255) return (short) (s | 0x7c00 | (m != 0 ? 0x200 : 0));
    e -= 112;
    if (e >= 31) return (short) (s | 0x7c00);
    if (e <= 0) {
      if (e < -10) return (short) s;
      m |= 0x800000;
      int sh = 14 - e, r = m >> sh, rem = m & ((1 << sh) - 1), half = 1 << (sh - 1);
      if (rem > half || (rem == half && (r & 1) != 0)) r++;
      return (short) (s | r);
    }
    int r = e << 10 | m >> 13, rem = m & 0x1fff;
    if (rem > 0x1000 || (rem == 0x1000 && (r & 1) != 0)) r++;
    return (short) (s | r);
  }
  public static short floor(short h) { return toHalf((float) Math.floor(toFloat(h))); }
  public static short ceil(short h) { return toHalf((float) Math.ceil(toFloat(h))); }
  public static short rint(short h) { return toHalf((float) Math.rint(toFloat(h))); }
  public static boolean less(short x, short y) { return toFloat(x) < toFloat(y); }
  public static boolean lessEquals(short x, short y) { return toFloat(x) <= toFloat(y); }
  public static boolean greater(short x, short y) { return toFloat(x) > toFloat(y); }
  public static boolean greaterEquals(short x, short y) { return toFloat(x) >= toFloat(y); }
  // These three are in ART 14's table only.
  public static int compare(short x, short y) { return Float.compare(toFloat(x), toFloat(y)); }
  public static short min(short x, short y) { return toHalf(Math.min(toFloat(x), toFloat(y))); }
  public static short max(short x, short y) { return toHalf(Math.max(toFloat(x), toFloat(y))); }
}
