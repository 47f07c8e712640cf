//! An app with functions that Kotlin's compiler inlined, and with code that compilers generate: see
//! `kotlin/README.md`. The expectations are those of its sources.

use std::collections::BTreeMap;

use crate::support::{Work, repository};

/// Hits of lines, and how often each alternative of their branches was taken.
#[derive(Default, Debug)]
struct File {
    hits: BTreeMap<u32, u64>,
    branches: BTreeMap<u32, Vec<String>>,
}

/// A folder with `app.plmap`, `app.plt`, `crash.txt`, and the sources in `src`.
fn recorded() -> Work {
    let work = Work::new();
    work.shell(&format!("cp -r '{}'/. .", repository("tests/cli/kotlin").display())).ok();
    work
}

/// Coverage by file name.
fn coverage(work: &Work, options: &str) -> BTreeMap<String, File> {
    let report = format!("pathlight report --map app.plmap app.plt --lcov /dev/stdout {options}");
    let out = work.shell(&report).ok().out;
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let mut name = String::new();
    for line in out.lines() {
        let Some((field, rest)) = line.split_once(':') else { continue };
        let of = files.entry(name.clone()).or_default();
        let numbers: Vec<&str> = rest.split(',').collect();
        match field {
            "SF" => name = rest.rsplit('/').next().unwrap_or(rest).to_owned(),
            "DA" => drop(of.hits.insert(numbers[0].parse().unwrap(), numbers[1].parse().unwrap())),
            "BRDA" => {
                let line = numbers[0].parse().unwrap();
                of.branches.entry(line).or_default().push(numbers[3].to_owned());
            }
            _ => {}
        }
    }
    files.remove("");
    files
}

/// The number of the only line of a source file that has this text.
fn line_of(work: &Work, file: &str, text: &str) -> u32 {
    let source = String::from_utf8(work.read(file)).unwrap();
    let found: Vec<u32> =
        (1..).zip(source.lines()).filter(|(_, l)| l.contains(text)).map(|(n, _)| n).collect();
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0]
}

#[test]
fn no_line_is_after_the_end_of_its_file() {
    let work = recorded();
    // Also without the sources: the build has source maps.
    let files = coverage(&work, "");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["App.kt", "Blocks.kt", "Generated.java"]);
    for (name, package) in [("App.kt", "kt"), ("Blocks.kt", "util"), ("Generated.java", "kt")] {
        let source = String::from_utf8(work.read(&format!("src/{package}/{name}"))).unwrap();
        let last = *files[name].hits.keys().next_back().unwrap();
        assert!(last as usize <= source.lines().count(), "{name}: {last}");
    }
}

#[test]
fn inlined_functions_count_in_their_own_files_with_all_copies() {
    let work = recorded();
    let files = coverage(&work, "");
    let blocks = &files["Blocks.kt"];
    // `nested` runs twice; each run calls `twice`, which runs its argument on two lines, and each
    // of these calls `clamp`: with 7 and with 1, of which 7 is above 3.
    let line = |text: &str| line_of(&work, "src/util/Blocks.kt", text);
    assert_eq!(blocks.hits[&line("if (n > max)")], 4);
    assert_eq!(blocks.hits[&line("return max")], 2);
    assert_eq!(blocks.hits[&line("return n")], 2);
    assert_eq!(blocks.branches.len(), 1);
    assert_eq!(blocks.branches[&line("if (n > max)")], ["2", "2"]);
    // `own` is inlined in the class that it is in: with 4 and with -4, twice each.
    let own = line_of(&work, "src/kt/App.kt", "if (n < 0) return -1");
    assert_eq!(files["App.kt"].branches[&own], ["2", "2"]);
}

#[test]
fn lambdas_count_at_their_own_lines_also_in_classes_that_the_compiler_copied() {
    let work = recorded();
    let app = &coverage(&work, "")["App.kt"];
    let line = |text: &str| line_of(&work, "src/kt/App.kt", text);
    // Three names; two of them are longer than the limit. The loop of `sumOf` over these two has
    // the line of its call: Kotlin keeps no other.
    assert_eq!(app.branches[&line("names.filter")], ["2", "1", "2", "1"]);
    // A comparison of two names looks at both: two comparisons at least sort three names.
    assert!(app.hits[&line("            name.length")] >= 2);
}

#[test]
fn all_of_the_source_is_covered_where_all_of_it_ran() {
    let work = recorded();
    let files = coverage(&work, "");
    let missed = |name: &str| -> Vec<u32> {
        files[name].hits.iter().filter(|l| *l.1 == 0).map(|l| *l.0).collect()
    };
    let none: Vec<u32> = Vec::new();
    assert_eq!([missed("Blocks.kt"), missed("Generated.java")], [none.clone(), none]);
    // An exception leaves `main` in its last statement.
    let end = line_of(&work, "src/kt/App.kt", "    app.find(names)") + 1;
    assert_eq!(missed("App.kt"), [end]);
    let generated = &files["Generated.java"];
    let taken = |b: &Vec<String>| b.iter().all(|n| n != "0" && n != "-");
    assert!(generated.branches.values().all(taken), "{:?}", generated.branches);
    // "one", "two" and the rest: one branch of three alternatives.
    let switch = line_of(&work, "src/kt/Generated.java", "switch (text)");
    assert_eq!(generated.branches[&switch], ["1", "1", "1"]);
    assert_eq!(generated.branches.len(), 1, "{:?}", generated.branches);
    // No name is that long.
    let never = line_of(&work, "src/kt/App.kt", "it.length > 99");
    let missed: Vec<u32> =
        files["App.kt"].branches.iter().filter(|b| !taken(b.1)).map(|b| *b.0).collect();
    assert_eq!(missed, [never]);
}

#[test]
fn decode_prints_the_places_of_inlined_code() {
    let work = recorded();
    let out = work.shell("pathlight decode --map app.plmap app.plt").ok().out;
    // Of an app's function, and of one that the app does not have: its name is that of the local
    // variable that the compiler adds.
    for place in ["⤷ util.BlocksKt.clamp", "CollectionsKt___CollectionsKt.filterTo"] {
        assert!(out.contains(place), "{place}: {out}");
    }
}

#[test]
fn a_stack_trace_with_numbers_of_inlined_lines_fits_exactly() {
    let work = recorded();
    let trace = String::from_utf8(work.read("crash.txt")).unwrap();
    let number = line_of(&work, "crash.txt", "at kt.App.find(App.kt:");
    let number: u32 = {
        let line = trace.lines().nth(number as usize - 1).unwrap();
        line.rsplit(':').next().unwrap().trim_end_matches(')').parse().unwrap()
    };
    let source = String::from_utf8(work.read("src/kt/App.kt")).unwrap();
    assert!(number as usize > source.lines().count(), "no number of inlined code: {number}");
    let out = work.shell("pathlight crash --map app.plmap app.plt --stack crash.txt").ok().out;
    assert!(out.contains("exactly"), "{out}");
    assert!(out.contains("_Collections.kt"), "{out}");
    // The same with another number does not.
    let other = trace.replace(&format!(":{number})"), &format!(":{})", number + 1000));
    work.write("other.txt", other);
    let out = work.shell("pathlight crash --map app.plmap app.plt --stack other.txt");
    assert!(!out.out.contains("exactly"), "{}", out.out);
}
