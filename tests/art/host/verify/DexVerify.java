import dalvik.system.*;
import java.util.*;
/**
 * DexVerify [-v] [-q] X.dex[:lib.dex...] : verify all classes of the first file (the rest is class
 * path only).
 */
public class DexVerify {
  static native void init(boolean verbose);
  static native String verify(Class<?> c);
  public static void main(String[] a) throws Exception {
    boolean v = false, q = false; int i = 0;
    for (; i < a.length && a[i].startsWith("-"); i++) {
      if (a[i].equals("-v")) v = true;
      if (a[i].equals("-q")) q = true;
    }
    System.loadLibrary("dexverify"); init(v);
    String path = a[i];
    PathClassLoader cl = new PathClassLoader(path, ClassLoader.getSystemClassLoader().getParent());
    String first = path.split(":")[0]; DexFile d = new DexFile(first);
    Map<String, Integer> n = new TreeMap<>(); 
    for (Enumeration<String> e = d.entries(); e.hasMoreElements();) {
      String name = e.nextElement(), r;
      try { r = verify(Class.forName(name.replace('/', '.'), false, cl)); }
      catch (ClassNotFoundException | LinkageError x) { r = "UNLINKED " + x; }
      String k = r.split(" ")[0]; n.merge(k, 1, Integer::sum);
      if (!r.equals("OK") && !(q && !k.equals("HARD")))
        System.out.println(k + " " + name + " " + r.substring(k.length()).trim());
    }
    System.out.println(first + " " + n);
    System.out.flush(); System.exit(n.containsKey("HARD") ? 1 : 0);
  }
}
