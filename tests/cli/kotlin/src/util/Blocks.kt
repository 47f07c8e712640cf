package util

inline fun twice(f: () -> Unit) {
    f()
    f()
}

inline fun clamp(n: Int, max: Int): Int {
    if (n > max) {
        return max
    }
    return n
}
