package bench;

/**
 * Runs one workload: CLASS SIZE SEED WARM REPETITIONS. Prints a line for each timed repetition,
 * "rep WALL CPU" in nanoseconds (clock, and processor time of this thread), and the result, which
 * must be the same every time.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Workload work = (Workload) Class.forName(args[0]).getDeclaredConstructor().newInstance();
        int size = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        int warm = Integer.parseInt(args[3]);
        int repetitions = warm + Integer.parseInt(args[4]);
        String first = null;
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < repetitions; i++) {
            long wall = System.nanoTime();
            long cpu = Clock.processor();
            String result = work.run(size, seed);
            cpu = Clock.processor() - cpu;
            wall = System.nanoTime() - wall;
            if (first == null) first = result;
            if (!first.equals(result))
                throw new IllegalStateException("repetition " + i + ": " + result + ", not "
                                                + first);
            if (i >= warm) out.append("rep ").append(wall).append(' ').append(cpu).append('\n');
        }
        System.out.print(out);
        System.out.println("result " + first);
    }
}
