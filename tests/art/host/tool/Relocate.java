import java.io.*; import java.util.*; import java.util.zip.*;
import org.objectweb.asm.*; import org.objectweb.asm.commons.*;
/** Relocate IN.jar OUT.jar : com.ibm.icu -> android.icu (classes, resources, string constants). */
public class Relocate {
  static String m(String s){
    return s.replace("com/ibm/icu","android/icu").replace("com.ibm.icu","android.icu");
  }
  public static void main(String[] a) throws Exception {
    try (ZipFile z=new ZipFile(a[0]);
         ZipOutputStream o=new ZipOutputStream(new FileOutputStream(a[1]))) {
      for (Enumeration<? extends ZipEntry> e=z.entries(); e.hasMoreElements();) {
        ZipEntry x=e.nextElement();
        if (x.isDirectory()||x.getName().startsWith("META-INF")) continue;
        byte[] b=z.getInputStream(x).readAllBytes();
        if (x.getName().endsWith(".class")) {
          ClassReader r=new ClassReader(b); ClassWriter w=new ClassWriter(0);
          r.accept(new ClassRemapper(w,new Remapper(){
            public String map(String n){ return n.startsWith("com/ibm/icu")?m(n):n; }
            public Object mapValue(Object v){
              return v instanceof String? m((String)v):super.mapValue(v);
            }
          }),0); b=w.toByteArray();
        }
        else if (x.getName().endsWith(".properties")) b=
            m(new String(b,"ISO-8859-1")).getBytes("ISO-8859-1");
        o.putNextEntry(new ZipEntry(m(x.getName()))); o.write(b); o.closeEntry();
      }
    }
  }
}
