class S {
    static int s0(Ctx c, int d, int a, int b) { return 0; }
    static int s1(Ctx c, int d, int a, int b) { return 0; }
}
