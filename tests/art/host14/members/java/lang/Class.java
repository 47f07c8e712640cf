    @dalvik.annotation.optimization.FastNative
    private native dalvik.system.ClassExt ensureExtDataPresent();

    @dalvik.annotation.optimization.FastNative
    private native Class<?> getNestHostFromAnnotation();

    @dalvik.annotation.optimization.FastNative
    private native Class<?>[] getNestMembersFromAnnotation();

    @dalvik.annotation.optimization.FastNative
    private native Class<?>[] getPermittedSubclassesFromAnnotation();

    @dalvik.annotation.optimization.FastNative
    private native Object[] getRecordAnnotationElement(String name, Class<?> type);

    @dalvik.annotation.optimization.FastNative
    private native boolean isRecord0();

    public boolean isRecord() {
        return getSuperclass() == Record.class
                && (getModifiers() & java.lang.reflect.Modifier.FINAL) != 0 && isRecord0();
    }

    public Class<?> getNestHost() {
        Class<?> host = isArray() || isPrimitive() ? null : getNestHostFromAnnotation();
        return host == null ? this : host;
    }

    public Class<?>[] getNestMembers() {
        Class<?>[] members = getNestMembersFromAnnotation();
        return members == null ? new Class<?>[] {this} : members;
    }

    public boolean isNestmateOf(Class<?> other) {
        return getNestHost() == other.getNestHost();
    }

    public boolean isSealed() {
        return getPermittedSubclasses() != null;
    }

    public Class<?>[] getPermittedSubclasses() {
        return isArray() || isPrimitive() ? null : getPermittedSubclassesFromAnnotation();
    }

    public String getPackageName() {
        Class<?> c = this;
        while (c.isArray()) c = c.getComponentType();
        if (c.isPrimitive()) return "java.lang";
        String name = c.getName();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }

    public Class<?> arrayType() {
        return java.lang.reflect.Array.newInstance(this, 0).getClass();
    }

    public Class<?> componentType() {
        return getComponentType();
    }

    public String descriptorString() {
        // "()" comes before the type.
        return java.lang.invoke.MethodType.methodType(this).toMethodDescriptorString().substring(2);
    }

    public boolean isHidden() {
        return false;
    }

    // The runtime counts on a certain number of virtual methods of this class; three are missing.
    void pad1() {}
    void pad2() {}
    void pad3() {}
