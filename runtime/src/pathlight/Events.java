package pathlight;

/**
 * The slow ways of the probes: everything that is written into a stream (docs/PROTOCOL.md, sections
 * 4 to 6). Each method first does what may fail, then codes the event by one call, then changes the
 * fields without calling anything.
 */
final class Events {
    private Events() {}

    static State enter(State s, int id, boolean guarded) {
        if (s.lostTold != s.lostEnd) {
            Pap.settle(s);
        }
        int token = s.callToken;
        if (token == id || s.dead) {
            s.callToken = 0;
            s.progress++;
            return s;
        }
        if (Sink.stopped) {
            end(s);
            s.callToken = 0;
            s.progress++;
            return s;
        }
        if (guarded && s.guards == s.guardFrame.length) {
            grow(s);
        }
        int slice = token < 0 ? Slots.known(s, token, id) : 0;
        int saved = 0;
        if (Sink.pap) {
            // Its end must find the stack to record that: what it restores matters to its caller,
            // whose code is not ours.
            Start.reserve(8, 1, 2, 3, 4);
            saved = Pap.announce(s, id, token, slice != 0);
        } else if (slice != 0) {
            Probes.symbol(s, slice);
        } else if (!guarded) {
            int n = Coder.escape(s, Protocol.ESCAPE_ENTRY_UNGUARDED);
            n = Coder.bits(s, n, id, Sink.idBits);
            n = Coder.bits(s, n, token != 0 ? 1 : 0, 1);
            Coder.event(s, n, Coder.ESCAPE);
            if (s.guards == 0) {
                s.unguarded = true;
            }
        } else if (s.guards != 0 || s.unguarded) {
            int n = Coder.escape(s, Protocol.ESCAPE_ENTRY);
            n = Coder.bits(s, n, id, Sink.idBits);
            Coder.event(s, n, Coder.ESCAPE);
            saved = token;
        } else {
            topLevel(s, id);
        }
        s.callToken = 0;
        // What is left here is of a method whose exception code outside the app has swallowed.
        s.gathered = 0;
        int frame = ++s.progress;
        if (guarded && !s.dead) {
            s.guardFrame[s.guards] = frame;
            s.guardToken[s.guards++] = saved;
            s.top = frame;
        }
        if (s.room == 0) {
            try {
                Coder.drain(s);
            } catch (StackOverflowError e) {
                // The entry has been recorded.
            }
        }
        return s;
    }

    /** Entry and normal exit of a method in which nothing else can happen. */
    static void leaf(int id, boolean guarded) {
        State s = Start.enter(id, guarded);
        if (guarded) {
            Probes.exitGuarded(s, s.progress);
        } else {
            s.progress++;
        }
    }

    /** A top-level callback: its symbol and its time. */
    private static void topLevel(State s, int id) {
        int slot = Slots.idle(Sink.idle, s.lastTop);
        long start = s.total + (s.qTail - s.qHead);
        int pages = s.pages.length;
        // A reader can begin where the tables do.
        boolean sync = s.syncAt < s.total && (pages == 0 || s.syncAt < 0
                                              || start - s.syncAt >= Adapt.RESET_BYTES);
        int n = 0;
        if (pages != 0) {
            s.ev[n++] = sync ? Adapt.RESET : Adapt.KEPT;
        }
        int at = n++;
        int slice = Slots.symbol(s, slot, id);
        if (slice == 0) {
            slice = Slots.symbol(s, slot, 0);
            n = Coder.bits(s, n, id, Sink.idBits);
        }
        s.ev[at] = slice;
        int now = Sink.now();
        n = Coder.span(s, n, now, Protocol.SPAN_GAP);
        Coder.play(s, n, s.progress, Coder.PLAIN);
        if (sync) {
            for (int i = 0; i < pages; i++) {
                s.pages[i] = null;
            }
            s.syncAt = start;
            s.syncProgress = s.progress;
            s.syncTop = s.lastTop;
            s.syncTime = s.lastTime;
        }
        s.lastTop = id;
        s.lastTime = now;
    }

    /** Makes the guard stack larger. */
    static void grow(State s) {
        int n = s.guards;
        try {
            int[] f = new int[2 * n];
            int[] t = new int[2 * n];
            System.arraycopy(s.guardFrame, 0, f, 0, n);
            System.arraycopy(s.guardToken, 0, t, 0, n);
            s.guardFrame = f;
            s.guardToken = t;
        } catch (OutOfMemoryError e) {
            s.dead = true;
            s.room = 0;
            s.guards = 0;
        }
    }

    /** Normal exit of the frame that is perhaps on top of the guard stack. */
    static void exit(State s, int frame) {
        int g = s.guards - 1;
        int[] frames = s.guardFrame;
        if (g < 0 || frames[g] != frame) {
            s.progress++;
            return;
        }
        if (g == 0) {
            int now = Sink.now();
            if (Sink.pap) {
                Pap.close(s, s.progress + 1, now);
            } else {
                Coder.play(s, Coder.span(s, 0, now, Protocol.SPAN_DURATION), s.progress + 1,
                           Coder.CLOSE);
            }
            s.lastTime = now;
        }
        s.progress++;
        s.callToken = s.guardToken[g];
        s.guards = g;
        if (g == 0) {
            try {
                closed(s);
            } catch (StackOverflowError e) {
                // The exit has been recorded.
            }
        } else {
            s.top = frames[g - 1];
        }
    }

    /** A record has been closed. */
    private static void closed(State s) {
        Coder.drain(s);
        if (Sink.lines) {
            Coder.push(s, false);
        }
        if (s.total >= s.keepAt) {
            StartTable.keep(s);
        }
    }

    static void caught(State s, int handler, int frame) {
        if (s.gathered != 0) {
            openPath(s, Protocol.ESCAPE_BROKEN, s.gathered);
        }
        if (!s.dead) {
            int n = Coder.escape(s, Protocol.ESCAPE_HANDLER);
            n = Coder.bits(s, n, handler, Sink.idBits);
            n = Coder.gamma(s, n, s.progress - frame);
            Coder.event(s, n, Coder.ESCAPE);
            // Entries of frames above this one: those that are younger. Ages compare unsigned,
            // hence the shifted zero.
            int age = s.progress - frame + Integer.MIN_VALUE;
            int g = s.guards;
            while (g > 0 && s.progress - s.guardFrame[g - 1] + Integer.MIN_VALUE < age) {
                g--;
            }
            s.guards = g;
            if (g != 0) {
                s.top = s.guardFrame[g - 1];
            }
        }
        s.callToken = 0;
        if (s.room == 0) {
            Coder.drain(s);
        }
    }

    static void unwound(State s, int frame) {
        int g = s.guards - 1;
        while (g >= 0 && s.guardFrame[g] != frame) {
            g--;
        }
        if (g < 0) {
            return;
        }
        if (s.gathered != 0) {
            openPath(s, Protocol.ESCAPE_BROKEN, s.gathered);
        }
        int n = Coder.escape(s, Protocol.ESCAPE_UNWOUND);
        n = Coder.gamma(s, n, s.progress - frame);
        int now = 0;
        if (g == 0) {
            now = Sink.now();
            n = Coder.span(s, n, now, Protocol.SPAN_DURATION);
        }
        Coder.play(s, n, s.progress, g == 0 ? Coder.CLOSE : Coder.ESCAPE);
        if (g == 0) {
            s.lastTime = now;
        }
        s.callToken = s.guardToken[g];
        s.guards = g;
        if (g == 0) {
            // The process may be about to die of it.
            Coder.drain(s);
            if (Sink.lines) {
                Coder.push(s, true);
            }
            if (s.total >= s.keepAt) {
                StartTable.keep(s);
            }
            return;
        }
        s.top = s.guardFrame[g - 1];
        if (s.room == 0) {
            Coder.drain(s);
        }
    }

    /** Everything recorded so far goes to the sink. */
    static void flush(State s) {
        if (s.dead || s.busy) {
            return;
        }
        if (Sink.stopped) {
            end(s);
            return;
        }
        if (Sink.counts) {
            Counts.flush(s);
            return;
        }
        if (s.packed ? s.low != 1 : s.range != State.FULL) {
            int n = Coder.escape(s, Protocol.ESCAPE_FLUSH);
            n = Coder.bits(s, n, Coder.hash(s.progress), 16);
            Coder.play(s, n, s.progress, Coder.FLUSH);
        }
        Coder.drain(s);
        if (Sink.lines) {
            Coder.push(s, true);
        }
        if (s.keepAt != Long.MAX_VALUE) {
            StartTable.keep(s);
        }
    }

    /** Ends the stream of this thread. */
    static void end(State s) {
        if (!s.dead && !s.busy) {
            if (Sink.pap) {
                Pap.end(s);
            } else if (Sink.counts) {
                Counts.flush(s);
            } else {
                Coder.play(s, Coder.end(s), s.progress, Coder.FLUSH);
                Coder.drain(s);
            }
            s.dead = true;
            s.room = 0;
            s.guards = 0;
            if (Sink.lines) {
                Coder.push(s, true);
            }
        }
    }

    /**
     * A symbol for which the interval is too small: it grows by a word first, which goes straight
     * into the slab. That is what {@link Coder#play} and {@link Sink#drain} do step by step, for
     * when nothing waits and nothing special is due, as is nearly always so. A stack overflow in
     * here leaves everything as it was: a word is there when the mark behind it is.
     */
    static void step(State s, int slice) {
        long low = s.low;
        int word = (int) (low >>> 31);
        int used = s.used;
        if (word == -1 && low >= 0 || used >= s.room) {
            s.ev[0] = slice;
            Coder.play(s, 1, s.progress, Coder.PLAIN);
            Coder.drain(s);
            return;
        }
        if (s.hasCache) {
            // With the mark that ends what is committed: a call for both.
            used += 4;
            s.buf.putLong(s.base + Sink.HEADER - 4 + used,
                          (long) (s.cacheWord + (int) (low >>> 63)) << 32 | s.mark | used);
            s.used = used;
            s.total += 4;
        }
        s.hasCache = true;
        s.cacheWord = word;
        s.slowProgress = s.progress;
        long r = s.range << 32 >>> 16;
        s.low = ((low & 0x7FFFFFFFL) << 32) + r * (slice >>> 16);
        s.range = r * (char) slice;
    }

    static void last(State s, int cum) {
        cum &= 0xFFFF;
        step(s, cum << 16 | 65535 - cum);
    }

    /**
     * The iteration count of a loop, from 8 on: the symbol of its bit length, then the bits below
     * the first 1.
     */
    static void trips(State s, int base, int count) {
        base &= 0xFFFFFFF;
        int length = 32 - Integer.numberOfLeadingZeros(count);
        s.ev[0] = s.paths[base + 4 + length];
        Coder.event(s, Coder.bits(s, 1, count, length - 1), Coder.PLAIN);
        if (s.room == 0) {
            Coder.drain(s);
        }
    }

    /** What a method's register holds: kind is ESCAPE_BROKEN or ESCAPE_LAP. */
    static void openPath(State s, int kind, int register) {
        if (s.dead) {
            return;
        }
        int n = Coder.escape(s, kind);
        n = Coder.gamma(s, n, register);
        Coder.event(s, n, Coder.ESCAPE);
        s.gathered = 0;
        if (s.room == 0) {
            Coder.drain(s);
        }
    }

    static void put(State s, int code) {
        s.ev[0] = code;
        Coder.play(s, 1, s.progress, Coder.PLAIN);
        Coder.drain(s);
    }

    static void none(State s, int token) {
        // As Slots.known and Probes.step have it: an interpreter pays for calls.
        int[] known = s.known;
        int at = token * 29 << 2 & known.length - 4;
        long r = s.range >>> 16;
        if (known[at] == token && known[at + 1] == 0 && r > 32767L && s.room != 0) {
            int symbol = known[at + 2];
            s.low += r * (symbol >>> 16);
            s.range = r * (char) symbol;
            s.callToken = 0;
            return;
        }
        if (Sink.pap) {
            Pap.none(s);
            return;
        }
        Probes.symbol(s, Slots.known(s, token, 0));
        s.callToken = 0;
    }
}
