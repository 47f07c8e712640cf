package com.android.org.conscrypt;
import java.security.*;
/**
 * Small stand-in for Conscrypt (absent here): SecureRandom from /dev/urandom, MD5, SHA-1, SHA-2.
 */
public final class OpenSSLProvider extends Provider {
  public OpenSSLProvider() {
    super("AndroidOpenSSL", 1.0, "host stand-in");
    String p = OpenSSLProvider.class.getName() + "$";
    put("SecureRandom.SHA1PRNG", p + "Rnd");
    put("SecureRandom.SHA1PRNG ImplementedIn", "Software");
    put("MessageDigest.MD5", p + "Md5");
    put("MessageDigest.SHA-1", p + "Sha1");
    put("Alg.Alias.MessageDigest.SHA1", "SHA-1");
    put("Alg.Alias.MessageDigest.SHA", "SHA-1");
    put("MessageDigest.SHA-224", p + "Sha224");
    put("MessageDigest.SHA-256", p + "Sha256");
    put("MessageDigest.SHA-384", p + "Sha384");
    put("MessageDigest.SHA-512", p + "Sha512");
  }
  public static final class Rnd extends SecureRandomSpi {
    protected void engineSetSeed(byte[] b) {}
    protected void engineNextBytes(byte[] b) {
      try (java.io.FileInputStream f = new java.io.FileInputStream("/dev/urandom")) {
        int o = 0;
        while (o < b.length) {
          int n = f.read(b, o, b.length - o);
          if (n <= 0) throw new java.io.IOException("eof");
          o += n;
        }
      } catch (java.io.IOException e) {
        throw new SecurityException(e);
      }
    }
    protected byte[] engineGenerateSeed(int n) {
      byte[] b = new byte[n];
      engineNextBytes(b);
      return b;
    }
  }
  abstract static class Md extends MessageDigestSpi implements Cloneable {
    final int block, len;
    byte[] buf;
    int fill;
    long count;
    Md(int block, int len) {
      this.block = block;
      this.len = len;
      buf = new byte[block];
      engineReset();
    }
    abstract void init();
    abstract void proc(byte[] b, int o);
    abstract void out(byte[] d);
    abstract boolean little();
    protected int engineGetDigestLength() { return len; }
    protected void engineReset() {
      fill = 0;
      count = 0;
      init();
    }
    protected void engineUpdate(byte x) {
      buf[fill++] = x;
      count++;
      if (fill == block) {
        proc(buf, 0);
        fill = 0;
      }
    }
    protected void engineUpdate(byte[] b, int o, int n) {
      count += n;
      if (fill > 0) {
        int k = Math.min(n, block - fill);
        System.arraycopy(b, o, buf, fill, k);
        fill += k;
        o += k;
        n -= k;
        if (fill == block) {
          proc(buf, 0);
          fill = 0;
        }
      }
      while (n >= block) {
        proc(b, o);
        o += block;
        n -= block;
      }
      if (n > 0) {
        System.arraycopy(b, o, buf, fill, n);
        fill += n;
      }
    }
    protected byte[] engineDigest() {
      long bits = count * 8;
      int lb = block == 128 ? 16 : 8;
      engineUpdate((byte) 0x80);
      while (fill != block - lb) engineUpdate((byte) 0);
      byte[] l = new byte[lb];
      for (int i = 0; i < 8; i++) l[little() ? i : lb - 1 - i] = (byte) (bits >>> (8 * i));
      engineUpdate(l, 0, lb);
      byte[] d = new byte[len];
      out(d);
      engineReset();
      return d;
    }
    public Object clone() throws CloneNotSupportedException {
      Md m = (Md) super.clone();
      m.buf = buf.clone();
      m.copy();
      return m;
    }
    abstract void copy();
  }
  abstract static class W32 extends Md {
    int[] h;
    W32(int len) { super(64, len); }
    void copy() { h = h.clone(); }
    void out(byte[] d) {
      for (int i = 0; i < d.length; i++)
        d[i] = (byte) (h[i >> 2] >>> (little() ? 8 * (i & 3) : 24 - 8 * (i & 3)));
    }
    int word(byte[] b, int o) {
      return little()
          ? (b[o] & 255) | (b[o + 1] & 255) << 8 | (b[o + 2] & 255) << 16 | b[o + 3] << 24
          : b[o] << 24 | (b[o + 1] & 255) << 16 | (b[o + 2] & 255) << 8 | (b[o + 3] & 255);
    }
  }
  public static final class Md5 extends W32 {
    static int[] T;
    static final int[] R = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    public Md5() { super(16); }
    boolean little() { return true; }
    void init() {
      if (T == null) {
        int[] t = new int[64];
        for (int i = 0; i < 64; i++)
          t[i] = (int) (long) Math.floor(Math.abs(Math.sin(i + 1)) * 4294967296.0);
        T = t;
      }
      h = new int[] {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    }
    void proc(byte[] m, int o) {
      int a = h[0], b = h[1], c = h[2], d = h[3];
      for (int i = 0; i < 64; i++) {
        int f, g, q = i >> 4;
        if (q == 0) {
          f = (b & c) | (~b & d);
          g = i;
        } else if (q == 1) {
          f = (d & b) | (~d & c);
          g = (5 * i + 1) & 15;
        } else if (q == 2) {
          f = b ^ c ^ d;
          g = (3 * i + 5) & 15;
        } else {
          f = c ^ (b | ~d);
          g = (7 * i) & 15;
        }
        int t = d;
        d = c;
        c = b;
        b = b + Integer.rotateLeft(a + f + T[i] + word(m, o + 4 * g), R[q * 4 + (i & 3)]);
        a = t;
      }
      h[0] += a;
      h[1] += b;
      h[2] += c;
      h[3] += d;
    }
  }
  public static final class Sha1 extends W32 {
    public Sha1() { super(20); }
    boolean little() { return false; }
    void init() { h = new int[] {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}; }
    void proc(byte[] m, int o) {
      int[] w = new int[80];
      for (int i = 0; i < 16; i++) w[i] = word(m, o + 4 * i);
      for (int i = 16; i < 80; i++)
        w[i] = Integer.rotateLeft(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
      int a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
      for (int i = 0; i < 80; i++) {
        int f, k;
        if (i < 20) {
          f = (b & c) | (~b & d);
          k = 0x5a827999;
        } else if (i < 40) {
          f = b ^ c ^ d;
          k = 0x6ed9eba1;
        } else if (i < 60) {
          f = (b & c) | (b & d) | (c & d);
          k = 0x8f1bbcdc;
        } else {
          f = b ^ c ^ d;
          k = 0xca62c1d6;
        }
        int t = Integer.rotateLeft(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = Integer.rotateLeft(b, 30);
        b = a;
        a = t;
      }
      h[0] += a;
      h[1] += b;
      h[2] += c;
      h[3] += d;
      h[4] += e;
    }
  }
  static final class K {
    // fractional parts of cube roots of the first 80 primes, computed exactly
    static final long[] k = new long[80];
    static {
      int n = 0;
      for (int p = 2; n < 80; p++) {
        boolean q = true;
        for (int i = 2; i * i <= p; i++)
          if (p % i == 0) {
            q = false;
            break;
          }
        if (q) k[n++] = root(p);
      }
    }
    static long root(int p) {
      java.math.BigInteger t = java.math.BigInteger.valueOf(p).shiftLeft(192),
          lo = java.math.BigInteger.ZERO, hi = java.math.BigInteger.ONE.shiftLeft(68);
      while (hi.subtract(lo).bitLength() > 1) {
        java.math.BigInteger m = lo.add(hi).shiftRight(1);
        if (m.pow(3).compareTo(t) <= 0) lo = m;
        else hi = m;
      }
      return lo.longValue();
    }
  }
  static class S256 extends W32 {
    final int[] iv;
    S256(int len) {
      super(len);
      iv = null;
    }
    boolean little() { return false; }
    void init() {
      h = len == 28 ? new int[] {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31,
                                 0x68581511, 0x64f98fa7, 0xbefa4fa4}
          : new int[] {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                       0x1f83d9ab, 0x5be0cd19};
    }
    void proc(byte[] m, int o) {
      int[] w = new int[64];
      for (int i = 0; i < 16; i++) w[i] = word(m, o + 4 * i);
      for (int i = 16; i < 64; i++) {
        int x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7]
            + (Integer.rotateRight(x, 7) ^ Integer.rotateRight(x, 18) ^ (x >>> 3))
            + (Integer.rotateRight(y, 17) ^ Integer.rotateRight(y, 19) ^ (y >>> 10));
      }
      int[] v = h.clone();
      for (int i = 0; i < 64; i++) {
        int t1 = v[7] + (Integer.rotateRight(v[4], 6) ^ Integer.rotateRight(v[4], 11)
                         ^ Integer.rotateRight(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6]))
            + (int) (K.k[i] >>> 32) + w[i];
        int t2 = (Integer.rotateRight(v[0], 2) ^ Integer.rotateRight(v[0], 13)
                  ^ Integer.rotateRight(v[0], 22))
            + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j > 0; j--) v[j] = v[j - 1];
        v[4] += t1;
        v[0] = t1 + t2;
      }
      for (int i = 0; i < 8; i++) h[i] += v[i];
    }
  }
  public static final class Sha256 extends S256 { public Sha256() { super(32); } }
  public static final class Sha224 extends S256 { public Sha224() { super(28); } }
  static class S512 extends Md {
    long[] h;
    S512(int len) { super(128, len); }
    boolean little() { return false; }
    void copy() { h = h.clone(); }
    void init() {
      h = len == 48 ? new long[] {0xcbbb9d5dc1059ed8L, 0x629a292a367cd507L, 0x9159015a3070dd17L,
                                  0x152fecd8f70e5939L, 0x67332667ffc00b31L, 0x8eb44a8768581511L,
                                  0xdb0c2e0d64f98fa7L, 0x47b5481dbefa4fa4L}
          : new long[] {0x6a09e667f3bcc908L, 0xbb67ae8584caa73bL, 0x3c6ef372fe94f82bL,
                        0xa54ff53a5f1d36f1L, 0x510e527fade682d1L, 0x9b05688c2b3e6c1fL,
                        0x1f83d9abfb41bd6bL, 0x5be0cd19137e2179L};
    }
    void out(byte[] d) {
      for (int i = 0; i < d.length; i++) d[i] = (byte) (h[i >> 3] >>> (56 - 8 * (i & 7)));
    }
    void proc(byte[] m, int o) {
      long[] w = new long[80];
      for (int i = 0; i < 16; i++) {
        long x = 0;
        for (int j = 0; j < 8; j++) x = x << 8 | (m[o + 8 * i + j] & 255);
        w[i] = x;
      }
      for (int i = 16; i < 80; i++) {
        long x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (Long.rotateRight(x, 1) ^ Long.rotateRight(x, 8) ^ (x >>> 7))
            + (Long.rotateRight(y, 19) ^ Long.rotateRight(y, 61) ^ (y >>> 6));
      }
      long[] v = h.clone();
      for (int i = 0; i < 80; i++) {
        long t1 = v[7]
            + (Long.rotateRight(v[4], 14) ^ Long.rotateRight(v[4], 18) ^ Long.rotateRight(v[4], 41))
            + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K.k[i] + w[i];
        long t2 = (Long.rotateRight(v[0], 28) ^ Long.rotateRight(v[0], 34)
                   ^ Long.rotateRight(v[0], 39)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j > 0; j--) v[j] = v[j - 1];
        v[4] += t1;
        v[0] = t1 + t2;
      }
      for (int i = 0; i < 8; i++) h[i] += v[i];
    }
  }
  public static final class Sha512 extends S512 { public Sha512() { super(64); } }
  public static final class Sha384 extends S512 { public Sha384() { super(48); } }
}
