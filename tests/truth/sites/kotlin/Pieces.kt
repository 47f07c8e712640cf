package app

import bench.Workload
import kotlin.properties.Delegates
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.yield

/**
 * Kotlin as apps have it: size is the number of the piece. All on one thread, so that each run does
 * the same.
 */
class Pieces : Workload {
    override fun run(size: Int, seed: Long): String {
        val random = Random(seed)
        return when (size) {
            0 -> collections(random)
            1 -> texts(random)
            2 -> coroutines(random)
            3 -> screens(random)
            4 -> shapes(random)
            5 -> parsed(random)
            6 -> sequences(random)
            7 -> numbers(random)
            else -> error("no piece $size")
        }
    }
}

fun collections(random: Random): String {
    val numbers = List(20) { random.nextInt(100) }
    val groups = numbers.groupBy { it % 3 }
        .mapValues { (key, list) -> list.sorted().takeLast(key + 1) }
    val (even, odd) = numbers.partition { it % 2 == 0 }
    val queue = ArrayDeque(even)
    while (queue.size > 3) queue.addLast(queue.removeFirst() / 2 + queue.removeFirst())
    val text = odd.zipWithNext { a, b -> a - b }.chunked(3)
        .joinToString("|") { it.joinToString(",") }
    val tree = sortedMapOf<String, MutableList<Int>>()
    numbers.forEachIndexed { i, n -> tree.getOrPut("k${n % 5}") { mutableListOf() }.add(i) }
    val windows = numbers.windowed(4, 3, partialWindows = true) { it.sum() }
    val best = tree.maxByOrNull { it.value.size }?.key ?: "none"
    return "$groups $queue $text $best ${windows.fold(1) { a, b -> (a * 31 + b) % 1009 }} " +
        "${numbers.associateWith { it * it }.filterValues { it > 50 }.size} " +
        "${numbers.distinct().scan(0) { a, b -> a xor b }.last()}"
}

fun texts(random: Random): String {
    val words = List(12) { "w" + random.nextInt(40).toString(16).padStart(3, '0') }
    val text = words.joinToString(" ").replace("w0", "V").split(' ', 'a').filter(String::isNotBlank)
    val out = buildString {
        for (w in text) when {
            w.startsWith("V") -> append(w.removePrefix("V").toIntOrNull(16) ?: -1).append(';')
            w.length > 3 -> appendLine(w.reversed().uppercase())
            else -> append(w.trimEnd('0', '1').ifEmpty { "-" })
        }
    }
    val margin = """
        |one ${words.first()}
        |  two
    """.trimMargin()
    val found = Regex("([0-9a-f])\\1").findAll(out).map { it.value }.toSet()
    return out + margin + found +
        "a-b_c".split(Regex("[-_]")).map { it.replaceFirstChar(Char::titlecase) } +
        out.commonPrefixWith(margin) + "x=1&y=2".substringAfterLast('&').lines()
}

class Store(private val limit: Int) {
    private val lock = Mutex()
    private val kept = mutableListOf<Int>()
    var changes by Delegates.observable(0) { _, old, new -> if (new - old > limit) kept.clear() }
    suspend fun put(n: Int): Int = lock.withLock {
        kept += n
        changes += n
        yield()
        kept.size
    }
}

fun ticks(count: Int): Flow<Int> = flow {
    for (i in 0 until count) {
        emit(i)
        if (i % 2 == 0) yield()
    }
}

suspend fun load(random: Random, channel: Channel<Int>) {
    try {
        repeat(3) { channel.send(random.nextInt(10)) }
    } finally {
        channel.close()
    }
}

fun coroutines(random: Random): String = runBlocking {
    val store = Store(15)
    val channel = Channel<Int>(1)
    launch { load(random, channel) }
    var sum = 0
    for (n in channel) sum += store.put(n)
    val sizes = coroutineScope { (1..3).map { n -> async { store.put(n * 4) } }.awaitAll() }
    val failed = mutableListOf<String>()
    supervisorScope {
        launch(
            CoroutineExceptionHandler { _, e ->
                failed += e.javaClass.simpleName.length.toString()
            }
        ) { check(sum < 0) { "sum $sum" } }
    }
    val list = ticks(4).buffer(2)
        .map { if (it == 3 && sum % 2 == 0) throw IllegalStateException("tick") else it * it }
        .catch { emit(-1) }.onCompletion { failed += "done" }.toList()
    "$sum $sizes $failed $list"
}

/**
 * Like the code that Compose's compiler writes: groups, changed bits, remembered values, lambdas
 * that run again.
 */
class Composer {
    val slots = mutableListOf<Any?>()
    val nodes = StringBuilder()
    var at = 0
    private var depth = 0
    val again = mutableListOf<() -> Unit>()

    inline fun group(key: Int, content: () -> Unit) {
        start(key)
        try {
            content()
        } finally {
            end()
        }
    }

    fun start(key: Int) {
        depth++
        if (depth > 40) throw IllegalStateException("too deep at $key")
        nodes.append('<').append(key)
    }

    fun end() {
        depth--
        nodes.append('>')
    }

    inline fun <reified T> remember(vararg keys: Any?, make: () -> T): T {
        val old = slots.getOrNull(at)
        val known = slots.getOrNull(at + 1)
        if (old == keys.toList() && known is T) {
            at += 2
            return known
        }
        val made = make()
        while (slots.size < at + 2) slots += null
        slots[at++] = keys.toList()
        slots[at++] = made
        return made
    }
}

sealed interface Item {
    data class Text(val text: String, val bold: Boolean = false) : Item
    data class Row(val items: List<Item>) : Item
    data object Gap : Item
}

fun Label(item: Item.Text, width: Int = 10, composer: Composer, changed: Int, default: Int) {
    val wide = if (default and 2 != 0) 12 else width
    composer.group(101) {
        if (changed and 0b1011 != 0b0010 || item.bold) {
            val shown = composer.remember(item, wide) {
                item.text.take(wide).let { if (item.bold) it.uppercase() else it }
            }
            composer.nodes.append(shown)
        } else {
            composer.nodes.append('=')
        }
    }
}

fun Column(
    items: List<Item>,
    composer: Composer,
    changed: Int,
    header: (Composer, Int) -> Unit = { _, _ -> }
) {
    composer.group(202) {
        header(composer, changed and 1)
        for ((i, item) in items.withIndex()) when (item) {
            is Item.Text -> Label(
                item, composer = composer, changed = changed shr i, default = i and 2
            )
            is Item.Row -> Column(item.items, composer, changed + 1) { c, n ->
                c.group(303) { c.nodes.append(n) }
            }
            Item.Gap -> composer.again += { Column(items.drop(i + 1), composer, 0) }
        }
    }
}

fun screens(random: Random): String {
    val composer = Composer()
    fun item(depth: Int): Item = when (random.nextInt(5)) {
        0 -> Item.Gap
        1, 2 -> if (depth > 2) Item.Text("leaf") else Item.Row(List(3) { item(depth + 1) })
        else -> Item.Text("text ${random.nextInt(9)}", random.nextBoolean())
    }
    val items = List(4) { item(0) }
    repeat(2) { round ->
        composer.at = 0
        Column(items, composer, round) { c, n -> c.nodes.append("head").append(n) }
        val again = composer.again.toList()
        composer.again.clear()
        again.take(3).forEach { it() }
    }
    return composer.nodes.toString()
}

abstract class Shape(val name: String) {
    abstract val area: Double
    open fun scaled(by: Int): Shape = throw UnsupportedOperationException(name)
    override fun toString() = "%s %.1f".format(name, area)
}

class Circle(private val r: Double) : Shape("circle") {
    override val area by lazy { Math.PI * r * r }
    override fun scaled(by: Int) = Circle(r * by)
}

class Box(private val a: Int, private val b: Int) : Shape("box"), Comparable<Box> {
    override val area get() = (a * b).toDouble()
    override fun compareTo(other: Box) = compareValuesBy(this, other, { it.area }, { it.a })
    operator fun component1() = a
    operator fun component2() = b
}

enum class Mode(val bits: Int) {
    SMALL(1) { override fun make(n: Int): Shape = Circle(n / 2.0) },
    LARGE(6) { override fun make(n: Int): Shape = Box(n, n + bits) };
    abstract fun make(n: Int): Shape
}

inline fun <T : Any> guarded(log: MutableList<String>, what: () -> T): T? = try {
    what()
} catch (e: UnsupportedOperationException) {
    log += "no " + e.message
    null
} finally {
    log += "."
}

@Synchronized
fun total(shapes: List<Shape>): Double = shapes.sumOf { it.area }

fun shapes(random: Random): String {
    val log = mutableListOf<String>()
    val shapes = List(6) { Mode.entries[random.nextInt(2)].make(random.nextInt(1, 9)) }
    val scaled = shapes.mapNotNull { s -> guarded(log) { s.scaled(2) } }
    val boxes = shapes.filterIsInstance<Box>().sorted()
    val (a, b) = boxes.firstOrNull() ?: Box(0, 0)
    val lock = Any()
    val sum = synchronized(lock) { total(shapes + scaled) }
    return "$log $a $b ${sum.toInt()} ${shapes.joinToString()}"
}

class Reader(private val text: String) {
    private var at = 0
    fun value(): Any? = when (val c = text[at]) {
        '[' -> list(']') { value() }
        '{' -> list('}') { string().also { expect(':') } to value() }.toMap()
        '"' -> string()
        in '0'..'9', '-' -> number()
        'n' -> null.also { at += 4 }
        else -> throw IllegalArgumentException("'$c' at $at")
    }

    private inline fun <T> list(end: Char, item: () -> T): List<T> {
        at++
        val out = ArrayList<T>()
        while (text[at] != end) {
            out += item()
            if (text[at] == ',') at++
        }
        at++
        return out
    }

    private fun expect(c: Char) = require(text[at++] == c) { "$c expected at ${at - 1}" }
    private fun string(): String =
        text.substring(++at, text.indexOf('"', at)).also { at += it.length + 1 }
    private fun number(): Int {
        val from = at++
        while (at < text.length && text[at].isDigit()) at++
        return text.substring(from, at).toInt()
    }
}

fun parsed(random: Random): String {
    val text = """{"a":[1,-2,${random.nextInt(100)}],"b":{"c":null,"d":"e"},"f":["x",{}]}"""
    val whole = Reader(text).value()
    val cut = text.take(random.nextInt(5, text.length - 1)) + "?"
    val partly = runCatching { Reader(cut).value() }
        .fold({ "read" }, { it.javaClass.simpleName.length.toString() })
    return "$whole $partly"
}

fun sequences(random: Random): String {
    val walk = sequence {
        var (a, b) = 1 to random.nextInt(1, 5)
        while (true) {
            yield(a)
            if (b % 3 == 0) yieldAll(listOf(0, b))
            a = b.also { b += a }
        }
    }
    val taken = walk.drop(1).takeWhile { it < 500 }.filterNot { it % 4 == 1 }
        .mapIndexed { i, n -> i * n }.toList()
    val flat = generateSequence(7) { if (it > 1) it / 2 else null }
        .flatMap { n -> (0 until n).asSequence().map { it to n } }
    return "$taken ${flat.sortedByDescending { (a, b) -> a * 10 + b }.take(4).toList()} " +
        "${walk.take(9).zipWithNext().count { (a, b) -> a < b }}"
}

@JvmInline
value class Money(private val cents: Long) {
    operator fun plus(other: Money) = Money(cents + other.cents)
    operator fun div(by: Int) = Money(cents / by)
    override fun toString() = "${cents / 100}.${(cents % 100).toString().padStart(2, '0')}"
}

fun numbers(random: Random): String {
    val sum = (1..9 step 2).map { Money(it * random.nextLong(100)) }.reduce(Money::plus)
    val bits = random.nextBits(16)
    val unsigned = bits.toUInt() * 77777u / 3u + UByte.MAX_VALUE
    val parts = listOf("1", "x2", "33", "", "-4")
        .map { s -> s.toIntOrNull() ?: runCatching { s.toLong() }.getOrDefault(-9) }
    val array = IntArray(8) { random.nextInt(-20, 20) }
    array.sortDescending(2, 6)
    return "$sum ${sum / 3} ${bits.countOneBits()} $unsigned $parts ${array.contentToString()} " +
        "${1500.milliseconds} ${array.indexOfFirst { it < -15 }.coerceIn(0, 5)} " +
        "${(bits and 15).toString(2)}"
}
