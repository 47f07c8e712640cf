package java.lang.invoke;

import java.lang.reflect.Field;

/** A VarHandle of a static field. */
final class StaticFieldVarHandle extends FieldVarHandle {
    private final Class<?> declaringClass;

    StaticFieldVarHandle(Field field) {
        super(field);
        declaringClass = field.getDeclaringClass();
    }
}
