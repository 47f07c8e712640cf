class S {
    static int s0(Ctx c, int d, int a, int b) { return 0; }
    static int s1(Ctx c, int d, int a, int b) { return 0; }
    static int s2(Ctx c, int d, int a, int b) { return 0; }
    static int s3(Ctx c, int d, int a, int b) { return 0; }
    static int s4(Ctx c, int d, int a, int b) { return 0; }
    static int s5(Ctx c, int d, int a, int b) { return 0; }
}
