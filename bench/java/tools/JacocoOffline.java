import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.stream.Stream;

import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.OfflineInstrumentationAccessGenerator;

/** JaCoCo's offline instrumentation of a folder of class files: IN_DIR OUT_DIR. */
public final class JacocoOffline {
    public static void main(String[] args) throws IOException {
        Path in = Paths.get(args[0]);
        Path out = Paths.get(args[1]);
        Instrumenter instrumenter = new Instrumenter(new OfflineInstrumentationAccessGenerator());
        try (Stream<Path> files = Files.walk(in)) {
            for (Path f : (Iterable<Path>) files.filter(
                p -> p.toString().endsWith(".class"))::iterator) {
                Path to = out.resolve(in.relativize(f));
                Files.createDirectories(to.getParent());
                try (InputStream i = Files.newInputStream(f);
                     OutputStream o = Files.newOutputStream(to)) {
                    instrumenter.instrument(i, o, f.toString());
                }
            }
        }
    }
}
