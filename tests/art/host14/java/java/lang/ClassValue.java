package java.lang;

import java.util.Map;
import java.util.WeakHashMap;

/** A value computed once per class, which Android 10 does not have. */
public abstract class ClassValue<T> {
    private final Map<Class<?>, Object[]> values = new WeakHashMap<>();

    protected ClassValue() {}

    protected abstract T computeValue(Class<?> type);

    @SuppressWarnings("unchecked")
    public T get(Class<?> type) {
        Object[] known;
        synchronized (values) {
            known = values.get(type);
        }
        if (known == null) {
            Object[] computed = {computeValue(type)};
            synchronized (values) {
                known = values.get(type);
                if (known == null) {
                    known = computed;
                    values.put(type, known);
                }
            }
        }
        return (T) known[0];
    }

    public void remove(Class<?> type) {
        synchronized (values) {
            values.remove(type);
        }
    }
}
