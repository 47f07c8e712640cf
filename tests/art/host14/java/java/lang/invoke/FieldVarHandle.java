package java.lang.invoke;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** A VarHandle of a field; ART 14 has a class of its own for static ones. */
class FieldVarHandle extends VarHandle {
    private final long artField;

    FieldVarHandle(Field field, Class<?> declaringClass) {
        super(field.getType(), Modifier.isFinal(field.getModifiers()), declaringClass);
        artField = field.getArtField();
    }

    FieldVarHandle(Field field) {
        super(field.getType(), Modifier.isFinal(field.getModifiers()));
        artField = field.getArtField();
    }

    static FieldVarHandle create(Field field) {
        return Modifier.isStatic(field.getModifiers()) ? new StaticFieldVarHandle(field)
                : new FieldVarHandle(field, field.getDeclaringClass());
    }
}
