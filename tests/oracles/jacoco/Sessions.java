import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;

import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.data.ExecutionDataWriter;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.MultiSourceFileLocator;
import org.jacoco.report.xml.XMLFormatter;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * JaCoCo over sessions of a program, without its agent:
 * {@code run EXEC CLASSES HOST.jar MAIN ARGUMENT...} plays one and writes its execution data;
 * {@code report XML CLASSES EXEC...} writes the report of all of them.
 */
public final class Sessions {
    public static void main(String[] args) throws Exception {
        List<String> rest = Arrays.asList(args).subList(3, args.length);
        if (args[0].equals("report")) {
            report(new File(args[1]), new File(args[2]), rest);
        } else {
            run(new File(args[1]), new File(args[2]), rest);
        }
    }

    private static void run(File exec, File classes, List<String> rest) throws Exception {
        IRuntime runtime = new LoggerRuntime();
        RuntimeData data = new RuntimeData();
        runtime.startup(data);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try (OutputStream out = new FileOutputStream(exec)) {
                ExecutionDataWriter writer = new ExecutionDataWriter(out);
                data.collect(writer, writer, false);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }));
        Loader loader = new Loader(classes, new File(rest.get(0)), new Instrumenter(runtime));
        Thread.currentThread().setContextClassLoader(loader);
        String[] arguments = rest.subList(2, rest.size()).toArray(new String[0]);
        loader.loadClass(rest.get(1)).getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }

    private static void report(File xml, File classes, List<String> execs) throws IOException {
        ExecFileLoader loaded = new ExecFileLoader();
        for (String exec : execs) {
            loaded.load(new File(exec));
        }
        CoverageBuilder builder = new CoverageBuilder();
        new Analyzer(loaded.getExecutionDataStore(), builder).analyzeAll(classes);
        try (OutputStream out = new FileOutputStream(xml)) {
            IReportVisitor report = new XMLFormatter().createVisitor(out);
            report.visitInfo(loaded.getSessionInfoStore().getInfos(),
                             loaded.getExecutionDataStore().getContents());
            report.visitBundle(builder.getBundle("app"), new MultiSourceFileLocator(4));
            report.visitEnd();
        }
    }

    /**
     * Loads the app with probes, and its host so that an end of the process runs shutdown hooks.
     */
    private static final class Loader extends URLClassLoader {
        private final Instrumenter instrumenter;
        private final File classes;

        Loader(File classes, File host, Instrumenter instrumenter) throws IOException {
            super(new URL[] {classes.toURI().toURL(), host.toURI().toURL()},
                  ClassLoader.getPlatformClassLoader());
            this.instrumenter = instrumenter;
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String path = name.replace('.', '/') + ".class";
            try (InputStream in = getResourceAsStream(path)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                boolean app = new File(classes, path).exists();
                byte[] bytes = app ? instrumenter.instrument(in, name) : exits(in.readAllBytes());
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private static byte[] exits(byte[] bytes) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM7, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String name, String type,
                                                 String signature, String[] thrown) {
                    return new MethodVisitor(
                        Opcodes.ASM7, super.visitMethod(access, name, type, signature, thrown)) {
                        @Override
                        public void visitMethodInsn(int opcode, String owner, String name,
                                                    String type, boolean isInterface) {
                            boolean halts = owner.equals("java/lang/Runtime")
                                    && name.equals("halt");
                            super.visitMethodInsn(opcode, owner, halts ? "exit" : name, type,
                                                  isInterface);
                        }
                    };
                }
            }, 0);
            return writer.toByteArray();
        }
    }
}
