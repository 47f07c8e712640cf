package bench.libs;

import java.util.EnumMap;
import java.util.Map;

import com.google.zxing.BarcodeFormat;
import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.MultiFormatReader;
import com.google.zxing.MultiFormatWriter;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.ReaderException;
import com.google.zxing.WriterException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.HybridBinarizer;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * ZXing finds and reads codes of several kinds in noisy pictures; size is the number of pictures.
 */
public final class Zxing implements Workload {
    private static final BarcodeFormat[] KINDS = {BarcodeFormat.QR_CODE, BarcodeFormat.DATA_MATRIX,
                                                  BarcodeFormat.CODE_128, BarcodeFormat.AZTEC};
    private static final int SIDE = 160;

    @Override
    public String run(int size, long seed) throws WriterException {
        Rng rng = new Rng(seed);
        Sum sum = new Sum();
        Map<DecodeHintType, Object> hints = new EnumMap<>(DecodeHintType.class);
        hints.put(DecodeHintType.TRY_HARDER, Boolean.TRUE);
        for (int i = 0; i < size; i++) {
            StringBuilder text = new StringBuilder();
            int length = 5 + rng.below(12);
            while (text.length() < length) text.append((char) ('A' + rng.below(26)));
            int[] pixels = picture(rng, KINDS[i % KINDS.length], text.toString());
            BinaryBitmap bitmap = new BinaryBitmap(
                new HybridBinarizer(new RGBLuminanceSource(SIDE, SIDE, pixels)));
            try {
                sum.add(new MultiFormatReader().decode(bitmap, hints).getText());
            } catch (ReaderException e) {
                sum.add(-1L);
            }
        }
        return sum.toString();
    }

    private static int[] picture(Rng rng, BarcodeFormat kind, String text) throws WriterException {
        BitMatrix code = new MultiFormatWriter().encode(text, kind, SIDE - 40, SIDE - 40);
        int left = (SIDE - code.getWidth()) / 2;
        int top = (SIDE - code.getHeight()) / 2;
        int[] pixels = new int[SIDE * SIDE];
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                int cx = x - left;
                int cy = y - top;
                boolean dark = cx >= 0 && cy >= 0 && cx < code.getWidth() && cy < code.getHeight()
                        && code.get(cx, cy);
                int grey = (dark ? 40 : 210) + rng.below(40);
                if (rng.below(400) == 0) grey = 250 - grey;
                pixels[y * SIDE + x] = grey * 0x010101;
            }
        }
        return pixels;
    }
}
