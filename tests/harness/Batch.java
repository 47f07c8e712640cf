import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Runs javac, D8, baksmali and smali many times in one JVM, because each is slow to start. One job
 * per line on standard input, fields separated by tabs; one answer per line on standard output:
 * "ok" or "fail", a tab, what went wrong.
 *
 *   javac OUTDIR SRC...          d8 MIN_API OUT.dex IN...
 *   baksmali API IN OUTDIR       smali API OUT.dex DIR...
 */
public final class Batch {
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream answers = System.out;
        System.setOut(System.err);
        for (String line; (line = in.readLine()) != null; ) {
            String answer;
            try {
                answer = run(line.split("\t")) ? "ok\t" : "fail\tsee stderr";
            } catch (Throwable e) {
                Throwable c = e.getCause() == null ? e : e.getCause();
                c.printStackTrace();
                answer = "fail\t" + c.toString().replace('\n', ' ');
            }
            answers.println(answer);
            answers.flush();
        }
    }

    private static boolean run(String[] job) throws Exception {
        switch (job[0]) {
            case "javac": {
                List<String> a = new ArrayList<>(List.of(
                    "-nowarn", "-g", "-proc:none", "-Xlint:none", "--release", "8", "-d", job[1]));
                for (int i = 2; i < job.length; i++) a.add(job[i]);
                return JAVAC.run(null, System.err, System.err, a.toArray(new String[0])) == 0;
            }
            case "d8": {
                File tmp = new File(job[2] + ".d8");
                tmp.mkdirs();
                List<String> a = new ArrayList<>(List.of("--min-api"));
                // The level, and options behind it.
                a.addAll(List.of(job[1].split(" ")));
                a.addAll(List.of("--lib", System.getProperty("java.home"), "--output",
                                 tmp.getPath()));
                for (int i = 3; i < job.length; i++) a.add(job[i]);
                Class<?> command = Class.forName("com.android.tools.r8.D8Command");
                Class<?> origin = Class.forName("com.android.tools.r8.origin.Origin");
                Object root = origin.getMethod("root").invoke(null);
                Object builder = command.getMethod("parse", String[].class, origin)
                        .invoke(null, a.toArray(new String[0]), root);
                Method build = builder.getClass().getMethod("build");
                build.setAccessible(true);
                Object cmd = build.invoke(builder);
                Class.forName("com.android.tools.r8.D8").getMethod("run", command)
                        .invoke(null, cmd);
                File made = new File(tmp, "classes.dex");
                boolean ok = !new File(tmp, "classes2.dex").exists()
                        && made.renameTo(new File(job[2]));
                tmp.delete();
                return ok;
            }
            case "baksmali": {
                Class<?> opcodes = Class.forName("org.jf.dexlib2.Opcodes");
                Object ops = opcodes.getMethod("forApi", int.class)
                        .invoke(null, Integer.parseInt(job[1]));
                Object dex = Class.forName("org.jf.dexlib2.DexFileFactory").getMethod(
                    "loadDexFile", File.class, opcodes).invoke(null, new File(job[2]), ops);
                Class<?> optionsType = Class.forName("org.jf.baksmali.BaksmaliOptions");
                Object options = optionsType.getConstructor().newInstance();
                optionsType.getField("apiLevel").setInt(options, Integer.parseInt(job[1]));
                optionsType.getField("codeOffsets").setBoolean(options, true);
                optionsType.getField("accessorComments").setBoolean(options, false);
                return (Boolean) Class.forName("org.jf.baksmali.Baksmali").getMethod(
                    "disassembleDexFile", Class.forName("org.jf.dexlib2.iface.DexFile"), File.class,
                    int.class, optionsType).invoke(null, dex, new File(job[3]), 1, options);
            }
            case "smali": {
                Class<?> optionsType = Class.forName("org.jf.smali.SmaliOptions");
                Object options = optionsType.getConstructor().newInstance();
                optionsType.getField("apiLevel").setInt(options, Integer.parseInt(job[1]));
                optionsType.getField("outputDexFile").set(options, job[2]);
                optionsType.getField("jobs").setInt(options, 1);
                List<String> dirs = new ArrayList<>();
                for (int i = 3; i < job.length; i++) dirs.add(job[i]);
                boolean ok = (Boolean) Class.forName("org.jf.smali.Smali")
                        .getMethod("assemble", optionsType, List.class).invoke(null, options, dirs);
                return ok && new File(job[2]).length() > 0;
            }
            default:
                throw new IllegalArgumentException("unknown job " + job[0]);
        }
    }
}
