import java.util.Arrays;
import java.util.List;

/** One callback clears a field that a later one reads. */
public class EarlierCallback {
    private String session = "open";

    void pause() {
        session = null; // cause
    }

    void resume() {
        System.out.println("resumed");
    }

    void send() {
        System.out.println(session.length());
    }

    public static void main(String[] args) {
        EarlierCallback screen = new EarlierCallback();
        List<Runnable> events =
                Arrays.asList(screen::send, screen::pause, screen::resume, screen::send);
        events.forEach(Runnable::run);
    }
}
