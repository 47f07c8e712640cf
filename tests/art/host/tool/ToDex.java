import java.io.*; import java.nio.file.*; import java.util.*;
/** ToDex IN(dir|jar) OUT(.dex|.jar) [MINAPI=28] [dx options...] : desugar lambdas, then dx. */
public class ToDex {
  public static void main(String[] a) throws Exception {
    final File tmp=Files.createTempDirectory("todex").toFile();
    Desugar.main(new String[]{a[0],tmp.getPath()});
    List<String> l=new ArrayList<>(Arrays.asList("--core-library","--no-strict","--min-sdk-version="
                                                 +(a.length>2?a[2]:"28"),"--output="+a[1]));
    for(int i=3;i<a.length;i++) l.add(a[i]);
    l.add(tmp.getPath());
    Runtime.getRuntime().addShutdownHook(new Thread(()->rm(tmp)));
    com.android.dx.command.dexer.Main.main(l.toArray(new String[0]));
  }
  static void rm(File f){ File[] k=f.listFiles(); if(k!=null) for(File x:k) rm(x); f.delete(); }
}
