package java.lang;

/** Superclass of records, which Android 10 does not have. */
public abstract class Record {
    protected Record() {}

    @Override
    public abstract boolean equals(Object other);

    @Override
    public abstract int hashCode();

    @Override
    public abstract String toString();
}
