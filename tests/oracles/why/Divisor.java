import java.util.ArrayList;
import java.util.List;

/** The size of an empty list becomes a divisor. */
public class Divisor {
    static int average(List<Integer> values) {
        int count = values.size(); // cause
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum / count;
    }

    public static void main(String[] args) {
        List<Integer> values = new ArrayList<>();
        values.add(4);
        System.out.println(average(values));
        values.clear();
        System.out.println(average(values));
    }
}
