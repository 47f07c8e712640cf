package org.example.kernels;

import java.util.Random;

/** One piece of computing. */
interface Kernel {
    /** A checksum of the results; the same for the same random numbers and size. */
    long run(Random random, int size);
}
