import dalvik.system.DexFile;
import dalvik.system.PathClassLoader;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * DexCompile X.dex[:lib.dex...] : every method of the first file through ART 14's optimizing
 * compiler (the rest is class path only). No code of it is run: classes are linked and verified,
 * not initialised. The lines are those of ../../host/bin/dexcompile; a compiled method has the
 * bytes of its native code behind it, and the compiler's counters come last.
 */
public class DexCompile {
  static native void init();
  /** Verifies a class: others may inline its methods from then on. */
  static native void verify(Class<?> c);
  /**
   * One line per method of the class: `compiled NAME BYTES`, `refused NAME REASON` or `bodiless
   * NAME`, tabs between.
   */
  static native String compile(Class<?> c);
  /** How many compilations the compiler has announced in its log. */
  static native long announced();

  public static void main(String[] a) throws Exception {
    System.loadLibrary("dexcompile");
    init();
    PathClassLoader loader = new PathClassLoader(a[0],
                                                 ClassLoader.getSystemClassLoader().getParent());
    Map<String, Integer> counts = new TreeMap<>();
    PrintStream out =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                        false, "UTF-8");
    List<Class<?>> classes = new ArrayList<>();
    for (Enumeration<String> e = new DexFile(a[0].split(":")[0]).entries(); e.hasMoreElements();) {
      String name = e.nextElement().replace('/', '.');
      try {
        classes.add(Class.forName(name, false, loader));
      } catch (ClassNotFoundException | LinkageError x) {
        out.println("unlinked\t" + name + "\t"
            + String.valueOf(x).replace('\n', ' ').replace('\t', ' '));
        counts.merge("unlinked", 1, Integer::sum);
      }
    }
    for (Class<?> c : classes) verify(c);
    for (Class<?> c : classes) {
      String lines = compile(c);
      for (String line : lines.split("\n")) {
        if (!line.isEmpty()) counts.merge(line.substring(0, line.indexOf('\t')), 1, Integer::sum);
      }
      out.print(lines);
    }
    out.println("announced\t" + announced());
    out.println("done\t" + counts);
    // The runtime prints its counters when it ends: no System.exit.
    out.flush();
  }
}
