import android.content.Intent;
import android.view.MenuItem;
import android.view.View;
import pathlight.Config;
import pathlight.Origins;
import pathlight.Probes;
import pathlight.State;

/** Callbacks, each of method 1, that ask objects of the app where they came from. */
final class Asked {
    private Asked() {}

    private static class Sized extends View {
        final int id;

        Sized(int id) {
            this.id = id;
        }

        @Override
        public int getId() {
            return id;
        }
    }

    private static final class Throwing extends View {
        @Override
        public int getId() {
            throw new IllegalStateException("no id");
        }
    }

    private static final class Endless extends View {
        @Override
        public int getId() {
            return getId() + 1;
        }
    }

    /** A getter with probes. */
    private static final class Probed extends View {
        @Override
        public int getId() {
            Probes.leafGuarded(1);
            State s = Probes.enter(1);
            Probes.exit(s);
            return 104;
        }
    }

    private static class Computed extends Sized {
        Computed() {
            super(105);
        }
    }

    private static final class Below extends Computed {}

    private static final class Received extends Intent {
        final String action;

        Received(String action) {
            this.action = action;
        }

        @Override
        public String getAction() {
            return action;
        }
    }

    private interface Question {
        void ask(State s);
    }

    private static void callback(Question question) {
        State s = Probes.enterGuarded(1);
        int frame = Probes.frame(s);
        question.ask(s);
        Probes.exitGuarded(s, frame);
    }

    private static String pairs(int... numbers) {
        StringBuilder out = new StringBuilder();
        for (int n : numbers) {
            out.append((char) (n >>> 16)).append((char) n);
        }
        return out.toString();
    }

    static void run() {
        // One method, and nothing predicted.
        Config.SLOTS = "\0\1\1\1\0\1\uffff";
        Config.NEXT_CALLBACKS = "\0\0";
        Config.ID_BITS = 16;
        Config.ORIGINS = pairs(0, 100, 10, 2, 1, 0, 4, 12, 3, 0, 2, 16);
        Config.ACTIONS = "p.A\np.B";
        Config.UNASKED = "Asked$Computed";
        View[] views = {
            new Sized(103), null, new Sized(99), new Sized(110), new Sized(-1),
            new Sized(Integer.MIN_VALUE), new Throwing(), new Endless(), new Probed(),
            new Computed(), new Below(), new Sized(109)
        };
        for (View view : views) {
            callback(s -> Origins.view(s, view));
        }
        callback(s -> {
            Origins.view(s, new Sized(100));
            Origins.position(s, 3);
        });
        callback(s -> Origins.position(s, 4));
        MenuItem item = () -> 101;
        callback(s -> Origins.menu(s, item));
        callback(s -> Origins.menu(s, null));
        for (String action : new String[] {"p.B", "p.C", null, new String("p.A")}) {
            callback(s -> Origins.intent(s, new Received(action)));
        }
        callback(s -> Origins.intent(s, null));
    }
}
