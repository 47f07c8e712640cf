package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** Sorts random integers in a heap. */
public final class HeapSort implements Workload {
    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        int[] data = new int[size];
        for (int i = 0; i < size; i++) data[i] = (int) rng.next();
        sort(data);
        Sum sum = new Sum();
        for (int i = 0; i < size; i++) {
            if (i > 0 && data[i - 1] > data[i])
                throw new IllegalStateException("not sorted at " + i);
            sum.add((long) data[i]);
        }
        return sum.toString();
    }

    private static void sort(int[] data) {
        for (int root = data.length / 2 - 1; root >= 0; root--) sift(data, root, data.length);
        for (int end = data.length - 1; end > 0; end--) {
            int top = data[0];
            data[0] = data[end];
            data[end] = top;
            sift(data, 0, end);
        }
    }

    private static void sift(int[] data, int root, int end) {
        int value = data[root];
        while (true) {
            int child = 2 * root + 1;
            if (child >= end) break;
            if (child + 1 < end && data[child + 1] > data[child]) child++;
            if (data[child] <= value) break;
            data[root] = data[child];
            root = child;
        }
        data[root] = value;
    }
}
