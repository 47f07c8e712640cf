package pathlight;

/**
 * UTF-8 of names, as readers expect it. (The platform's encoder writes a question mark for half a
 * surrogate pair.)
 */
final class Utf8 {
    /** Stands for half a surrogate pair. */
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /** Returns the longest part of a text's beginning that takes at most this many bytes. */
    static byte[] encode(String text, int most) {
        byte[] bytes = new byte[most];
        int length = 0;
        int i = 0;
        while (i < text.length()) {
            int point = point(text, i);
            int more = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (length + more > most) {
                break;
            }
            put(bytes, length, point, more);
            length += more;
            i += more == 4 ? 2 : 1;
        }
        byte[] out = new byte[length];
        System.arraycopy(bytes, 0, out, 0, length);
        return out;
    }

    /** Writes a code point: the last bytes have six bits each, the first one has what is left. */
    private static void put(byte[] to, int at, int point, int bytes) {
        for (int i = bytes - 1; i > 0; i--) {
            to[at + i] = (byte) (0x80 | point & 0x3F);
            point >>>= 6;
        }
        // As many ones as there are bytes, then a zero.
        to[at] = (byte) (bytes == 1 ? point : 0xF00 >>> bytes | point);
    }

    /** Returns the code point that begins at a place. */
    private static int point(String text, int at) {
        char c = text.charAt(at);
        if (c < 0xD800 || c > 0xDFFF) {
            return c;
        }
        char next = c < 0xDC00 && at + 1 < text.length() ? text.charAt(at + 1) : 0;
        if (next < 0xDC00 || next > 0xDFFF) {
            return REPLACEMENT;
        }
        return 0x10000 + (c - 0xD800 << 10 | next - 0xDC00);
    }
}
