/** A subtraction gives a negative size. */
public class NegativeSize {
    static byte[] rest(int total, int used) {
        int left = total - used; // cause
        return new byte[left];
    }

    public static void main(String[] args) {
        System.out.println(rest(10, 3).length);
        System.out.println(rest(10, 13).length);
    }
}
