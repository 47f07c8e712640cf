package bench.libs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.XXHash32;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * commons-compress packs files into a tar, compresses it with bzip2, and takes it apart again; size
 * is in bytes.
 */
public final class Compress implements Workload {
    @Override
    public String run(int size, long seed) throws IOException {
        byte[] tar = archive(new Rng(seed), size);
        ByteArrayOutputStream bzip2 = new ByteArrayOutputStream();
        try (OutputStream out = new BZip2CompressorOutputStream(bzip2, 1)) {
            out.write(tar);
        }
        Sum sum = new Sum();
        sum.add((long) Arrays.hashCode(bzip2.toByteArray()));
        XXHash32 hash = new XXHash32();
        hash.update(tar, 0, tar.length);
        sum.add(hash.getValue());
        try (InputStream in =
             new BZip2CompressorInputStream(new ByteArrayInputStream(bzip2.toByteArray()))) {
            check(tar, in);
        }
        try (TarArchiveInputStream in = new TarArchiveInputStream(new ByteArrayInputStream(tar))) {
            for (TarArchiveEntry e = in.getNextTarEntry(); e != null; e = in.getNextTarEntry())
                sum.add(e.getName());
        }
        return sum.toString();
    }

    private static byte[] archive(Rng rng, int size) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream out = new TarArchiveOutputStream(bytes)) {
            for (int i = 0; i < 4; i++) {
                byte[] content = content(rng, size / 4, i);
                TarArchiveEntry entry = new TarArchiveEntry("folder/file" + i);
                entry.setSize(content.length);
                entry.setModTime(0);
                out.putArchiveEntry(entry);
                out.write(content);
                out.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    /** Words, numbers, noise, and long runs. */
    private static byte[] content(Rng rng, int size, int kind) {
        byte[] out = new byte[size];
        int i = 0;
        while (i < size) {
            int length = kind == 3 ? 1 + rng.below(300) : 3 + rng.below(6);
            int word = rng.below(200);
            for (int k = 0; k < length && i < size; k++) {
                if (kind == 0) out[i++] = (byte) ('a' + (word * 7 + k * k) % 26);
                else if (kind == 1) out[i++] = (byte) (k == 0 ? ' ' : '0' + rng.below(10));
                else if (kind == 2) out[i++] = (byte) rng.next();
                else out[i++] = (byte) word;
            }
        }
        return out;
    }

    private static void check(byte[] expected, InputStream in) throws IOException {
        byte[] got = new byte[expected.length];
        int n = 0;
        while (n < got.length) {
            int r = in.read(got, n, got.length - n);
            if (r < 0) break;
            n += r;
        }
        if (n != got.length || in.read() >= 0 || !Arrays.equals(expected, got))
            throw new IllegalStateException("not the same again");
    }
}
