package org.gradle.api.provider

fun interface Transformer<OUT, IN> {
    fun transform(input: IN): OUT
}

interface Provider<T : Any> {
    val isPresent: Boolean
    fun get(): T
    fun <S : Any> flatMap(transformer: Transformer<out Provider<out S>, in T>): Provider<S>
}

interface Property<T : Any> : Provider<T> {
    fun set(value: T?)
    fun set(provider: Provider<out T>)
    fun convention(value: T?): Property<T>
}

interface ListProperty<T : Any> : Provider<List<T>> {
    fun set(elements: Iterable<T>?)
    fun set(provider: Provider<out Iterable<T>>)
    fun add(element: T)
}

interface SetProperty<T : Any> : Provider<Set<T>> {
    fun set(elements: Iterable<T>?)
    fun add(element: T)
}
