package pathlight;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Checksums of what lies in buffers. */
final class Checksum {
    /** The platform has no {@link CRC32#update(ByteBuffer)}: it came with Android 8. */
    private static boolean copies;

    private Checksum() {}

    /** Adds what is left of a buffer to a checksum. */
    static void update(CRC32 crc, ByteBuffer b) {
        if (!copies) {
            try {
                crc.update(b);
                return;
            } catch (NoSuchMethodError e) {
                copies = true;
            }
        }
        // Piece by piece: a copy of the whole would be the app's garbage.
        byte[] piece = new byte[Math.min(1024, b.remaining())];
        while (b.hasRemaining()) {
            int n = Math.min(piece.length, b.remaining());
            b.get(piece, 0, n);
            crc.update(piece, 0, n);
        }
    }
}
