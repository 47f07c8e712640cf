import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Plants calls of sites.Plant.at(number) at random places of class files, before a compiler for DEX
 * gets them: SEED PER_MILLE OUT.jar [-]JAR… ("-": nothing is planted into its classes). Run by
 * `java --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED Planter.java …`. The
 * same inputs give the same file. Prints how many it planted. Stack maps stay as they are: a static
 * call with a constant changes no type.
 */
public final class Planter {
    private static final int API = Opcodes.ASM8;
    private static int planted;

    public static void main(String[] args) throws IOException {
        Random random = new Random(Long.parseLong(args[0]));
        int perMille = Integer.parseInt(args[1]);
        // Sorted: the random numbers must not depend on the order in the archives.
        TreeMap<String, byte[]> classes = new TreeMap<>();
        Set<String> untouched = new HashSet<>();
        for (int i = 3; i < args.length; i++) {
            TreeMap<String, byte[]> found = read(args[i].startsWith("-") ? args[i].substring(1)
                                                 : args[i]);
            found.keySet().removeAll(classes.keySet());
            classes.putAll(found);
            if (args[i].startsWith("-")) untouched.addAll(found.keySet());
        }
        try (OutputStream file = Files.newOutputStream(Path.of(args[2]));
             ZipOutputStream out = new ZipOutputStream(file)) {
            for (String name : classes.keySet()) {
                ZipEntry entry = new ZipEntry(name);
                entry.setTime(0);
                out.putNextEntry(entry);
                byte[] bytes = classes.get(name);
                out.write(untouched.contains(name) ? bytes : plant(bytes, random, perMille));
            }
        }
        System.out.println(planted);
    }

    private static TreeMap<String, byte[]> read(String jar) throws IOException {
        TreeMap<String, byte[]> classes = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar)) {
            List<ZipEntry> entries = new ArrayList<>();
            for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements();)
                entries.add(e.nextElement());
            for (ZipEntry entry : entries) {
                String name = entry.getName();
                if (!name.endsWith(".class") || name.startsWith("META-INF/")
                    || name.equals("module-info.class"))
                    continue;
                try (InputStream in = zip.getInputStream(entry)) {
                    classes.put(name, in.readAllBytes());
                }
            }
        }
        return classes;
    }

    private static byte[] plant(byte[] bytes, Random random, int perMille) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(API, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String type, String signature,
                                             String[] thrown) {
                MethodVisitor to = super.visitMethod(access, name, type, signature, thrown);
                // An exception that leaves a static initialiser makes its class useless for the
                // rest of the run.
                return name.equals("<clinit>") ? to : new Method(to, random, perMille);
            }
        }, 0);
        return writer.toByteArray();
    }

    /** Perhaps plants a call before each instruction. */
    private static final class Method extends MethodVisitor {
        private final Random random;
        private final int perMille;

        Method(MethodVisitor to, Random random, int perMille) {
            super(API, to);
            this.random = random;
            this.perMille = perMille;
        }

        private void perhaps() {
            if (random.nextInt(1000) >= perMille) return;
            super.visitLdcInsn(planted++);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "sites/Plant", "at", "(I)V", false);
        }

        @Override
        public void visitInsn(int opcode) {
            perhaps();
            super.visitInsn(opcode);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            perhaps();
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            perhaps();
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String type) {
            perhaps();
            super.visitFieldInsn(opcode, owner, name, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type,
                                    boolean isInterface) {
            perhaps();
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap,
                                           Object... arguments) {
            perhaps();
            super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            perhaps();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int from, int to, Label otherwise, Label... labels) {
            perhaps();
            super.visitTableSwitchInsn(from, to, otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            perhaps();
            super.visitLookupSwitchInsn(otherwise, keys, labels);
        }
    }
}
