/** A handler swallows an exception and leaves a field null. */
public class Swallowed {
    private Integer port;

    void read(String text) {
        try {
            port = Integer.valueOf(text);
        } catch (NumberFormatException e) {
            port = null; // cause
        }
    }

    int open() {
        return port + 1;
    }

    public static void main(String[] args) {
        Swallowed server = new Swallowed();
        server.read("80");
        System.out.println(server.open());
        server.read("eighty");
        System.out.println(server.open());
    }
}
