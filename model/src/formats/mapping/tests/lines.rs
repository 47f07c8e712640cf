//! Frames of lines. Expectations follow from the format's description (doc/retrace.md) and equal
//! the output of R8's Retrace for the same mapping and line (R8 main, e2438ddd).

use crate::mapping::{Frames, MappedLine, Mapping, Retracer};

const V2: &str = "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n";

fn mapping(text: &str) -> Mapping {
    Mapping::parse(&format!("{V2}{text}")).unwrap()
}

/// `Cls.name:line` of each frame that a stack trace shows.
fn shown(frames: &Frames<'_>, thrown: Option<&str>) -> Vec<String> {
    let text = |line| match line {
        MappedLine::None => "-".into(),
        MappedLine::Same => "same".into(),
        MappedLine::At(line) => line.to_string(),
        MappedLine::Between(from, to) => format!("{from}-{to}"),
    };
    let class = |c: &str| c[1..c.len() - 1].rsplit('/').next().unwrap().to_owned();
    let shown = frames.shown(thrown).iter();
    shown.map(|f| format!("{}.{}:{}", class(f.class), f.name, text(f.line))).collect()
}

/// Of a method without parameters and result.
#[track_caller]
fn check(text: &str, name: &str, line: Option<u32>, want: &[&str]) {
    let mapping = mapping(text);
    let frames = mapping.method("La;", name, "()V").and_then(|m| m.at(line));
    assert_eq!(frames.map_or(vec![], |f| shown(&f, None)), want, "line {line:?}");
}

const LINES: &str = "\
org.A -> a:
    1:3:void zero():0:0 -> a
    4:6:void several():10:20 -> b
    7:9:void moved():17:19 -> c
    8:8:void identity() -> d
    void plain() -> e
    void unranged():7:7 -> f
    0:65535:void all():33:33 -> g
";

#[test]
fn a_range_moves_its_lines() {
    check(LINES, "c", Some(7), &["A.moved:17"]);
    check(LINES, "c", Some(9), &["A.moved:19"]);
    check(LINES, "c", Some(10), &[]);
}

#[test]
fn line_zero_of_the_source_is_no_line() {
    check(LINES, "a", Some(2), &["A.zero:-"]);
}

#[test]
fn a_range_of_another_length_leaves_the_choice() {
    check(LINES, "b", Some(5), &["A.several:10-20"]);
}

#[test]
fn a_range_without_source_lines_keeps_them() {
    check(LINES, "d", Some(8), &["A.identity:8"]);
}

#[test]
fn a_method_without_ranges_keeps_its_lines() {
    check(LINES, "e", Some(8), &["A.plain:same"]);
    check(LINES, "f", Some(8), &["A.unranged:7"]);
}

#[test]
fn a_catch_all_range_holds_for_code_without_a_line() {
    check(LINES, "g", Some(8), &["A.all:33"]);
    check(LINES, "g", None, &["A.all:33"]);
    check(LINES, "c", None, &[]);
}

#[test]
fn addresses_are_lines_where_there_is_no_line_table() {
    // R8 --min-api 26 for `tests/truth/traces`: ART prints the address as line.
    let text = "\
Main -> a:
    19:26:int Main.depth(int):9:9 -> a
    19:26:void run():15 -> a
";
    check(text, "a", Some(22), &["Main.depth:9", "Main.run:15"]);
}

#[test]
fn inlined_frames_come_innermost_first() {
    let text = "\
org.A -> a:
    1:1:int org.B.twice(int):5:5 -> a
    1:1:int org.C.once(int):30 -> a
    1:1:void outer():9 -> a
";
    check(text, "a", Some(1), &["B.twice:5", "C.once:30", "A.outer:9"]);
}

const OVERLOADS: &str = "\
org.A -> a:
    1:2:void over(int):11:12 -> o
    4:5:void over(long):21:22 -> o
    6:7:void over(org.B):31:32 -> o
    8:9:void rest(int,int):41:42 -> o
      # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"(Lb;I)V\"}
    10:11:void org.D.inlined():3:3 -> o
    10:11:void rest(int,int):43 -> o
org.B -> b:
";

#[test]
fn overloads_are_told_apart_by_their_descriptors() {
    let mapping = mapping(OVERLOADS);
    let method = |descriptor: &str| mapping.method("La;", "o", descriptor).unwrap();
    assert_eq!(method("(J)V").source().key(), "Lorg/A;->over(J)V");
    assert_eq!(method("(Lb;)V").source().key(), "Lorg/A;->over(Lorg/B;)V");
    assert_eq!(shown(&method("(J)V").at(Some(5)).unwrap(), None), ["A.over:22"]);
    assert_eq!(shown(&method("(Lb;)V").at(Some(6)).unwrap(), None), ["A.over:31"]);
}

#[test]
fn overloads_with_one_range_are_no_inlined_frames() {
    // Retrace, which knows no descriptors, prints both one below the other.
    let text = "\
org.A -> a:
    1:2:void over(int):11:12 -> o
    1:2:void over(long):21:22 -> o
";
    let mapping = mapping(text);
    let at = |d: &str| shown(&mapping.method("La;", "o", d).unwrap().at(Some(2)).unwrap(), None);
    assert_eq!(at("(I)V"), ["A.over:12"]);
    let both = Retracer::new(&mapping).retrace("a", "o", Some(1), None).unwrap();
    assert_eq!(shown(&both.choices[0], None), ["A.over:11", "A.over:21"]);
}

#[test]
fn a_stack_trace_gets_every_overload_that_fits() {
    let mapping = mapping(OVERLOADS);
    let choices = |line| {
        let found = Retracer::new(&mapping).retrace("a", "o", line, None).unwrap();
        found.choices.iter().map(|f| shown(f, None)).collect::<Vec<_>>()
    };
    assert_eq!(choices(Some(4)), [["A.over:21"]]);
    assert_eq!(choices(Some(10)), [["D.inlined:3", "A.rest:43"]]);
    assert_eq!(choices(None), [["A.over:-"], ["A.over:-"], ["A.over:-"], ["A.rest:-"]]);
    assert_eq!(choices(Some(99)), [[""; 0]; 0]);
}

#[test]
fn a_residual_signature_holds_for_all_lines_of_its_method() {
    let mapping = mapping(OVERLOADS);
    let rest = mapping.method("La;", "o", "(Lb;I)V").unwrap();
    assert_eq!(rest.source().key(), "Lorg/A;->rest(II)V");
    assert_eq!(shown(&rest.at(Some(9)).unwrap(), None), ["A.rest:42"]);
    assert_eq!(shown(&rest.at(Some(11)).unwrap(), None), ["D.inlined:3", "A.rest:43"]);
}

#[test]
fn a_merged_method_has_the_lines_of_all_that_it_was_made_of() {
    // As in `notes`: only the first of merged constructors states the descriptor in the app.
    let text = "\
org.A -> a:
    6:19:void <init>(int):29:29 -> <init>
      # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"(II)V\"}
    20:33:void org.B.<init>(int):39:39 -> <init>
";
    let mapping = mapping(text);
    let made = mapping.method("La;", "<init>", "(II)V").unwrap();
    assert_eq!(shown(&made.at(Some(21)).unwrap(), None), ["B.<init>:39"]);
}

#[test]
fn what_r8_made_is_not_shown() {
    // The description's example.
    let text = "\
some.Class -> a:
    4:4:void example.Foo.lambda$main$0():225 -> a
    4:4:void run(example.Foo):2 -> a
    # {'id':'com.android.tools.r8.synthesized'}
    5:5:void example.Foo.lambda$main$1():228 -> a
    5:5:void run(example.Foo):4 -> a
"
    .replace('\'', "\"");
    let mapping = mapping(&text);
    let run = Retracer::new(&mapping).retrace("a", "a", Some(5), None).unwrap();
    assert_eq!(shown(&run.choices[0], None), ["Foo.lambda$main$1:228"]);
    assert_eq!(run.choices[0].frames.len(), 2, "the map keeps the method that runs");
    let run = mapping.method("La;", "a", "(Lexample/Foo;)V").unwrap();
    assert!(run.is_synthesized());
}

/// The description's example.
const REWRITE: &str = "\
some.Class -> a:
    4:4:void other.Class.inlinee():23:23 -> a
    4:4:void caller(other.Class):7 -> a
    # {\"id\":\"com.android.tools.r8.rewriteFrame\",\
    \"conditions\":[\"throws(Ljava/lang/NullPointerException;)\"],\
    \"actions\":[\"removeInnerFrames(1)\"]}
";

#[test]
fn a_throw_of_the_named_exception_takes_frames_away() {
    let mapping = mapping(REWRITE);
    let found = Retracer::new(&mapping).retrace("a", "a", Some(4), None).unwrap();
    let frames = &found.choices[0];
    let both = ["Class.inlinee:23", "Class.caller:7"];
    assert_eq!(shown(frames, Some("Ljava/lang/NullPointerException;")), ["Class.caller:7"]);
    assert_eq!(shown(frames, Some("Ljava/lang/Error;")), both);
    assert_eq!(shown(frames, None), both);
}

#[test]
fn more_frames_than_there_are_are_not_taken_away() {
    let mapping = mapping(&REWRITE.replace("Frames(1)", "Frames(3)"));
    let found = Retracer::new(&mapping).retrace("a", "a", Some(4), None).unwrap();
    let shown = shown(&found.choices[0], Some("Ljava/lang/NullPointerException;"));
    assert_eq!(shown, ["Class.inlinee:23", "Class.caller:7"]);
}

/// The description's example.
const OUTLINE: &str = "\
outline.Class -> a:
    1:2:int outline():0:0 -> a
    # {\"id\":\"com.android.tools.r8.outline\"}
some.Class -> b:
    1:1:void foo.bar.Baz.qux():42:42 -> s
    4:4:int outlineCaller(int):98:98 -> s
    5:5:int outlineCaller(int):100:100 -> s
    27:27:int outlineCaller(int):0:0 -> s
    # {\"id\":\"com.android.tools.r8.outlineCallsite\",\
    \"positions\":{\"1\":4,\"2\":5},\"outline\":\"La;a()I\"}
";

#[test]
fn lines_of_an_outline_are_those_of_its_caller() {
    let mapping = mapping(OUTLINE);
    for (line, want) in [(1, "Class.outlineCaller:98"), (2, "Class.outlineCaller:100")] {
        let outline = Retracer::new(&mapping).retrace("a", "a", Some(line), None).unwrap();
        assert!(shown(&outline.choices[0], None).is_empty());
        let caller = Retracer::new(&mapping).retrace("b", "s", Some(27), outline.outline).unwrap();
        assert_eq!(shown(&caller.choices[0], None), [want]);
    }
    let caller = mapping.method("Lb;", "s", "(I)I").unwrap();
    assert_eq!(caller.at(Some(27)).unwrap().outline_call, Some(&[(1, 4), (2, 5)][..]));
    assert!(mapping.method("La;", "a", "()I").unwrap().is_outline());
}

#[test]
fn comments_of_a_later_version_are_passed_over() {
    for (version, synthesized, outline, residual) in [
        ("", false, false, false),
        ("1.0", true, false, false),
        ("2.0", true, true, false),
        ("2.2", true, true, true),
        ("3.0", true, true, true),
    ] {
        let comment = |id: &str| format!("    # {{\"id\":\"com.android.tools.r8.{id}\"");
        let text = format!(
            "{}\"version\":\"{version}\"}}\norg.A -> a:\n\
            \x20   1:1:void a():1:1 -> a\n{}}}\n    1:1:void b():1:1 -> b\n{}}}\n\
            \x20   1:1:void c():1:1 -> c\n{},\"signature\":\"(I)V\"}}\n",
            comment("mapping").trim().to_owned() + ",",
            comment("synthesized"),
            comment("outline"),
            comment("residualsignature"),
        );
        let text = if version.is_empty() { text.split_once('\n').unwrap().1 } else { &text };
        let mapping = Mapping::parse(text).unwrap();
        let method = |name| mapping.method("La;", name, "()V");
        assert_eq!(method("a").unwrap().is_synthesized(), synthesized, "{version:?}");
        assert_eq!(method("b").unwrap().is_outline(), outline, "{version:?}");
        assert_eq!(method("c").is_none(), residual, "{version:?}");
        assert_eq!(mapping.newer_version(), (version == "3.0").then_some((3, 0)));
    }
}

#[test]
fn the_file_is_the_one_named_or_that_of_the_outermost_class() {
    let mapping = mapping("org.A$B -> a:\n# {\"id\":\"sourceFile\",\"fileName\":\"Far.kt\"}\n");
    let file = |class: &str, in_app| mapping.source_file(class, Some(in_app)).unwrap();
    assert_eq!(file("Lorg/A$B;", "SourceFile"), "Far.kt");
    assert_eq!(file("Lorg/C$D$E;", "SourceFile"), "C.java");
    assert_eq!(file("Lorg/C$D;", "X.kt"), "C.kt");
    assert_eq!(file("Lorg/UtilKt;", "SourceFile"), "Util.kt");
    assert_eq!(file("Lorg/UtilKt;", "X.java"), "UtilKt.java");
    assert_eq!(mapping.source_file("Lorg/C;", None), None);
}

#[test]
fn the_build_names_itself() {
    let id = mapping("# pg_map_id: 452bc59\n# pg_map_hash: SHA-256 452bc598f856\n");
    assert_eq!(id.id(), Some("452bc598f856"));
    assert_eq!(mapping("").id(), None);
}

#[test]
fn overlapping_ranges_give_the_first_and_take_no_time() {
    let mut text = String::from(
        "org.A -> a:\n    5:9:void x():1:1 -> a\n    1:20:void x():2:2 -> a\n\
        \x20   3:30:void x():3:3 -> a\n",
    );
    check(&text, "a", Some(4), &["A.x:2"]);
    check(&text, "a", Some(7), &["A.x:1"]);
    check(&text, "a", Some(20), &["A.x:2"]);
    check(&text, "a", Some(30), &["A.x:3"]);
    // Each overlaps all others.
    for n in 0..50_000 {
        text += &format!("    {}:{}:void x():1:1 -> a\n", 100_000 - n, 200_000 + n);
    }
    let mapping = mapping(&text);
    let began = std::time::Instant::now();
    assert!(mapping.method("La;", "a", "()V").unwrap().at(Some(249_999)).is_some());
    assert!(began.elapsed().as_secs() < 5);
}

#[test]
fn ranges_up_to_the_largest_number_are_read() {
    let text = "org.A -> a:\n    0:4294967295:void x():0:4294967295 -> a\n\
        \x20   4294967295:4294967295:void y():1:4294967295 -> b\n";
    check(text, "a", Some(u32::MAX), &["A.x:4294967295"]);
    check(text, "b", Some(u32::MAX), &["A.y:1-4294967295"]);
    assert!(Mapping::parse("org.A -> a:\n    1:4294967296:void x():1:1 -> a\n").is_err());
}

/// Without limits, a line of the app would take the memory of all lines of the mapping.
#[test]
fn what_stands_behind_one_line_is_bounded() {
    let rows = |line: &dyn Fn(usize) -> String, count| (0..count).map(line).collect::<String>();
    let chain = rows(&|n| format!("    1:1:void m{n}():{} -> a\n", n + 1), 300);
    let inlined = mapping(&format!("org.A -> a:\n{chain}"));
    let frames = inlined.method("La;", "a", "()V").and_then(|m| m.at(Some(1))).unwrap();
    assert_eq!((frames.frames.len(), frames.frames[0].name), (255, "m0"));

    let overloads = rows(&|n| format!("    void m{n}(int) -> a\n"), 65);
    let ambiguous = mapping(&format!("org.A -> a:\n{overloads}"));
    let found = Retracer::new(&ambiguous).retrace("a", "a", None, None).unwrap();
    assert_eq!((found.choices.len(), found.is_cut), (64, true));

    let comment = REWRITE.lines().last().unwrap();
    let rewrites = mapping(&format!("{REWRITE}{}", format!("{comment}\n").repeat(16)));
    let frames = Retracer::new(&rewrites).retrace("a", "a", Some(4), None).unwrap();
    assert_eq!(frames.choices[0].rewrites().count(), 16);

    for (lines, is_kept) in [(256, true), (257, false)] {
        let positions: Vec<String> = (1..=lines).map(|n| format!("\"{n}\":4")).collect();
        let outline = mapping(&OUTLINE.replace("\"1\":4,\"2\":5", &positions.join(",")));
        let caller = outline.method("Lb;", "s", "(I)I").and_then(|m| m.at(Some(27))).unwrap();
        assert_eq!(caller.outline_call.is_some(), is_kept, "{lines}");
    }
}
