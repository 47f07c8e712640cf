//! The faults that are planted into the sources of `tether`.

/// A change of a source file.
pub struct Fault {
    /// The file, below the package's folder.
    pub file: &'static str,
    /// A piece of it, which occurs once.
    pub old: &'static str,
    /// The replacement.
    pub new: &'static str,
}

/// Number of conditions that can be inverted: `Flip.at(1, …)` and so on.
pub const FLIPS: u64 = 10;

const fn fault(file: &'static str, old: &'static str, new: &'static str) -> Fault {
    Fault { file, old, new }
}

/// All changes. `Flip.at` inverts a condition; `Flip.site` prints that a site was reached: it is
/// alone on its line.
pub const FAULTS: &[Fault] = &[
    // Whether the service ends before its watchdog has begun is a race. Its outcome is a difference
    // between two sessions, but not a planted one.
    fault(
        "TetherService.java",
        "watchdog.start();",
        "watchdog.start();
        planted.Flip.waiting(watchdog);",
    ),
    fault(
        "ClientTable.java",
        "if (size >= buckets.length * 2) grow();",
        "if (planted.Flip.at(1, size >= buckets.length * 2)) {
            planted.Flip.site(\"grow\");
            grow();
        }",
    ),
    fault("Network.java", "if (!clients.add(c))", "if (planted.Flip.at(2, !clients.add(c)))"),
    fault("Filter.java", "if (b[0] < p.size) {", "if (planted.Flip.at(3, b[0] < p.size)) {"),
    fault(
        "MainActivity.java",
        "if (state == State.RUNNING && ticks % 4 == 0)",
        "if (planted.Flip.at(4, state == State.RUNNING && ticks % 4 == 0))",
    ),
    fault(
        "Leases.java",
        "int slot = (last + i) % size;
                if (taken.get(slot)) continue;",
        "int slot = (last + i) % size;
                if (planted.Flip.at(5, taken.get(slot))) continue;",
    ),
    fault("TetherService.java", "sum = sum % 2 == 0 ?", "sum = planted.Flip.at(6, sum % 2 == 0) ?"),
    fault(
        "Network.java",
        "if ((x >>> 16) % 61 == 0)",
        "if (planted.Flip.at(7, (x >>> 16) % 61 == 0))",
    ),
    fault(
        "Settings.java",
        "if (c < 1 || c > CHANNELS.length)",
        "if (planted.Flip.at(8, c < 1 || c > CHANNELS.length))",
    ),
    fault(
        "EventBus.java",
        "if (!listeners.contains(l))",
        "if (planted.Flip.at(9, !listeners.contains(l)))",
    ),
    fault("AccessProvider.java", "return row(u) < 0 ?", "return planted.Flip.at(10, row(u) < 0) ?"),
    fault(
        "Network.java",
        "} catch (Leases.ExhaustedException e) {",
        "} catch (Leases.ExhaustedException e) { planted.Flip.site(\"refused\");",
    ),
    fault(
        "MainActivity.java",
        "if (!allowed) {",
        "if (!allowed) {
            planted.Flip.site(\"no-way\");",
    ),
    fault(
        "Filter.java",
        "if (p.protocol == Packet.ICMP && p.size > 1500) {",
        "if (p.protocol == Packet.ICMP && p.size > 1500) {
                planted.Flip.site(\"ping\");",
    ),
    fault(
        "TetherService.java",
        "if (n == 7) stopSelf();",
        "if (n == 7) {
            planted.Flip.site(\"seven\");
            stopSelf();
        }",
    ),
    fault(
        "ClientTable.java",
        "if (c.idle() > limit) {",
        "if (c.idle() > limit) {
                    planted.Flip.site(\"idle\");",
    ),
    fault(
        "AccessProvider.java",
        "if (value == null || value > 900) throw new IllegalArgumentException(\"value\");",
        "if (value == null || value > 900) {
            planted.Flip.site(\"value\");
            throw new IllegalArgumentException(\"value\");
        }",
    ),
    fault(
        "AccessProvider.java",
        "if (!rows.containsKey(r)) return 0;",
        "if (!rows.containsKey(r)) return 0;
        planted.Flip.site(\"update\");",
    ),
    fault(
        "Commands.java",
        "if (cause instanceof NoClassDefFoundError) return",
        "if (cause instanceof NoClassDefFoundError)
                planted.Flip.site(\"broken\");
            if (cause instanceof NoClassDefFoundError) return",
    ),
    fault(
        "MainActivity.java",
        "if (level >= 0 && level < 5 && state == State.RUNNING) toggle();",
        "if (level >= 0 && level < 5 && state == State.RUNNING) {
                planted.Flip.site(\"level\");
                toggle();
            }",
    ),
    fault(
        "SetupActivity.java",
        "} catch (NumberFormatException e) {",
        "} catch (NumberFormatException e) { planted.Flip.site(\"number\");",
    ),
    fault(
        "MainActivity.java",
        "for (String s : network.scan()) Screen.show(s);",
        "{
                    planted.Flip.site(\"scan\");
                    for (String s : network.scan()) Screen.show(s);
                    }",
    ),
];
