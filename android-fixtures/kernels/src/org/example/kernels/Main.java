package org.example.kernels;

import java.util.Random;

/**
 * Runs kernels and prints their checksums: {@code Main SEED [SIZE] [NAME...]}. SIZE scales the
 * work (default 1); all kernels run unless some are named.
 */
public final class Main {
    private static final Kernel[] ALL = {
        new Sieve(), new MatrixMultiply(), new HeapSort(), new Xtea(),
        new Fft(), new Compress(), new Queens(), new Collatz(),
        new StringSearch(), new Machine(),
    };

    private Main() {}

    public static void main(String[] args) {
        long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
        int size = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        for (Kernel k : ALL) {
            String name = k.getClass().getSimpleName();
            boolean wanted = args.length < 3;
            for (int i = 2; i < args.length; i++) wanted |= args[i].equals(name);
            if (wanted) {
                System.out.println(name + " " + Long.toHexString(k.run(new Random(seed), size)));
            }
        }
    }
}
