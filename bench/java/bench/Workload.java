package bench;

/** Something to measure. */
public interface Workload {
    /** Does the work of one repetition; the same size and seed give the same result. */
    String run(int size, long seed) throws Exception;
}
