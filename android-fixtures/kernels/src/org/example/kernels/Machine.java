package org.example.kernels;

import java.util.Random;

/** An interpreter of a small stack machine; its programs are random and may fail. */
final class Machine implements Kernel {
    private static final class Fault extends RuntimeException {
        Fault(String why) { super(why); }
    }

    private final int[] stack = new int[16];
    private int top;

    @Override
    public long run(Random random, int size) {
        long sum = 0;
        for (int i = 0; i < 60 * size; i++) {
            int[] code = new int[30];
            for (int k = 0; k < code.length; k++) {
                code[k] = k < 4 ? random.nextInt(5) : random.nextInt(15 + k % 3);
            }
            try {
                sum = sum * 7 + execute(code, 300);
            } catch (Fault f) {
                sum = sum * 7 + f.getMessage().length();
            } catch (ArithmeticException e) {
                sum++;
            } finally {
                top = 0;
            }
        }
        return sum;
    }

    private void push(int x) {
        if (top == stack.length) throw new Fault("overflow");
        stack[top++] = x;
    }

    private int pop() {
        if (top == 0) throw new Fault("underflow");
        return stack[--top];
    }

    private int execute(int[] code, int fuel) {
        int pc = 0, a, b;
        while (pc < code.length) {
            if (fuel-- == 0) throw new Fault("out of fuel");
            int op = code[pc++];
            switch (op) {
                case 0: case 1: case 2: case 3: case 4: push(op * 3 - 2); break;
                case 5: push(pop() + pop()); break;
                case 6: a = pop(); push(pop() - a); break;
                case 7: push(pop() * pop()); break;
                case 8: a = pop(); push(pop() / a); break;
                case 9: a = pop(); push(a); push(a); break;
                case 10: a = pop(); b = pop(); push(a); push(b); break;
                case 11: if (pop() > 0) pc++; break;
                case 12: if (pop() != 0 && pc > 8) pc -= 8; break;
                case 13: push(pc); break;
                case 14: push(Integer.bitCount(pop())); break;
                case 15: return top == 0 ? 0 : stack[top - 1];
                default: throw new Fault("bad opcode");
            }
        }
        return top;
    }
}
