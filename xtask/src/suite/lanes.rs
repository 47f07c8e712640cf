//! Steps beside each other: many wait for other programs most of their time.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::steps::Step;

/// Steps at a time. On two cores, more would only wait for each other.
const LANES: usize = 2;

/// What waits, which rooms are taken, and who is told of what has ended.
struct Open<'a, F> {
    waiting: Vec<&'a Step>,
    rooms: HashSet<&'static str>,
    told: F,
}

/// Runs steps in their order, as far as their rooms are free, and tells how each has ended.
pub fn run<T>(steps: &[&Step], run: impl Fn(&Step) -> T + Sync, told: impl FnMut(&Step, T) + Send) {
    let open = Mutex::new(Open { waiting: steps.to_vec(), rooms: HashSet::new(), told });
    let changed = Condvar::new();
    let lane = || {
        let mut now = open.lock().unwrap_or_else(PoisonError::into_inner);
        while !now.waiting.is_empty() {
            let Some(at) = now.waiting.iter().position(|s| !now.rooms.contains(s.room())) else {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let step = now.waiting.remove(at);
            now.rooms.insert(step.room());
            drop(now);
            let outcome = run(step);
            now = open.lock().unwrap_or_else(PoisonError::into_inner);
            now.rooms.remove(step.room());
            (now.told)(step, outcome);
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..LANES.min(steps.len()) {
            scope.spawn(lane);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn step(name: &'static str, command: &'static str) -> Step {
        Step { name, command, fast: false, beside: true }
    }

    #[test]
    fn steps_of_one_room_keep_their_order_and_never_overlap() {
        let steps = [
            step("1", "cargo xtask art verify"),
            step("2", "cargo xtask art types"),
            step("3", "cargo xtask truth run"),
            step("4", "cargo xtask truth inline"),
            step("5", "./demo.sh"),
        ];
        let running = Mutex::new(HashSet::new());
        let most = Mutex::new(0);
        let mut ended = Vec::new();
        run(
            &steps.iter().collect::<Vec<_>>(),
            |step| {
                assert!(running.lock().unwrap().insert(step.room()), "{} overlaps", step.name);
                let count = running.lock().unwrap().len();
                let mut most = most.lock().unwrap();
                *most = count.max(*most);
                drop(most);
                thread::sleep(Duration::from_millis(20));
                running.lock().unwrap().remove(step.room());
                step.name.to_owned()
            },
            |step, told| {
                assert_eq!(step.name, told);
                ended.push(step.name);
            },
        );
        let place = |name| ended.iter().position(|e| *e == name).unwrap();
        assert!(place("1") < place("2") && place("3") < place("4"), "{ended:?}");
        assert_eq!((ended.len(), *most.lock().unwrap()), (5, LANES));
    }

    #[test]
    fn a_single_step_and_none_run_too() {
        let mut ended = 0;
        run(&[], |_| (), |_, ()| ended += 1);
        run(&[&step("1", "true")], |_| (), |_, ()| ended += 1);
        assert_eq!(ended, 1);
    }
}
