package org.example.tether;

/** A binary trie of address prefixes. */
final class Routes {
    private Routes zero;
    private Routes one;
    private String target;

    void add(String prefix, String to) {
        int slash = prefix.indexOf('/');
        int address = Address.parse(prefix.substring(0, slash));
        insert(address, Integer.parseInt(prefix.substring(slash + 1)), to);
    }

    private void insert(int bits, int left, String to) {
        if (left == 0) {
            target = to;
        } else if (bits >= 0) {
            if (zero == null) zero = new Routes();
            zero.insert(bits << 1, left - 1, to);
        } else {
            if (one == null) one = new Routes();
            one.insert(bits << 1, left - 1, to);
        }
    }

    String find(int address) {
        Routes next = address < 0 ? one : zero;
        String deeper = next == null ? null : next.find(address << 1);
        return deeper != null ? deeper : target;
    }

    int depth() {
        return 1 + Math.max(zero == null ? 0 : zero.depth(), one == null ? 0 : one.depth());
    }
}
