package pathlight;

import android.content.Intent;
import android.view.MenuItem;
import android.view.View;

/**
 * The probes that record where a callback came from: a view's id, a position in a list, a key code,
 * an intent's action (docs/PROTOCOL.md, section 5). They come right after the entry of the
 * callback. Only values that {@link Config#ORIGINS} lists are recorded.
 *
 * <p>The classes of Android that are named here are those of the callback's own parameters. Android
 * answers the questions, or a plain getter of the app: the instrumenter makes sure of that. A view
 * of a class in {@link Config#UNASKED}, which answers by other code, is not asked.
 */
public final class Origins {
    private static final int ID = 0;
    private static final int POSITION = 1;
    private static final int KEY = 2;
    private static final int ACTION = 3;

    // No static initialiser, see Start, which asks for these.

    /** Kind, first value, count and first id of each range. */
    private static int[] ranges;
    private static String[] actions;
    private static String[] unasked;

    private Origins() {}

    static void prepare() {
        ranges = Slots.ints(Config.ORIGINS);
        actions = lines(Config.ACTIONS);
        unasked = lines(Config.UNASKED);
    }

    private static String[] lines(String text) {
        return text.isEmpty() ? new String[0] : text.split("\n");
    }

    /** The view that was touched. */
    public static void view(State s, View view) {
        if (view == null || s.dead || s.busy) {
            return;
        }
        int id = 0;
        // Probes of code that runs below here go nowhere.
        s.busy = true;
        s.room = 0;
        try {
            id = isAsked(view) ? view.getId() : 0;
        } catch (Throwable e) {
            // No answer.
        }
        s.busy = false;
        record(s, ID, id);
    }

    /** The menu item that was chosen. */
    public static void menu(State s, MenuItem item) {
        if (item == null || s.dead || s.busy) {
            return;
        }
        int id = 0;
        s.busy = true;
        s.room = 0;
        try {
            id = item.getItemId();
        } catch (Throwable e) {
            // No answer.
        }
        s.busy = false;
        record(s, ID, id);
    }

    /** The intent that was received. */
    public static void intent(State s, Intent intent) {
        if (intent == null || s.dead || s.busy) {
            return;
        }
        int at = -1;
        s.busy = true;
        s.room = 0;
        try {
            String action = intent.getAction();
            for (int i = 0; action != null && i < actions.length && at < 0; i++) {
                at = actions[i].equals(action) ? i : -1;
            }
        } catch (Throwable e) {
            // No answer.
        }
        s.busy = false;
        record(s, ACTION, at);
    }

    /** The position of an item in its list. */
    public static void position(State s, int position) {
        record(s, POSITION, position);
    }

    /** The code of the key. */
    public static void key(State s, int code) {
        record(s, KEY, code);
    }

    private static boolean isAsked(View view) {
        if (unasked.length != 0) {
            for (Class<?> c = view.getClass(); c != null; c = c.getSuperclass()) {
                String name = c.getName();
                for (String other : unasked) {
                    if (other.equals(name)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /**
     * Writes the entry and the exit that stand for a value, if there are any: as those of an
     * unguarded method. Without stack for that, nothing has changed, and nothing is recorded.
     */
    private static void record(State s, int kind, int value) {
        if (s.dead || s.busy) {
            return;
        }
        int[] r = ranges;
        for (int i = 0; i < r.length; i += 4) {
            int at = value - r[i + 1];
            if (r[i] == kind && at >= 0 && at < r[i + 2]) {
                try {
                    Events.leaf(r[i + 3] + at, false);
                } catch (StackOverflowError e) {
                    // The app's own code finds out next.
                }
                return;
            }
        }
    }
}
