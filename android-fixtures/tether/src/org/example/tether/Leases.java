package org.example.tether;

import java.util.BitSet;

/** Hands out addresses, as a DHCP server does. */
class Leases {
    static final class ExhaustedException extends Exception {
        ExhaustedException(int size) { super("all " + size + " leases are taken"); }
    }

    private final BitSet taken = new BitSet();
    private final int size;
    private int last;
    private int asked;
    private int refused;

    Leases(int size) { this.size = size; }

    int take(Client c) throws ExhaustedException {
        boolean done = false;
        try {
            asked++;
            for (int i = 0; i < size; i++) {
                int slot = (last + i) % size;
                if (taken.get(slot)) continue;
                synchronized (this) {
                    if (taken.get(slot)) continue;
                    taken.set(slot);
                    last = slot + 1;
                    c.address = Address.BASE | 100 + slot;
                    done = true;
                    return c.address;
                }
            }
            throw new ExhaustedException(size);
        } finally {
            if (!done) refused++;
        }
    }

    void give(Client c) {
        if (c.address == -1) return;
        int slot = (c.address & 255) - 100;
        if (slot < 0 || !taken.get(slot)) {
            throw new IllegalStateException("lease of " + c.name + " was never given");
        }
        taken.clear(slot);
        c.address = -1;
    }

    @Override
    public String toString() {
        return taken.cardinality() + "/" + size + " asked " + asked + " refused " + refused;
    }
}
