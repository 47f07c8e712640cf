package kt

import util.clamp
import util.twice

enum class Size { SMALL, LARGE }

class App(private val limit: Int) {
    lateinit var name: String

    fun total(names: List<String>): Int {
        return names.filter { it.length > limit }.sumOf { it.length }
    }

    fun nested(n: Int): Int {
        var sum = 0
        twice {
            sum += clamp(n, 3)
        }
        return sum
    }

    private inline fun own(n: Int, f: (Int) -> Int): Int {
        if (n < 0) return -1
        return f(n)
    }

    fun mine(n: Int): Int = own(n) { it + 1 } + own(n) { it * 2 }

    fun order(names: List<String>): List<String> =
        names.sortedBy { name ->
            name.length
        }

    fun weight(size: Size): Int = when (size) {
        Size.SMALL -> 1
        Size.LARGE -> 10
    }

    fun add(a: Int, b: Int = limit): Int {
        return a + b
    }

    fun find(names: List<String>): String {
        return names.first {
            it.length > 99
        }
    }
}

fun main() {
    val app = App(3)
    val names = listOf("alpha", "be", "gamma")
    app.name = "app"
    println(app.total(names) + app.nested(7) + app.nested(1) + app.mine(4) + app.mine(-4))
    println(app.order(names))
    println(app.name.length + app.add(1) + app.add(1, 2))
    println(app.weight(Size.SMALL) + app.weight(Size.LARGE))
    Generated.run()
    app.find(names)
}
