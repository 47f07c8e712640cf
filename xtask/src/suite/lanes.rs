//! Runs steps in parallel: many wait for other programs most of their time.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::steps::{Beside, Step};

/// Steps at a time. On two cores, more would only wait for each other.
const LANES: usize = 2;

/// Steps that wait, the resources in use, and the receiver of results.
struct Schedule<'a, F> {
    waiting: Vec<&'a Step>,
    in_use: HashSet<&'static str>,
    /// Number of steps of [`Beside::Build`] that wait or run.
    builds: usize,
    on_end: F,
}

impl<F> Schedule<'_, F> {
    fn can_start(&self, step: &Step) -> bool {
        let waits = step.beside == Beside::OthersAfterBuilds && self.builds > 0;
        !waits && !self.in_use.contains(step.resource())
    }
}

/// Runs steps in their order, as far as their resources are free; those that need builds wait until
/// all builds have ended. Reports the result of each to `on_end`.
pub fn run<T>(
    steps: &[&Step],
    run: impl Fn(&Step) -> T + Sync,
    on_end: impl FnMut(&Step, T) + Send,
) {
    let is_build = |step: &Step| step.beside == Beside::Build;
    let builds = steps.iter().filter(|step| is_build(step)).count();
    let (waiting, in_use) = (steps.to_vec(), HashSet::new());
    let schedule = Schedule { waiting, in_use, builds, on_end };
    let schedule = Mutex::new(schedule);
    let changed = Condvar::new();
    let lane = || {
        let mut now = schedule.lock().unwrap_or_else(PoisonError::into_inner);
        while !now.waiting.is_empty() {
            let Some(next) = now.waiting.iter().position(|step| now.can_start(step)) else {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let step = now.waiting.remove(next);
            now.in_use.insert(step.resource());
            drop(now);
            let result = run(step);
            now = schedule.lock().unwrap_or_else(PoisonError::into_inner);
            now.in_use.remove(step.resource());
            now.builds -= usize::from(is_build(step));
            (now.on_end)(step, result);
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
        Step { name, command, fast: false, beside: Beside::Others }
    }

    #[test]
    fn steps_of_one_resource_keep_their_order_and_never_overlap() {
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
                assert!(running.lock().unwrap().insert(step.resource()), "{} overlaps", step.name);
                let count = running.lock().unwrap().len();
                let mut most = most.lock().unwrap();
                *most = count.max(*most);
                drop(most);
                thread::sleep(Duration::from_millis(20));
                running.lock().unwrap().remove(step.resource());
                step.name.to_owned()
            },
            |step, name| {
                assert_eq!(step.name, name);
                ended.push(step.name);
            },
        );
        let position = |name| ended.iter().position(|e| *e == name).unwrap();
        assert!(position("1") < position("2") && position("3") < position("4"), "{ended:?}");
        assert_eq!((ended.len(), *most.lock().unwrap()), (5, LANES));
    }

    #[test]
    fn judges_run_beside_each_other_but_not_beside_themselves() {
        let resource = |command| step("1", command).resource();
        assert_eq!(resource("cargo xtask oracles html"), "oracles html");
        assert_eq!(resource("cargo xtask oracles coverage 1 2 3"), "oracles coverage");
        assert_eq!(resource("cargo xtask fleet codecs"), "fleet codecs");
        assert_eq!(resource("cargo xtask truth run --prebuilt"), "truth run");
        assert_eq!(resource("cargo xtask death kill 20"), "death kill");
        assert_eq!(resource("cargo xtask art run-tests --mode int"), "art");
        assert_eq!(resource("./demo.sh"), "./demo.sh");
    }

    #[test]
    fn steps_that_run_what_is_built_wait_for_all_builds() {
        let of = |beside, name, command| Step { beside, ..step(name, command) };
        let steps = [
            of(Beside::OthersAfterBuilds, "judge", "a"),
            step("other", "b"),
            of(Beside::Build, "first", "c"),
            step("next", "d"),
            of(Beside::Build, "second", "e"),
        ];
        let ended = Mutex::new(vec![]);
        run(
            &steps.iter().collect::<Vec<_>>(),
            |step| {
                // The first build ends when nothing but the judge is left.
                while step.name == "first" && ended.lock().unwrap().len() < 3 {
                    thread::sleep(Duration::from_millis(1));
                }
                ended.lock().unwrap().push(step.name);
            },
            |_, ()| {},
        );
        assert_eq!(ended.into_inner().unwrap(), ["other", "next", "second", "first", "judge"]);
    }

    #[test]
    fn a_single_step_runs_and_so_do_none() {
        let mut ended = 0;
        run(&[], |_| (), |_, ()| ended += 1);
        run(&[&step("1", "true")], |_| (), |_, ()| ended += 1);
        assert_eq!(ended, 1);
    }
}
