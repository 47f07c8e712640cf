package org.example.tether;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Decides what happens to a packet. */
interface Filter {
    enum Verdict { ACCEPT, DROP, NEXT }

    Verdict judge(Packet p);

    /** Lets everything through that came so far. */
    final class Open implements Filter {
        @Override
        public Verdict judge(Packet p) { return Verdict.ACCEPT; }
    }

    /** Drops packets to ports on its list. */
    final class Ports implements Filter {
        private final int[] blocked;

        Ports(int... ports) {
            blocked = ports.clone();
            Arrays.sort(blocked);
        }

        @Override
        public Verdict judge(Packet p) {
            return Arrays.binarySearch(blocked, p.port) >= 0 ? Verdict.DROP : Verdict.NEXT;
        }
    }

    /** A token bucket per client. */
    final class Rate implements Filter {
        private final Map<Integer, int[]> buckets = new HashMap<>();
        private final int burst;

        Rate(int burst) { this.burst = burst; }

        @Override
        public Verdict judge(Packet p) {
            int[] b = buckets.get(p.from);
            if (b == null) buckets.put(p.from, b = new int[] {burst});
            if (b[0] < p.size) {
                b[0] = Math.min(burst, b[0] + burst / 3);
                return Verdict.DROP;
            }
            b[0] -= p.size;
            return Verdict.NEXT;
        }
    }

    /** Refuses fragments and nonsense by throwing, as a parser would. */
    final class Sanity implements Filter {
        @Override
        public Verdict judge(Packet p) {
            if (p.size <= 0) throw new IllegalArgumentException("empty packet");
            if (p.protocol == Packet.ICMP && p.size > 1500) {
                throw new IllegalArgumentException("ping of death");
            }
            return p.from == p.to ? Verdict.DROP : Verdict.NEXT;
        }
    }

    /** Asks each in turn. */
    final class Chain implements Filter {
        private final Filter[] filters;
        int errors;

        Chain(Filter... filters) { this.filters = filters; }

        @Override
        public Verdict judge(Packet p) {
            for (Filter f : filters) {
                try {
                    Verdict v = f.judge(p);
                    if (v != Verdict.NEXT) return v;
                } catch (IllegalArgumentException e) {
                    errors++;
                    return Verdict.DROP;
                }
            }
            return Verdict.DROP;
        }
    }
}
