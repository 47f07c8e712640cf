package java.lang.invoke;

import dalvik.system.EmulatedStackFrame;

/**
 * {@code MethodHandle.asType}: ART 10 converts in the runtime, ART 14 leaves it to the library.
 * Each argument is read, boxed, converted and written into a frame of the target's type; then the
 * result.
 */
final class AsTypeAdapter extends Transformers.Transformer {
    /** Widening primitive conversions go from a lower to a higher rank. */
    private static final Class<?>[] RANKS =
            {byte.class, short.class, int.class, long.class, float.class, double.class};

    private final MethodHandle target;

    AsTypeAdapter(MethodHandle target, MethodType type) {
        super(type);
        this.target = target;
    }

    @Override
    public void transform(EmulatedStackFrame frame) throws Throwable {
        MethodType to = target.type();
        MethodType from = type();
        EmulatedStackFrame converted = EmulatedStackFrame.create(to);
        EmulatedStackFrame.StackFrameReader reader = new EmulatedStackFrame.StackFrameReader();
        EmulatedStackFrame.StackFrameWriter writer = new EmulatedStackFrame.StackFrameWriter();
        reader.attach(frame);
        writer.attach(converted);
        for (int i = 0; i < from.parameterCount(); i++) {
            Class<?> given = from.ptypes()[i];
            Class<?> wanted = to.ptypes()[i];
            put(writer, convert(get(reader, given), given, wanted), wanted);
        }
        target.invokeExactWithFrame(converted);
        Class<?> given = to.rtype();
        Class<?> wanted = from.rtype();
        if (wanted == void.class) return;
        reader.attach(converted);
        reader.makeReturnValueAccessor();
        writer.attach(frame);
        writer.makeReturnValueAccessor();
        Object result =
                given == void.class ? zero(wanted) : convert(get(reader, given), given, wanted);
        put(writer, result, wanted);
    }

    private static Object zero(Class<?> type) {
        if (type == boolean.class) return false;
        if (type == char.class) return (char) 0;
        return type.isPrimitive() ? number(0, rank(type)) : null;
    }

    private static Object get(EmulatedStackFrame.StackFrameReader reader, Class<?> type) {
        if (type == int.class) return reader.nextInt();
        if (type == long.class) return reader.nextLong();
        if (type == boolean.class) return reader.nextBoolean();
        if (type == byte.class) return reader.nextByte();
        if (type == short.class) return reader.nextShort();
        if (type == char.class) return reader.nextChar();
        if (type == float.class) return reader.nextFloat();
        if (type == double.class) return reader.nextDouble();
        return reader.nextReference(type);
    }

    private static void put(EmulatedStackFrame.StackFrameWriter writer, Object o, Class<?> type) {
        if (type == int.class) writer.putNextInt((Integer) o);
        else if (type == long.class) writer.putNextLong((Long) o);
        else if (type == boolean.class) writer.putNextBoolean((Boolean) o);
        else if (type == byte.class) writer.putNextByte((Byte) o);
        else if (type == short.class) writer.putNextShort((Short) o);
        else if (type == char.class) writer.putNextChar((Character) o);
        else if (type == float.class) writer.putNextFloat((Float) o);
        else if (type == double.class) writer.putNextDouble((Double) o);
        else writer.putNextReference(o, type);
    }

    private static Object convert(Object o, Class<?> from, Class<?> to) {
        if (to == from) return o;
        if (!to.isPrimitive()) {
            if (o == null || to.isInstance(o)) return o;
            throw new ClassCastException(
                    o.getClass().getName() + " cannot be cast to " + to.getName());
        }
        if (o == null) {
            throw new NullPointerException("Expected to unbox a '" + to + "' but was null");
        }
        if (o instanceof Boolean && to == boolean.class) return o;
        if (o instanceof Character && to == char.class) return o;
        int wanted = rank(to);
        // A char widens to int and above only.
        if (o instanceof Character && wanted >= rank(int.class)) {
            return number((int) (Character) o, wanted);
        }
        if (o instanceof Number && wanted >= 0) {
            int given = rank(MethodType.methodType(o.getClass()).unwrap().returnType());
            if (given >= 0 && given <= wanted) return number((Number) o, wanted);
        }
        throw new ClassCastException("cannot convert to " + to);
    }

    private static int rank(Class<?> type) {
        return java.util.Arrays.asList(RANKS).indexOf(type);
    }

    private static Object number(Number n, int rank) {
        switch (rank) {
            case 0: return n.byteValue();
            case 1: return n.shortValue();
            case 2: return n.intValue();
            case 3: return n.longValue();
            case 4: return n.floatValue();
            default: return n.doubleValue();
        }
    }
}
