package bench.libs;

import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.safety.Safelist;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * jsoup parses careless HTML, selects, changes, cleans and prints it; size is the number of
 * articles.
 */
public final class Jsoup implements Workload {
    /**
     * No protocols: looking at those asks the platform for its HTTP client, which ART on a PC has
     * not.
     */
    private static final Safelist KEPT = Safelist.simpleText()
            .addTags("p", "h2", "td", "tr", "table").addAttributes("p", "class");
    private static final String[] TAGS = {"b", "i", "em", "span class='x y'",
                                          "a href='/q?a=1&amp;b=2'", "code", "u"};

    @Override
    public String run(int size, long seed) {
        String html = page(new Rng(seed), size);
        Document page = org.jsoup.Jsoup.parse(html, "http://example.org/");
        Sum sum = new Sum();
        for (Element e : page.select(
            "div.article > p:has(a), table tr:nth-child(2n) td, h2 ~ p em")) {
            sum.add(e.text());
            e.attr("data-n", Integer.toString(e.siblingIndex()));
        }
        for (Element a : page.select("a[href]")) sum.add(a.attr("href"));
        sum.add(org.jsoup.Jsoup.clean(html, KEPT));
        sum.add(page.outerHtml());
        return sum.toString();
    }

    private static String page(Rng rng, int articles) {
        StringBuilder out = new StringBuilder(
            "<html><head><title>T</title><script>if (a < b) x('</p>');</script><body>");
        for (int i = 0; i < articles; i++) {
            out.append("<div class=").append(rng.below(4) == 0 ? "note" : "article").append(" id=n")
                    .append(i).append("><h2>Title ").append(i).append("</h2>");
            int paragraphs = 1 + rng.below(4);
            for (int p = 0; p < paragraphs; p++) {
                out.append("<p>");
                inline(out, rng, 3);
                if (rng.below(3) > 0) out.append("</p>");
            }
            if (rng.below(3) == 0) {
                out.append("<table>");
                for (int r = 0; r < 4; r++)
                    out.append("<tr><td>").append(rng.below(1000)).append("<td>&copy; &#")
                            .append(200 + rng.below(90)).append(";</tr>");
                out.append("</table>");
            }
            if (rng.below(5) == 0)
                out.append("<!-- remark ").append(i).append(" --><script>alert(1)</script>");
            out.append("</div>\n");
        }
        return out.toString();
    }

    private static void inline(StringBuilder out, Rng rng, int depth) {
        int parts = 2 + rng.below(4);
        for (int i = 0; i < parts; i++) {
            out.append(" word").append(rng.below(100));
            if (depth > 0 && rng.below(3) == 0) {
                String tag = TAGS[rng.below(TAGS.length)];
                out.append('<').append(tag).append('>');
                inline(out, rng, depth - 1);
                // Some are closed in the wrong order, some never.
                if (rng.below(8) > 0) out.append("</").append(tag.split(" ")[0]).append('>');
            }
        }
    }
}
