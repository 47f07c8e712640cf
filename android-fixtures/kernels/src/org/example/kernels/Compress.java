package org.example.kernels;

import java.util.Random;

/** A compressor in the manner of LZ77: literals, and copies of what came before. */
final class Compress implements Kernel {
    private static final int MIN = 4, MAX = 130, WINDOW = 4096;

    @Override
    public long run(Random random, int size) {
        byte[] text = text(random, 4000 * size);
        byte[] packed = new byte[text.length * 2];
        int n = pack(text, packed);
        byte[] back = new byte[text.length];
        int m = unpack(packed, n, back);
        if (m != text.length) throw new IllegalStateException("length " + m);
        long sum = n;
        for (int i = 0; i < m; i++) {
            if (back[i] != text[i]) throw new IllegalStateException("byte " + i);
            sum = sum * 131 + back[i];
        }
        return sum;
    }

    private static byte[] text(Random random, int n) {
        String[] words = {
            "path", "branch", "the ", "interval ", "of ", "edge ", "a ", "probe", "\n"
        };
        StringBuilder b = new StringBuilder();
        while (b.length() < n) {
            if (random.nextInt(9) == 0) b.append((char) ('a' + random.nextInt(26)));
            else b.append(
                    words[Math.min(random.nextInt(words.length), random.nextInt(words.length))]);
        }
        byte[] out = new byte[n];
        for (int i = 0; i < n; i++) out[i] = (byte) b.charAt(i);
        return out;
    }

    private static int hash(byte[] s, int i) {
        return (s[i] * 2654435 + s[i + 1] * 40503 + s[i + 2] * 97 + s[i + 3]) & 1023;
    }

    private static int pack(byte[] in, byte[] out) {
        int[] last = new int[1024];
        int n = 0;
        for (int i = 0; i < in.length; ) {
            int length = 0, from = 0;
            if (i + MIN <= in.length) {
                int h = hash(in, i);
                from = last[h] - 1;
                last[h] = i + 1;
                if (from >= 0 && i - from < WINDOW) {
                    while (length < MAX && i + length < in.length
                            && in[from + length] == in[i + length]) {
                        length++;
                    }
                }
            }
            if (length >= MIN) {
                out[n++] = (byte) (128 | length - MIN);
                out[n++] = (byte) (i - from >> 8);
                out[n++] = (byte) (i - from);
                i += length;
            } else {
                out[n++] = in[i++];
            }
        }
        return n;
    }

    private static int unpack(byte[] in, int n, byte[] out) {
        int m = 0;
        for (int i = 0; i < n; ) {
            if (in[i] >= 0) {
                out[m++] = in[i++];
            } else {
                int length = (in[i] & 127) + MIN, back = (in[i + 1] & 255) << 8 | in[i + 2] & 255;
                for (int k = 0; k < length; k++, m++) out[m] = out[m - back];
                i += 3;
            }
        }
        return m;
    }
}
