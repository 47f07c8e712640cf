package pathlight;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;

/**
 * The range coder (docs/PROTOCOL.md, section 3). Events are put together in {@link State#ev} first
 * and then coded by one call of {@link #play}, which calls nothing once it has begun: a stack
 * overflow leaves either the whole event or nothing.
 */
final class Coder {
    static final int ESC = 0xFFFF0001;

    private Coder() {}

    /** Appends the n low bits of v (1 to 32) to the event; gives its new length. */
    static int bits(State s, int at, int v, int n) {
        int[] ev = s.ev;
        if (n > 16) {
            ev[at++] = s.packed ? (v & 0xFFFF) << 5 | 16 : v << 16 | 1;
            v >>>= 16;
            n -= 16;
        }
        ev[at++] = s.packed ? (v & (1 << n) - 1) << 5 | n
                : (v << (16 - n) & 0xFFFF) << 16 | 1 << (16 - n);
        return at;
    }

    /** Appends an unsigned number: its bit length in 6 bits, then what follows its first 1. */
    static int gamma(State s, int at, int v) {
        int l = 32 - Integer.numberOfLeadingZeros(v);
        at = bits(s, at, l, 6);
        return l > 1 ? bits(s, at, v, l - 1) : at;
    }

    /**
     * Appends the ticks since the last time in this thread's stream. On the range wire each bit
     * length from 1 to 16 has the frequency each, which differs between gaps and durations.
     */
    static int span(State s, int at, int now, int each) {
        int v = now - s.lastTime;
        int l = 32 - Integer.numberOfLeadingZeros(v);
        if (s.packed) {
            s.ev[at++] = l == 0 ? 1 : 1 << 5 | 1;
            at = l == 0 ? at : bits(s, at, l - 1, 5);
        } else {
            int zero = Protocol.SPAN_LONG - 16 * each;
            s.ev[at++] = l == 0 ? zero : l <= 16 ? zero + (l - 1) * each << 16 | each
                    : Protocol.SPAN_LONG
                    + (l - 17) * Protocol.SPAN_LONG_EACH << 16 | Protocol.SPAN_LONG_EACH;
        }
        return l > 1 ? bits(s, at, v, l - 1) : at;
    }

    /** Begins an escape of a kind that has a position. */
    static int escape(State s, int kind) {
        // The reader stands at the last symbol, not at this escape: the distance counts from before
        // ESC is coded.
        int d = s.progress - s.slowProgress;
        int c = (d & ~0xF) == 0 ? 0 : (d & ~0xFF) == 0 ? 1 : (d & ~0xFFFF) == 0 ? 2 : 3;
        int[] ev = s.ev;
        int n = 3;
        if (s.packed) {
            ev[0] = Packed.ESC;
            n = bits(s, bits(s, 1, kind, Protocol.ESCAPE_BITS), c, Protocol.POSITION_CLASS_BITS);
        } else {
            // As bits has it: an interpreter pays for calls.
            ev[0] = ESC;
            ev[1] = kind << 32 - Protocol.ESCAPE_BITS | 1 << 16 - Protocol.ESCAPE_BITS;
            ev[2] = c << 32 - Protocol.POSITION_CLASS_BITS
                    | 1 << 16 - Protocol.POSITION_CLASS_BITS;
        }
        return bits(s, n, s.progress, 4 << c);
    }

    /** Makes END the event. */
    static int end(State s) {
        s.ev[0] = s.packed ? Packed.ESC : ESC;
        return bits(s, 1, Protocol.ESCAPE_END, Protocol.ESCAPE_BITS);
    }

    /** Progress as it goes into checks. */
    static int hash(int progress) {
        return progress * 0x9E3779B1 >>> 16;
    }

    /**
     * Modes of {@link #play}: symbols alone; an escape; then flush and reset; then a check, flush
     * and reset.
     */
    static final int PLAIN = 0;
    static final int ESCAPE = 1;
    static final int FLUSH = 2;
    static final int CLOSE = 3;

    /**
     * Codes the first n slices of the event and what the mode asks for. progress is the progress
     * that the reader has then.
     */
    static void play(State s, int n, int progress, int mode) {
        if (Sink.counts) {
            return;
        }
        s.room = 0;
        if (s.packed) {
            Packed.play(s, n, progress, mode);
            return;
        }
        if (s.q.length - s.qTail < 4 * (n + 3 + s.pending) + 8) {
            makeRoom(s, 4 * (n + 3 + s.pending) + 8);
        }
        // From here on: no calls, no allocation.
        if (s.dead) {
            s.low = 0;
            s.range = State.FULL;
            s.pending = 0;
            return;
        }
        int[] ev = s.ev;
        byte[] q = s.q;
        int at = s.qTail;
        long low = s.low;
        long range = s.range;
        boolean has = s.hasCache;
        int cache = s.cacheWord;
        int pending = s.pending;
        int slow = s.slowProgress;
        int end = mode == CLOSE ? n + 1 : n;
        for (int i = 0; i < end; i++) {
            if (i == n) {
                int hash = progress * 0x9E3779B1 >>> 16;
                // 255 values of 257 each: a check never looks like ESC.
                ev[n] = hash % 255 * 257 << 16 | 257;
                ev[n + 1] = hash / 255 % 255 * 257 << 16 | 257;
                // The second only if a word has come since the last reset.
                end = has || pending != 0 ? n + 2 : n + 1;
            }
            if ((int) (range >>> 31) == 0) {
                int word = (int) (low >>> 31);
                if (low < 0 || word != -1) {
                    int carry = (int) (low >>> 63);
                    if (has) {
                        cache += carry;
                        q[at] = (byte) (cache >>> 24);
                        q[at + 1] = (byte) (cache >>> 16);
                        q[at + 2] = (byte) (cache >>> 8);
                        q[at + 3] = (byte) cache;
                        at += 4;
                    }
                    for (pending <<= 2; pending > 0; pending--) {
                        q[at++] = (byte) (carry - 1);
                    }
                    has = true;
                    cache = word;
                } else {
                    pending++;
                }
                low = (low & 0x7FFFFFFFL) << 32;
                range <<= 32;
                slow = progress;
            }
            int slice = ev[i];
            range >>>= 16;
            low += range * (slice >>> 16);
            range *= (char) slice;
        }
        if (mode >= FLUSH) {
            if (range != State.FULL) {
                int shift = 55;
                long up;
                while ((up = -low & (1L << shift) - 1) + (1L << shift) > range) {
                    shift -= 8;
                }
                low += up;
                int carry = (int) (low >>> 63);
                if (has) {
                    cache += carry;
                    q[at] = (byte) (cache >>> 24);
                    q[at + 1] = (byte) (cache >>> 16);
                    q[at + 2] = (byte) (cache >>> 8);
                    q[at + 3] = (byte) cache;
                    at += 4;
                }
                for (pending <<= 2; pending > 0; pending--) {
                    q[at++] = (byte) (carry - 1);
                }
                for (int b = 55; b >= shift; b -= 8) {
                    q[at++] = (byte) (low >>> b);
                }
            }
            low = 0;
            range = State.FULL;
            has = false;
            pending = 0;
        }
        s.low = low;
        s.range = range;
        s.hasCache = has;
        s.cacheWord = cache;
        s.pending = pending;
        s.slowProgress = mode != PLAIN ? progress : slow;
        s.qTail = at;
    }

    /**
     * As {@link #play} with the mode PLAIN or ESCAPE, and moves the word that comes of it to the
     * slab, if it is one at most and nothing else waits. False: nothing has changed. The way over
     * the queue takes an interpreter several microseconds.
     */
    static boolean direct(State s, int n, int progress, int mode) {
        int used = s.used;
        if (used >= s.room) {
            return false;
        }
        int[] ev = s.ev;
        long low = s.low;
        long range = s.range;
        boolean has = s.hasCache;
        int cache = s.cacheWord;
        int slow = s.slowProgress;
        int out = 0;
        boolean isOut = false;
        for (int i = 0; i < n; i++) {
            if ((int) (range >>> 31) == 0) {
                int word = (int) (low >>> 31);
                if (low >= 0 && word == -1 || isOut) {
                    return false;
                }
                if (has) {
                    out = cache + (int) (low >>> 63);
                    isOut = true;
                }
                has = true;
                cache = word;
                low = (low & 0x7FFFFFFFL) << 32;
                range <<= 32;
                slow = progress;
            }
            int slice = ev[i];
            range >>>= 16;
            low += range * (slice >>> 16);
            range *= (char) slice;
        }
        if (isOut) {
            used += 4;
            // With the mark that ends what is committed, as in Events.step.
            s.buf.putLong(s.base + Sink.HEADER - 4 + used, (long) out << 32 | s.mark | used);
            s.used = used;
            s.total += 4;
        }
        s.low = low;
        s.range = range;
        s.hasCache = has;
        s.cacheWord = cache;
        s.slowProgress = mode != PLAIN ? progress : slow;
        return true;
    }

    /**
     * The announcement of a guarded method below the outermost callback: {@link #escape}, the bits
     * of its id, and {@link #direct}, in one piece. These calls and the fields that each of them
     * reads take an interpreter several microseconds. False: nothing has changed.
     */
    static boolean announce(State s, int id) {
        int used = s.used;
        int progress = s.progress;
        int d = progress - s.slowProgress;
        int idBits = Sink.idBits;
        if (used >= s.room || (d & ~0xFFFF) != 0) {
            return false;
        }
        int id16 = Math.min(idBits, 16);
        int c = (d & ~0xF) == 0 ? 0 : (d & ~0xFF) == 0 ? 1 : 2;
        long low = s.low;
        long range = s.range;
        boolean has = s.hasCache;
        int cache = s.cacheWord;
        int out = 0;
        boolean isOut = false;
        int cum = 0xFFFF;
        int free = 0;
        for (int i = 0, end = id16 == idBits ? 5 : 6; i < end; i++) {
            if ((int) (range >>> 31) == 0) {
                int word = (int) (low >>> 31);
                if (low >= 0 && word == -1 || isOut) {
                    return false;
                }
                if (has) {
                    out = cache + (int) (low >>> 63);
                    isOut = true;
                }
                has = true;
                cache = word;
                low = (low & 0x7FFFFFFFL) << 32;
                range <<= 32;
            }
            range >>>= 16;
            low += range * (char) cum;
            range <<= free;
            if (i == 0) {
                cum = Protocol.ESCAPE_ENTRY << 16 - Protocol.ESCAPE_BITS;
                free = 16 - Protocol.ESCAPE_BITS;
            } else if (i == 1) {
                cum = c << 16 - Protocol.POSITION_CLASS_BITS;
                free = 16 - Protocol.POSITION_CLASS_BITS;
            } else if (i < 4) {
                free = 16 - (i == 2 ? 4 << c : id16);
                cum = (i == 2 ? progress : id) << free;
            } else {
                free = 32 - idBits;
                cum = id >>> 16 << free;
            }
        }
        if (isOut) {
            used += 4;
            // With the mark that ends what is committed, as in Events.step.
            s.buf.putLong(s.base + Sink.HEADER - 4 + used, (long) out << 32 | s.mark | used);
            s.used = used;
            s.total += 4;
        }
        s.low = low;
        s.range = range;
        s.hasCache = has;
        s.cacheWord = cache;
        s.slowProgress = progress;
        return true;
    }

    /** Codes an event of n slices, by the short way if that is possible. */
    static void event(State s, int n, int mode) {
        if (!direct(s, n, s.progress, mode)) {
            play(s, n, s.progress, mode);
        }
    }

    static void makeRoom(State s, int need) {
        drain(s);
        int left = s.qTail - s.qHead;
        if (s.dead) {
            s.qHead = 0;
            s.qTail = 0;
            s.pending = 0;
            return;
        }
        if (left > 65536) {
            // The sink has not taken anything for long (every time on the edge of the stack): give
            // up this thread.
            s.dead = true;
            s.guards = 0;
            s.qHead = 0;
            s.qTail = 0;
            return;
        }
        byte[] q = s.q;
        if (left + need > q.length) {
            try {
                q = new byte[left + need + 512];
            } catch (OutOfMemoryError e) {
                s.dead = true;
                s.guards = 0;
                s.qHead = 0;
                s.qTail = 0;
                return;
            }
        }
        System.arraycopy(s.q, s.qHead, q, 0, left);
        s.q = q;
        s.qHead = 0;
        s.qTail = left;
    }

    /**
     * Moves the queue to the sink. Never throws; what cannot be moved now stays for the next time.
     */
    static void drain(State s) {
        if (s.busy) {
            return;
        }
        if (s.qHead != s.qTail) {
            int token = s.callToken;
            s.busy = true;
            s.room = 0;
            try {
                Sink.drain(s);
            } catch (StackOverflowError e) {
                // The queue is as it was, less what reached the slab.
            } catch (OutOfMemoryError e) {
                // Likewise.
            } catch (ClosedByInterruptException e) {
                // Likewise.
            } catch (Throwable e) {
                s.dead = true;
                s.guards = 0;
            }
            s.callToken = token;
            s.busy = false;
        }
        // The word that a mark follows needs 4 more bytes. A reader of a slab begins where its
        // header has the place: it is not written yet.
        boolean isDue = s.pending != 0 || s.qHead != s.qTail || !s.synced && s.syncAt >= s.total;
        s.room = isDue || s.buf == null || !s.ranged || s.lost != null || Sink.counts || s.dead ? 0
                : s.capacity - (s.next < 0 ? Sink.SPARE : 4) - 3;
    }

    /** Logcat: puts the slab out as a line, now or if it is time. Never throws. */
    static void push(State s, boolean now) {
        if (s.busy) {
            return;
        }
        s.busy = true;
        s.room = 0;
        try {
            if (now || !s.main || Sink.now() - s.lastLine >= 1000 * Protocol.TICKS_PER_MS) {
                LogSink.line(s);
            }
        } catch (Throwable e) {
            // Tried again with the next record.
        }
        s.busy = false;
    }
}
