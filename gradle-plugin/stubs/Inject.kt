package javax.inject

annotation class Inject
