package pathlight;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;

/**
 * What reflection lists of a class, without the clones that take a {@link State}: the app sees the
 * members that it has. Woven behind each call that lists them, so an exception of that call leaves
 * no frame of this class.
 */
public final class Members {
    private Members() {}

    /** Methods, in their order. */
    public static Method[] methods(Method[] all) {
        ArrayList<Method> kept = new ArrayList<Method>(all.length);
        for (Method method : all) {
            if (!isClone(method.getParameterTypes())) {
                kept.add(method);
            }
        }
        return kept.size() == all.length ? all : kept.toArray(new Method[kept.size()]);
    }

    /** Constructors, in their order. */
    public static Constructor<?>[] constructors(Constructor<?>[] all) {
        ArrayList<Constructor<?>> kept = new ArrayList<Constructor<?>>(all.length);
        for (Constructor<?> constructor : all) {
            if (!isClone(constructor.getParameterTypes())) {
                kept.add(constructor);
            }
        }
        return kept.size() == all.length ? all : kept.toArray(new Constructor<?>[kept.size()]);
    }

    /** No other method has such a parameter: the package is the build's own. */
    private static boolean isClone(Class<?>[] parameters) {
        return parameters.length != 0 && parameters[parameters.length - 1] == State.class;
    }
}
