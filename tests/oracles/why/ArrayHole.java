/** An array is filled but for one element. */
public class ArrayHole {
    static String[] fill(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            if (i != 3) { // cause
                names[i] = "name " + i;
            }
        }
        return names;
    }

    public static void main(String[] args) {
        for (String name : fill(5)) {
            System.out.println(name.length());
        }
    }
}
