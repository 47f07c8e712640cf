/** A builder does not get one of its parts. */
public class Builder {
    private String host;
    private int port;

    Builder host(String host) {
        this.host = host; // cause
        return this;
    }

    Builder port(int port) {
        this.port = port;
        return this;
    }

    String build() {
        return host.trim() + ":" + port;
    }

    static String setting(int number) {
        return number == 1 ? "example.org" : null;
    }

    public static void main(String[] args) {
        System.out.println(new Builder().host(setting(1)).port(80).build());
        System.out.println(new Builder().port(80).host(setting(2)).build());
    }
}
