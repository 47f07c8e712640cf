/** What is counted: one branch, one way in one call of four. */
public final class Work {
    private Work() {}

    static int step(int i) {
        return (i & 3) == 0 ? i * 31 : i ^ 7;
    }
}
