//! Small classes whose first method is the first of a process that has a probe.

use std::fmt::Write as _;

/// Arrival of a process at a shape's code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ShapeEntry {
    /// A static method.
    Static,
    /// A static initializer.
    Initializer,
    /// A constructor.
    Constructor,
    /// A method of an interface of the app, which a call with several targets can reach.
    Virtual,
    /// A method of an interface of the platform.
    Callback,
}

impl ShapeEntry {
    const ALL: [ShapeEntry; 5] = [
        ShapeEntry::Static,
        ShapeEntry::Initializer,
        ShapeEntry::Constructor,
        ShapeEntry::Virtual,
        ShapeEntry::Callback,
    ];

    fn name(self) -> &'static str {
        match self {
            ShapeEntry::Static => "Static",
            ShapeEntry::Initializer => "Initializer",
            ShapeEntry::Constructor => "Constructor",
            ShapeEntry::Virtual => "Virtual",
            ShapeEntry::Callback => "Callback",
        }
    }

    /// The types that the class has for it.
    fn types(self) -> &'static str {
        match self {
            ShapeEntry::Static | ShapeEntry::Initializer | ShapeEntry::Constructor => "",
            ShapeEntry::Virtual => " implements Op",
            ShapeEntry::Callback => " implements java.util.concurrent.Callable<Integer>",
        }
    }

    /// The member that holds the statements, which compute `r` from `n`.
    fn member(self, class: &str, statements: &str) -> String {
        match self {
            ShapeEntry::Static => {
                format!("public static int go(int n) {{ int r = n; {statements} return r; }}")
            }
            ShapeEntry::Initializer => format!(
                "public static int result; \
                 static {{ int n = spare + 5; int r = n; {statements} result = r; }}"
            ),
            ShapeEntry::Constructor => format!(
                "public final int result; \
                 public {class}(int n) {{ int r = n; {statements} result = r; }}"
            ),
            ShapeEntry::Virtual => {
                format!("public int apply(int n) {{ int r = n; {statements} return r; }}")
            }
            ShapeEntry::Callback => format!(
                "public Integer call() {{ int n = spare + 5; int r = n; {statements} return r; }}"
            ),
        }
    }
}

/// Code whose probes differ: statements that compute `r` from `n`, which is 5, and what they need
/// of the class, which they name `Self`.
struct Body {
    name: &'static str,
    statements: &'static str,
    members: &'static str,
}

const fn body(name: &'static str, statements: &'static str, members: &'static str) -> Body {
    Body { name, statements, members }
}

const BODIES: &[Body] = &[
    body("Nothing", "r += spare;", ""),
    body("Branch", "if (n > 3) r += 2; else r -= 1;", ""),
    body(
        "Packed",
        "switch (n) { case 3: r = 7; break; case 4: r = 8; break; case 5: r = 9; break; \
         case 6: r = 10; break; default: r = 0; }",
        "",
    ),
    body(
        "Sparse",
        "switch (n) { case -9: r = 1; break; case 5: r = 2; break; case 5000: r = 3; break; \
         case 700000: r = 4; break; default: r = 0; }",
        "",
    ),
    body("Counted", "for (int i = 0; i < n; i++) r += i;", ""),
    body("Long", "for (int i = 0; i < n * 5000; i++) r ^= i;", ""),
    body("Loop", "for (int i = 0; i < n; i++) { if ((i & 1) == 0) r += i; else r--; }", ""),
    body("While", "while (r < 1000) { r = r * 3 + (r & 1); if (r % 7 == 0) r++; }", ""),
    body(
        "Caught",
        "try { r = Integer.parseInt(\"x\" + n); } catch (NumberFormatException e) { r = -1; }",
        "",
    ),
    body("Thrown", "if (n < 100) throw new IllegalStateException(\"wanted\");", ""),
    body(
        "Unwound",
        "try { refuse(n); } catch (IllegalStateException e) { r = -2; }",
        "static void refuse(int v) { if (v > 0) throw new IllegalStateException(); }",
    ),
    body(
        "Recursion",
        "r = halvings(n * 100);",
        "static int halvings(int v) { return v > 1 ? halvings(v / 2) + 1 : 0; }",
    ),
    body(
        "Slot",
        "Op[] ops = { new Add(), new Take() }; for (Op op : ops) r += op.apply(n);",
        "static final class Add implements Op { \
             public int apply(int v) { return v > 2 ? v + 1 : v; } } \
         static final class Take implements Op { public int apply(int v) { return v - 1; } }",
    ),
    body(
        "Callback",
        "java.util.TreeSet<String> set = new java.util.TreeSet<String>(new Order()); \
         set.add(\"b\"); set.add(\"a\"); r = set.size();",
        "static final class Order implements java.util.Comparator<String> { \
             public int compare(String a, String b) { return a.compareTo(b); } }",
    ),
    body(
        "Members",
        "r = Self.class.getDeclaredMethods().length * 10 \
             + Self.class.getDeclaredConstructors().length;",
        "static int own(int v) { return v > 0 ? v : -v; }",
    ),
    body(
        "Straight",
        "r = outer(n);",
        "static int outer(int v) { return inner(v) + inner(v + 1); } \
         static int inner(int v) { return least(v) + least(v * 2); } \
         static int least(int v) { return v; }",
    ),
    body("Lock", "synchronized (Main.class) { int[] a = new int[n]; a[1] = n; r += a[1]; }", ""),
    body(
        "Thread",
        "Worker w = new Worker(); Thread t = new Thread(w); t.start(); \
         try { t.join(); } catch (InterruptedException e) { r = 0; } r += w.sum;",
        "static final class Worker implements Runnable { int sum; \
             public void run() { for (int i = 0; i < 9; i++) if (i % 2 == 0) sum += i; } }",
    ),
];

/// A class whose code is the first of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartShape {
    /// The class.
    pub name: String,
    /// Position of its entry among the entries.
    entry: usize,
    /// Position of its body among the bodies.
    body: usize,
}

impl StartShape {
    /// Every shape.
    pub fn all() -> Vec<StartShape> {
        let shape = |entry: usize, body: usize| StartShape {
            name: format!("{}{}", ShapeEntry::ALL[entry].name(), BODIES[body].name),
            entry,
            body,
        };
        let entries = 0..ShapeEntry::ALL.len();
        entries.flat_map(|e| (0..BODIES.len()).map(move |b| shape(e, b))).collect()
    }

    /// True if a build runs it on a VM. Builds take the VMs in turn. The body with one decision
    /// runs from every entry; the others from one, by turns too.
    pub fn is_due(&self, build: usize, vm: usize, vms: usize) -> bool {
        let turn = self.body + build;
        match self.body {
            1 => vm == (turn + self.entry) % vms,
            _ => self.entry == turn % ShapeEntry::ALL.len() && vm == turn % vms,
        }
    }
}

/// Java sources, as file names and texts: a class for each shape, the interface `Op`, and `Main`,
/// which has no probes. Its argument names the shape that comes first; then it runs all of them.
pub fn sources() -> Vec<(String, String)> {
    let op = "public interface Op { int apply(int n); }\n".to_owned();
    let mut all = vec![("Main.java".to_owned(), main_class()), ("Op.java".to_owned(), op)];
    for shape in StartShape::all() {
        let (entry, body, class) = (ShapeEntry::ALL[shape.entry], &BODIES[shape.body], &shape.name);
        let code = entry.member(class, &body.statements.replace("Self", class));
        let text = format!(
            "public final class {class}{} {{ static int spare; {code} {} }}\n",
            entry.types(),
            body.members
        );
        all.push((format!("{class}.java"), text));
    }
    all
}

const MAIN: &str = r#"
    static String run(String name) {
        try {
            Class<?> c = Class.forName(name);
            if (name.startsWith("Static")) {
                return name + " " + c.getMethod("go", int.class).invoke(null, 5);
            } else if (name.startsWith("Initializer")) {
                return name + " " + c.getField("result").getInt(null);
            } else if (name.startsWith("Constructor")) {
                Object o = c.getConstructor(int.class).newInstance(5);
                return name + " " + c.getField("result").getInt(o);
            }
            Object o = c.getConstructor().newInstance();
            return name + " " + (name.startsWith("Virtual") ? ((Op) o).apply(5)
                    : ((java.util.concurrent.Callable<?>) o).call());
        } catch (Throwable t) {
            return name + " " + t.getClass().getName() + " " + t.getCause();
        }
    }

    public static void main(String[] args) {
        System.out.println(run(args[0]));
        for (String name : NAMES) System.out.println(run(name));
    }
"#;

fn main_class() -> String {
    let mut list = String::new();
    for shape in StartShape::all() {
        let _ = write!(list, "\"{}\", ", shape.name);
    }
    format!("public final class Main {{\n    static final String[] NAMES = {{{list}}};\n{MAIN}}}\n")
}
