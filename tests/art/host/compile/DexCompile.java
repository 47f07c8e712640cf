import dalvik.system.*;
import java.io.*;
import java.util.*;
/**
 * DexCompile X.dex[:lib.dex...] : every method of the first file through ART's optimizing compiler,
 * class by class (the rest is class path only). No code of it is run: classes are linked and
 * verified, not initialised. A line per method, then the counts; see ../bin/dexcompile.
 */
public class DexCompile {
  static native void init();
  /**
   * One line per method of the class: `compiled NAME`, `refused NAME REASON` or `bodiless NAME`,
   * tabs between.
   */
  static native String compile(Class<?> c);
  /** How many compilations the compiler has announced in its log. */
  static native long announced();

  public static void main(String[] a) throws Exception {
    System.loadLibrary("dexcompile");
    init();
    PathClassLoader loader = new PathClassLoader(a[0],
                                                 ClassLoader.getSystemClassLoader().getParent());
    String first = a[0].split(":")[0];
    Map<String, Integer> counts = new TreeMap<>();
    PrintStream out =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                        false, "UTF-8");
    for (Enumeration<String> e = new DexFile(first).entries(); e.hasMoreElements();) {
      String name = e.nextElement().replace('/', '.'), lines;
      try {
        lines = compile(Class.forName(name, false, loader));
      } catch (ClassNotFoundException | LinkageError x) {
        lines = "unlinked\t" + name + "\t" + String.valueOf(x).replace('\n', ' ').replace('\t', ' ')
            + "\n";
      }
      for (String line : lines.split("\n")) {
        if (!line.isEmpty()) counts.merge(line.substring(0, line.indexOf('\t')), 1, Integer::sum);
      }
      out.print(lines);
    }
    out.println("announced\t" + announced());
    out.println("done\t" + counts);
    out.flush();
    System.exit(0);
  }
}
