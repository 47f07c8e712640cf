package org.example.tether;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Passes events to listeners. A listener that throws is removed. */
public class EventBus {
    public interface Listener {
        void onEvent(String kind, Object subject) throws Exception;
    }

    private final List<Listener> listeners = new ArrayList<>();
    private int dropped;

    public synchronized void add(Listener l) {
        if (!listeners.contains(l)) listeners.add(l);
    }

    public synchronized void remove(Listener l) { listeners.remove(l); }

    public void fire(String kind, Object subject) {
        List<Listener> now;
        synchronized (this) {
            now = new ArrayList<>(listeners);
        }
        for (Iterator<Listener> i = now.iterator(); i.hasNext(); ) {
            Listener l = i.next();
            try {
                l.onEvent(kind, subject);
            } catch (IllegalStateException e) {
                remove(l);
                dropped++;
            } catch (Exception e) {
                Screen.show("listener failed: %s", e.getMessage());
            }
        }
    }

    public int dropped() { return dropped; }
}
