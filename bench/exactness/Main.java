import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * What exactness costs, one kind at a time: {@code Main KIND N}. Each does N times the thing and
 * nothing else that is recorded.
 */
public final class Main {
    static int[] table = {3, 1, 4, 1, 5, 9, 2, 6};
    static int sink;

    static int leaf(int n) {
        return n * 31 + 7;
    }

    static int call(int n) {
        return table[n & 7] + n;
    }

    interface Shape {
        int area(int n);
    }

    static final class A implements Shape {
        @Override
        public int area(int n) {
            return table[n & 7] + 1;
        }
    }

    static final class B implements Shape {
        @Override
        public int area(int n) {
            return table[n & 7] + 2;
        }
    }

    static final class C implements Shape {
        @Override
        public int area(int n) {
            return table[n & 7] + 3;
        }
    }

    static final class D implements Shape {
        @Override
        public int area(int n) {
            return table[n & 7] + 4;
        }
    }

    static final class Order implements Comparator<Integer> {
        @Override
        public int compare(Integer a, Integer b) {
            return a - b;
        }
    }

    static final RuntimeException READY = new RuntimeException("ready", null, false, false) {};

    static int thrower(int n) {
        if (n >= 0) throw READY;
        return n;
    }

    static final class Task implements Runnable {
        @Override
        public void run() {
            sink += table[sink & 7];
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[1]);
        int sum = 0;
        switch (args[0]) {
            case "loop":
                for (int i = 0; i < n; i++) sum += table[i & 7] ^ i;
                break;
            case "branch":
                for (int i = 0; i < n; i++) {
                    if ((table[i & 7] & 1) == 0) sum += i;
                    else sum ^= i;
                }
                break;
            case "leaf":
                for (int i = 0; i < n; i++) sum += leaf(i);
                break;
            case "call":
                for (int i = 0; i < n; i++) sum += call(i);
                break;
            case "polymorphic":
                Shape[] shapes = {new A(), new B(), new C(), new D()};
                for (int i = 0; i < n; i++) sum += shapes[table[i & 7] & 3].area(i);
                break;
            case "callback":
                List<Integer> list = new ArrayList<Integer>();
                for (int i = 0; i < 1001; i++) list.add(i);
                Order order = new Order();
                for (int i = 0; i < n / 1000; i++) sum += Collections.max(list, order);
                break;
            case "throw":
                for (int i = 0; i < n; i++) {
                    try {
                        sum += thrower(i);
                    } catch (RuntimeException e) {
                        sum++;
                    }
                }
                break;
            case "top":
                ExecutorService pool = Executors.newSingleThreadExecutor();
                Task task = new Task();
                for (int i = 0; i < n; i++) pool.execute(task);
                pool.shutdown();
                pool.awaitTermination(1, TimeUnit.DAYS);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        System.out.println(sum + sink);
    }
}
