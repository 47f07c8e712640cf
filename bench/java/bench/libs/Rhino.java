package bench.libs;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.Scriptable;

import bench.Sum;
import bench.Workload;

/** Rhino interprets a script: queens, a table of words, and objects that call each other. */
public final class Rhino implements Workload {
    private static final String SCRIPT =
            "function Queue() { this.items = []; }\n"
            + "Queue.prototype.put = function (task) { this.items.push(task); };\n"
            + "Queue.prototype.take = function () { return this.items.shift(); };\n"
            + "function queens(n, row, cols, up, down) {\n"
            + "  if (row === n) return 1;\n"
            + "  var found = 0;\n"
            + "  for (var c = 0; c < n; c++) {\n"
            + "    if (cols[c] || up[row + c] || down[row - c + n]) continue;\n"
            + "    cols[c] = up[row + c] = down[row - c + n] = true;\n"
            + "    found += queens(n, row + 1, cols, up, down);\n"
            + "    cols[c] = up[row + c] = down[row - c + n] = false;\n"
            + "  }\n"
            + "  return found;\n"
            + "}\n"
            + "function words(count, seed) {\n"
            + "  var table = {}, text = '', state = seed;\n"
            + "  for (var i = 0; i < count; i++) {\n"
            + "    state = (state * 1103515245 + 12345) % 2147483648;\n"
            + "    var word = 'w' + (state % 37);\n"
            + "    table[word] = (table[word] || 0) + 1;\n"
            + "    if (table[word] % 5 === 0) text += word.substring(0, 2).toUpperCase() + ';';\n"
            + "  }\n"
            + "  var best = '';\n"
            + "  for (var k in table) if (best === '' || table[k] > table[best]) best = k;\n"
            + "  return best + text.length;\n"
            + "}\n"
            + "function tasks(count, seed) {\n"
            + "  var queue = new Queue(), done = 0, state = seed;\n"
            + "  for (var i = 0; i < 10; i++) queue.put({ left: i + 3, "
            + "run: function () { return --this.left > 0; } });\n"
            + "  while (count-- > 0) {\n"
            + "    var task = queue.take();\n"
            + "    if (task === undefined) break;\n"
            + "    state = (state * 69069 + 1) % 4294967296;\n"
            + "    switch (state % 4) {\n"
            + "      case 0: task.left += 2; queue.put(task); break;\n"
            + "      case 1: queue.put(task); break;\n"
            + "      default: if (task.run()) queue.put(task); "
            + "else { done++; queue.put({ left: 4, run: task.run }); }\n"
            + "    }\n"
            + "  }\n"
            + "  return done;\n"
            + "}\n"
            + "queens(5, 0, [], [], []) + '/' + words(size, seed) + '/' + tasks(size, seed);\n";

    @Override
    public String run(int size, long seed) {
        Context context = Context.enter();
        try {
            // Rhino's compiler writes class files, which only a JVM loads: apps interpret.
            context.setOptimizationLevel(-1);
            Scriptable scope = context.initStandardObjects();
            scope.put("size", scope, size);
            scope.put("seed", scope, (int) seed);
            Script script = context.compileString(SCRIPT, "bench.js", 1, null);
            Sum sum = new Sum();
            sum.add(Context.toString(script.exec(context, scope)));
            return sum.toString();
        } finally {
            Context.exit();
        }
    }
}
