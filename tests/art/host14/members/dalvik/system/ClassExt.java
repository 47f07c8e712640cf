    // The runtime checks the names and the places of all fields of this class.
    private Object classValueMap;
    private Object instanceJfieldIDs;
    private Object jmethodIDs;
    private Class<?> obsoleteClass;
    private Object staticJfieldIDs;
