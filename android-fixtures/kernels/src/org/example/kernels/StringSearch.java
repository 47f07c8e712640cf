package org.example.kernels;

import java.util.Random;

/** Boyer-Moore-Horspool against the naive search. */
final class StringSearch implements Kernel {
    @Override
    public long run(Random random, int size) {
        char[] text = new char[3000 * size];
        for (int i = 0; i < text.length; i++) {
            text[i] = (char) ('a' + Math.min(random.nextInt(4), random.nextInt(4)));
        }
        long sum = 0;
        for (int round = 0; round < 20; round++) {
            int length = 2 + random.nextInt(6), at = random.nextInt(text.length - length);
            char[] pattern = new char[length];
            for (int i = 0; i < length; i++) {
                pattern[i] = round % 4 == 3 ? (char) ('a' + random.nextInt(4)) : text[at + i];
            }
            int fast = horspool(text, pattern), slow = naive(text, pattern);
            if (fast != slow) throw new IllegalStateException(fast + " is not " + slow);
            sum = sum * 31 + fast;
        }
        return sum;
    }

    private static int horspool(char[] text, char[] pattern) {
        int[] skip = new int[128];
        for (int i = 0; i < 128; i++) skip[i] = pattern.length;
        for (int i = 0; i < pattern.length - 1; i++) skip[pattern[i]] = pattern.length - 1 - i;
        for (int i = 0; i + pattern.length <= text.length;
                i += skip[text[i + pattern.length - 1]]) {
            int k = pattern.length - 1;
            while (k >= 0 && text[i + k] == pattern[k]) k--;
            if (k < 0) return i;
        }
        return -1;
    }

    private static int naive(char[] text, char[] pattern) {
        outer:
        for (int i = 0; i + pattern.length <= text.length; i++) {
            for (int k = 0; k < pattern.length; k++) if (text[i + k] != pattern[k]) continue outer;
            return i;
        }
        return -1;
    }
}
