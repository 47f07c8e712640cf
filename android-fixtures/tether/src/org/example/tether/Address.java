package org.example.tether;

final class Address {
    static final int BASE = 192 << 24 | 168 << 16 | 2 << 8;

    private Address() {}

    static String format(int a) {
        if (a == -1) return "-";
        StringBuilder b = new StringBuilder();
        for (int shift = 24; ; shift -= 8) {
            b.append(a >>> shift & 255);
            if (shift == 0) return b.toString();
            b.append('.');
        }
    }

    static int parse(String s) {
        int value = 0, part = -1, parts = 0;
        for (int i = 0; i <= s.length(); i++) {
            char c = i < s.length() ? s.charAt(i) : '.';
            if (c >= '0' && c <= '9') {
                part = (part < 0 ? 0 : part * 10) + (c - '0');
            } else if (c == '.') {
                if (part < 0 || part > 255 || ++parts > 4) {
                    throw new IllegalArgumentException("bad address " + s);
                }
                value = value << 8 | part;
                part = -1;
            } else {
                throw new IllegalArgumentException("bad letter in " + s);
            }
        }
        if (parts != 4) throw new IllegalArgumentException("too short: " + s);
        return value;
    }
}
