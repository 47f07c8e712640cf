    static final boolean COMPACT_STRINGS = true;
    static final byte LATIN1 = 0;
    static final byte UTF16 = 1;

    String(byte[] bytes, byte coder) {
        throw new UnsupportedOperationException("Use StringFactory instead.");
    }

    @dalvik.annotation.optimization.FastNative
    private native String doRepeat(int count);

    @dalvik.annotation.optimization.FastNative
    native void fillBytesLatin1(byte[] to, int index);

    @dalvik.annotation.optimization.FastNative
    native void fillBytesUTF16(byte[] to, int index);

    // The runtime counts on a certain number of virtual methods of this class.
    public String repeat(int count) {
        if (count < 0) throw new IllegalArgumentException("count is negative: " + count);
        if (count == 1) return this;
        if (count == 0 || isEmpty()) return "";
        if (Integer.MAX_VALUE / count < length()) {
            throw new OutOfMemoryError("Required length exceeds implementation limit");
        }
        return doRepeat(count);
    }

    public boolean isBlank() {
        for (int i = 0; i < length(); i++) {
            if (!Character.isWhitespace(charAt(i))) return false;
        }
        return true;
    }

    public String stripLeading() {
        int i = 0;
        while (i < length() && Character.isWhitespace(charAt(i))) i++;
        return substring(i);
    }

    public String stripTrailing() {
        int i = length();
        while (i > 0 && Character.isWhitespace(charAt(i - 1))) i--;
        return substring(0, i);
    }

    public String strip() {
        return stripLeading().stripTrailing();
    }

    public java.util.stream.Stream<String> lines() {
        return java.util.Arrays.stream(isEmpty() ? new String[0] : split("\r\n|\r|\n"));
    }

    public String indent(int n) {
        throw new UnsupportedOperationException();
    }

    public String stripIndent() {
        throw new UnsupportedOperationException();
    }

    public String translateEscapes() {
        throw new UnsupportedOperationException();
    }

    public <R> R transform(java.util.function.Function<? super String, ? extends R> f) {
        return f.apply(this);
    }

    public String formatted(Object... args) {
        return String.format(this, args);
    }
