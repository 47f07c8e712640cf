package bench.libs;

import org.apache.commons.lang3.ArrayUtils;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.lang3.math.Fraction;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.commons.lang3.text.WordUtils;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** String and number helpers of commons-lang; size is the number of sentences. */
@SuppressWarnings("deprecation")
public final class Lang implements Workload {
    private static final String[] NUMBERS = {"12", "-7L", "0x1F", "3.25e4", "1.5f", "abc", "",
                                             "0777", "99999999999"};

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        Sum sum = new Sum();
        String last = "start";
        Fraction total = Fraction.ZERO;
        for (int i = 0; i < size; i++) {
            String s = sentence(rng);
            sum.add((long) StringUtils.getLevenshteinDistance(s, last, 20));
            sum.add((long) (100 * StringUtils.getJaroWinklerDistance(s, last)));
            sum.add(WordUtils.wrap(WordUtils.capitalizeFully(s), 20));
            String[] words = StringUtils.splitByCharacterTypeCamelCase(s);
            ArrayUtils.reverse(words);
            sum.add(StringUtils.join(words, "-"));
            sum.add(StringUtils.replaceEach(s, new String[] {"ab", "12", "<"},
                                            new String[] {"X", "YY", "&"}));
            String escaped = StringEscapeUtils.escapeHtml4(s);
            if (!StringEscapeUtils.unescapeHtml4(escaped).equals(s))
                throw new IllegalStateException(escaped);
            sum.add((long) StringUtils.getCommonPrefix(s, last).length());
            String number = NUMBERS[rng.below(NUMBERS.length)];
            if (NumberUtils.isCreatable(number))
                sum.add(NumberUtils.createNumber(number).longValue());
            total = total.add(Fraction.getFraction(rng.below(9) + 1, rng.below(11) + 2)).reduce();
            if (total.getDenominator() > 10_000) total = Fraction.ONE;
            sum.add((long) total.getNumerator());
            last = s;
        }
        return sum.toString();
    }

    private static String sentence(Rng rng) {
        StringBuilder out = new StringBuilder();
        int words = 3 + rng.below(8);
        for (int w = 0; w < words; w++) {
            int length = 1 + rng.below(7);
            for (int i = 0; i < length; i++) {
                int kind = rng.below(12);
                if (kind < 9) out.append((char) ('a' + rng.below(5)));
                else if (kind == 9) out.append((char) ('A' + rng.below(5)));
                else if (kind == 10) out.append(rng.below(30));
                else out.append("<&\u00e9\"".charAt(rng.below(4)));
            }
            out.append(' ');
        }
        return out.toString();
    }
}
