package bench.libs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * Gson turns objects into JSON and back, by reflection and as a tree; size is the number of orders.
 */
public final class Gson implements Workload {
    /** An order. */
    static final class Order {
        long id;
        String customer;
        boolean paid;
        double weight;
        int[] codes;
        List<Item> items = new ArrayList<>();
        Map<String, String> notes = new LinkedHashMap<>();
    }

    /** A line of an order. */
    static final class Item {
        String name;
        int count;
        Double discount;
    }

    private final com.google.gson.Gson gson = new GsonBuilder().disableHtmlEscaping().create();

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < size; i++) orders.add(order(rng, i));
        String text = gson.toJson(orders);
        Order[] again = gson.fromJson(text, Order[].class);
        if (!gson.toJson(again).equals(text)) throw new IllegalStateException("not the same again");
        Sum sum = new Sum();
        sum.add(text);
        sum.add(count(JsonParser.parseString(text)));
        return sum.toString();
    }

    private static Order order(Rng rng, int number) {
        Order o = new Order();
        o.id = rng.next();
        o.customer = "Name \"" + rng.below(50) + "\" \u00e4\u4e2d\n";
        o.paid = rng.below(3) == 0;
        o.weight = rng.below(10_000) / 8.0;
        o.codes = new int[rng.below(6)];
        for (int i = 0; i < o.codes.length; i++) o.codes[i] = rng.below(1 << 20);
        int items = 1 + rng.below(5);
        for (int i = 0; i < items; i++) {
            Item item = new Item();
            item.name = "item-" + rng.below(300);
            item.count = 1 + rng.below(9);
            if (rng.below(4) == 0) item.discount = rng.below(100) / 100.0;
            o.items.add(item);
        }
        if (rng.below(2) == 0) o.notes.put("note" + number % 7, "<b>urgent</b>");
        return o;
    }

    private static long count(JsonElement e) {
        if (e.isJsonArray()) {
            long n = 1;
            for (JsonElement x : e.getAsJsonArray()) n += count(x);
            return n;
        }
        if (e.isJsonObject()) {
            long n = 2;
            for (Map.Entry<String, JsonElement> x : e.getAsJsonObject().entrySet())
                n += x.getKey().length() + count(x.getValue());
            return n;
        }
        return e.isJsonNull() ? 3 : e.getAsJsonPrimitive().isNumber() ? 5 : 7;
    }
}
