// Not run by Pathlight's tests: they compile src against stubs (see README.md).
plugins {
    `java-gradle-plugin`
    kotlin("jvm") version "2.1.21"
}

group = "pathlight"
version = "0.1.0"

repositories {
    google()
    mavenCentral()
}

dependencies {
    compileOnly("com.android.tools.build:gradle-api:8.7.0")
}

kotlin {
    jvmToolchain(17)
}

gradlePlugin {
    plugins.create("pathlight") {
        id = "pathlight.instrument"
        implementationClass = "pathlight.PathlightPlugin"
    }
}
