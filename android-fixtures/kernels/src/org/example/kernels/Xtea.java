package org.example.kernels;

import java.util.Random;

/** The XTEA cipher, there and back. */
final class Xtea implements Kernel {
    private static final int DELTA = 0x9E3779B9;

    @Override
    public long run(Random random, int size) {
        int[] key = {random.nextInt(), random.nextInt(), random.nextInt(), random.nextInt()};
        long sum = 0;
        for (int i = 0; i < 200 * size; i++) {
            int[] block = {random.nextInt(), i};
            int first = block[0];
            encrypt(block, key);
            sum ^= (long) block[0] << 32 | block[1] & 0xffffffffL;
            decrypt(block, key);
            if (block[0] != first || block[1] != i) throw new IllegalStateException("block " + i);
        }
        return sum;
    }

    private static void encrypt(int[] v, int[] key) {
        int a = v[0], b = v[1], sum = 0;
        for (int i = 0; i < 32; i++) {
            a += (b << 4 ^ b >>> 5) + b ^ sum + key[sum & 3];
            sum += DELTA;
            b += (a << 4 ^ a >>> 5) + a ^ sum + key[sum >>> 11 & 3];
        }
        v[0] = a;
        v[1] = b;
    }

    private static void decrypt(int[] v, int[] key) {
        int a = v[0], b = v[1], sum = DELTA * 32;
        for (int i = 0; i < 32; i++) {
            b -= (a << 4 ^ a >>> 5) + a ^ sum + key[sum >>> 11 & 3];
            sum -= DELTA;
            a -= (b << 4 ^ b >>> 5) + b ^ sum + key[sum & 3];
        }
        v[0] = a;
        v[1] = b;
    }
}
