//! Names of the source.

use crate::mapping::{Mapping, MappingError};

const TEXT: &str = r#"# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
org.example.Main -> a.a:
# {"id":"sourceFile","fileName":"Main.java"}
    int counter -> a
    1:1:void <init>():7:7 -> <init>
    1:3:void run(int,java.lang.String[]):10:12 -> a
    4:4:int org.example.Util.inlined(int):5:5 -> a
    4:4:void run(int,java.lang.String[]):13 -> a
    1:1:org.example.Util run(org.example.Util):20:20 -> a
    void plain() -> b
    1:1:void reduced(int,int):30:30 -> c
    # {"id":"com.android.tools.r8.residualsignature","signature":"(I)V"}
    1:1:void org.example.Merged.absorbed():40:40 -> d
    long changed(int,long) -> e
    1:1:void twin(int):50:50 -> f
    1:1:void twin(long):51:51 -> f
org.example.Util -> a.b:
org.example.Kept -> org.example.Kept:
"#;

#[track_caller]
fn check(class: &str, name: &str, descriptor: &str, want: &str) {
    assert_eq!(Mapping::parse(TEXT).unwrap().method_key(class, name, descriptor), want);
}

#[test]
fn overloads_are_told_apart_by_translated_types() {
    check(
        "La/a;",
        "a",
        "(I[Ljava/lang/String;)V",
        "Lorg/example/Main;->run(I[Ljava/lang/String;)V",
    );
    check(
        "La/a;",
        "a",
        "(La/b;)La/b;",
        "Lorg/example/Main;->run(Lorg/example/Util;)Lorg/example/Util;",
    );
    check("La/a;", "f", "(I)V", "Lorg/example/Main;->twin(I)V");
    check("La/a;", "f", "(J)V", "Lorg/example/Main;->twin(J)V");
}

#[test]
fn an_inlined_frame_is_not_the_method() {
    check("La/a;", "a", "(I)I", "Lorg/example/Main;->a(I)I");
}

#[test]
fn a_stated_signature_wins() {
    check("La/a;", "c", "(I)V", "Lorg/example/Main;->reduced(II)V");
}

#[test]
fn a_changed_descriptor_is_found_by_its_only_name() {
    check("La/a;", "e", "(I)J", "Lorg/example/Main;->changed(IJ)J");
}

#[test]
fn a_method_of_a_merged_class_keeps_its_own_class() {
    check("La/a;", "d", "()V", "Lorg/example/Merged;->absorbed()V");
}

#[test]
fn constructors_and_unknown_names_stay() {
    check("La/a;", "<init>", "()V", "Lorg/example/Main;-><init>()V");
    check("La/a;", "zz", "([[La/b;I)V", "Lorg/example/Main;->zz([[Lorg/example/Util;I)V");
    check("Lx/Y;", "q", "(LL;)V", "Lx/Y;->q(LL;)V");
}

#[test]
fn windows_line_ends_are_no_part_of_names() {
    let mapping = Mapping::parse(&TEXT.replace('\n', "\r\n")).unwrap();
    assert_eq!(mapping.method_key("La/a;", "b", "()V"), "Lorg/example/Main;->plain()V");
    assert_eq!(mapping.type_descriptor("[[La/b;"), "[[Lorg/example/Util;");
}

#[test]
fn a_wrong_line_is_named() {
    for text in [
        "x",
        "a.B -> c",
        "    int f -> a",
        "A -> B:\n    1:void m() -> a",
        "A -> B:\n    m) ( -> a",
    ] {
        let line = text.lines().count();
        assert!(
            matches!(Mapping::parse(text), Err(MappingError::Line { line: l, .. }) if l == line),
            "{text}"
        );
    }
}

#[test]
fn fields_have_the_names_of_the_source() {
    let text = "\
org.A -> a:
    int count -> a
    java.lang.String org.Merged.title -> b
    void a() -> a
    float ratio -> a
org.B -> b:
";
    let mapping = Mapping::parse(text).unwrap();
    assert_eq!(mapping.field_name("La;", "a"), Some("count"), "the first of the name");
    assert_eq!(mapping.field_name("La;", "b"), Some("title"), "of a class that was merged");
    assert_eq!(mapping.field_name("La;", "c"), None);
    assert_eq!(mapping.field_name("Lb;", "a"), None, "another class's");
    assert_eq!(mapping.field_name("Lc;", "a"), None);
}
