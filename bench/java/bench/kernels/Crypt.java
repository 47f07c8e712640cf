package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** The IDEA cipher over a byte array, there and back. */
public final class Crypt implements Workload {
    private static final int ROUNDS = 8;
    private static final int KEYS = 6 * ROUNDS + 4;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        byte[] plain = new byte[size & ~7];
        for (int i = 0; i < plain.length; i++) plain[i] = (byte) rng.below(256);
        int[] user = new int[8];
        for (int i = 0; i < 8; i++) user[i] = rng.below(65536);
        int[] encryption = expand(user);
        byte[] secret = new byte[plain.length];
        byte[] again = new byte[plain.length];
        cipher(plain, secret, encryption);
        cipher(secret, again, invert(encryption));
        Sum sum = new Sum();
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] != again[i]) throw new IllegalStateException("byte " + i + " differs");
            sum.add((long) secret[i]);
        }
        return sum.toString();
    }

    /**
     * The 128 bits of the key, read eight words at a time, turned left by 25 bits after each eight.
     */
    private static int[] expand(int[] user) {
        int[] keys = new int[KEYS];
        for (int i = 0; i < KEYS; i++) {
            if (i < 8) {
                keys[i] = user[i];
            } else {
                int block = i & ~7;
                int first = keys[block - 8 + ((i + 1) & 7)];
                int second = keys[block - 8 + ((i + 2) & 7)];
                keys[i] = (first << 9 | second >>> 7) & 0xFFFF;
            }
        }
        return keys;
    }

    private static int[] invert(int[] keys) {
        int[] out = new int[KEYS];
        for (int round = 0; round <= ROUNDS; round++) {
            int from = 6 * (ROUNDS - round);
            int to = 6 * round;
            boolean edge = round == 0 || round == ROUNDS;
            out[to] = inverse(keys[from]);
            out[to + 1] = -keys[from + (edge ? 1 : 2)] & 0xFFFF;
            out[to + 2] = -keys[from + (edge ? 2 : 1)] & 0xFFFF;
            out[to + 3] = inverse(keys[from + 3]);
            if (round < ROUNDS) {
                out[to + 4] = keys[from - 2];
                out[to + 5] = keys[from - 1];
            }
        }
        return out;
    }

    /** The inverse for multiplication modulo 65537, where 0 stands for 65536. */
    private static int inverse(int x) {
        if (x <= 1) return x;
        int a = 65537;
        int b = x;
        int s = 0;
        int t = 1;
        while (b != 0) {
            int q = a / b;
            int r = a - q * b;
            a = b;
            b = r;
            int u = s - q * t;
            s = t;
            t = u;
        }
        return (s < 0 ? s + 65537 : s) & 0xFFFF;
    }

    private static int multiply(int a, int b) {
        if (a == 0) return 1 - b & 0xFFFF;
        if (b == 0) return 1 - a & 0xFFFF;
        int product = a * b;
        int low = product & 0xFFFF;
        int high = product >>> 16;
        return low - high + (low < high ? 1 : 0) & 0xFFFF;
    }

    private static int word(byte[] data, int at) {
        return data[at] & 0xFF | (data[at + 1] & 0xFF) << 8;
    }

    private static void put(byte[] data, int at, int word) {
        data[at] = (byte) word;
        data[at + 1] = (byte) (word >>> 8);
    }

    private static void cipher(byte[] in, byte[] out, int[] keys) {
        for (int at = 0; at < in.length; at += 8) {
            int a = word(in, at);
            int b = word(in, at + 2);
            int c = word(in, at + 4);
            int d = word(in, at + 6);
            int k = 0;
            for (int round = 0; round < ROUNDS; round++) {
                a = multiply(a, keys[k]);
                b = b + keys[k + 1] & 0xFFFF;
                c = c + keys[k + 2] & 0xFFFF;
                d = multiply(d, keys[k + 3]);
                int s = multiply(a ^ c, keys[k + 4]);
                int t = multiply(s + (b ^ d) & 0xFFFF, keys[k + 5]);
                s = s + t & 0xFFFF;
                a ^= t;
                d ^= s;
                int swap = b ^ s;
                b = c ^ t;
                c = swap;
                k += 6;
            }
            put(out, at, multiply(a, keys[k]));
            put(out, at + 2, c + keys[k + 1]);
            put(out, at + 4, b + keys[k + 2]);
            put(out, at + 6, multiply(d, keys[k + 3]));
        }
    }
}
