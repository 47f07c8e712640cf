import java.util.Arrays;
import java.util.List;

/** One callback clears a field under a condition; a later callback reads the field. */
public class LaterCallback {
    private String session = "open";
    private int pauses;

    void pause() {
        pauses++;
        if (pauses > 1) {
            session = null; // cause
        }
    }

    void send() {
        if (pauses >= 0) {
            System.out.println(session.length());
        }
    }

    public static void main(String[] args) {
        LaterCallback screen = new LaterCallback();
        List<Runnable> events =
                Arrays.asList(screen::send, screen::pause, screen::pause, screen::send);
        events.forEach(Runnable::run);
    }
}
