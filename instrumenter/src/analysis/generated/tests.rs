//! Code shapes that D8 3.3 emits with `--debug` for classes of javac 17 and kotlinc 2.1.

use dex::{Body as Stored, Dex, Version};

use super::*;
use crate::analysis::program::DexFile;

/// Returns the generated code of all methods of classes: kind, first code unit and end code unit
/// (exclusive).
fn found(text: &str) -> Vec<(Generated, u32, u32)> {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(text, &mut dex).expect("parses");
    let dex = Dex::read(&dex.write().expect("writes")).expect("reads");
    let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
    let mut all = Vec::new();
    for (no, method) in (0..).map(MethodNo).zip(&program.methods) {
        let Some(code) = method.code else { continue };
        let Stored::Raw(item) = &program.files[0].dex.codes[code.0 as usize] else { panic!() };
        let (code, addresses) = dex::decode_with_addresses(item).expect("decodes");
        let of = generated(&program, (no, MethodId(1)), &code, &addresses);
        all.extend(of.into_iter().map(|g| (g.kind, g.from, g.to)));
    }
    all
}

fn method(head: &str, body: &str) -> String {
    format!(".class public La/B;\n.super Ljava/lang/Object;\n.method {head}\n{body}\n.end method\n")
}

const MONITOR: &str = ".code registers=2
    monitor-enter v1
    .try 0
    invoke-static {}, La/B;->work()V
    .end try
    monitor-exit v1
    return-void
:h
    move-exception v0
    monitor-exit v1
    throw v0
.catch 0 all :h";

#[test]
fn the_handler_of_synchronized_is_generated() {
    let text = method("static sync(Ljava/lang/Object;)V", MONITOR);
    assert_eq!(found(&text), [(Generated::Monitor, 6, 9)]);
}

#[test]
fn a_handler_that_does_more_than_leave_the_monitor_is_not() {
    let text = method("static sync(Ljava/lang/Object;)V", MONITOR);
    let more = text.replace("    throw", "    invoke-static {}, La/B;->log()V\n    throw");
    assert_eq!(found(&more), []);
    let other = text.replace("throw v0", "throw v1");
    assert_eq!(found(&other), [], "it throws another value than the caught one");
}

const RESOURCE: &str = ".code registers=4 ins=1
    .try 0
    invoke-virtual {v3}, Ljava/io/InputStream;->read()I
    move-result v2
    .end try
    if-eqz v3, :open
    invoke-virtual {v3}, Ljava/io/InputStream;->close()V
:open
    return v2
:h
    move-exception v1
    if-eqz v3, :rethrow
    .try 1
    invoke-virtual {v3}, Ljava/io/InputStream;->close()V
    .end try
    goto :rethrow
:s
    move-exception v2
    invoke-virtual {v1, v2}, Ljava/lang/Throwable;->addSuppressed(Ljava/lang/Throwable;)V
:rethrow
    throw v1
.catch 0 all :h
.catch 1 all :s";

#[test]
fn closing_the_resource_of_a_try_is_generated() {
    let text = method("static read(Ljava/io/InputStream;)I", RESOURCE);
    // The null check with the call of close, and the handler.
    let want = [(Generated::Resource, 4, 9), (Generated::Resource, 10, 22)];
    assert_eq!(found(&text), want);
    let other = text.replace("->close()V", "->flush()V");
    assert_eq!(found(&other), []);
}

#[test]
fn closing_the_resource_of_kotlins_use_is_generated() {
    let body = ".code registers=4 ins=1
    .try 0
    invoke-virtual {v3}, Ljava/io/InputStream;->read()I
    .end try
    return-void
:h
    move-exception v1
    .try 1
    throw v1
    .end try
:s
    move-exception v2
    invoke-static {v3, v1}, Lkotlin/io/CloseableKt;->\
     closeFinally(Ljava/io/Closeable;Ljava/lang/Throwable;)V
    throw v2
.catch 0 all :h
.catch 1 all :s";
    let text = method("static use(Ljava/io/InputStream;)V", body);
    assert_eq!(found(&text), [(Generated::Resource, 4, 11)]);
    assert_eq!(found(&text.replace("closeFinally", "log")), []);
}

#[test]
fn a_when_without_else_ends_in_generated_code() {
    let body = ".code registers=2
    if-eqz v1, :none
    return-void
:none
    new-instance v0, Lkotlin/NoWhenBranchMatchedException;
    invoke-direct {v0}, Lkotlin/NoWhenBranchMatchedException;-><init>()V
    throw v0";
    let text = method("static pick(I)V", body);
    assert_eq!(found(&text), [(Generated::When, 3, 9)]);
    let own = text.replace("Lkotlin/NoWhenBranchMatchedException;", "La/MyException;");
    assert_eq!(found(&own), []);
}

#[test]
fn the_exception_of_lateinit_is_generated() {
    let body = ".code registers=3 ins=1
    iget-object v0, v2, La/B;->name:Ljava/lang/String;
    if-eqz v0, :none
    return-object v0
:none
    const-string v0, \"name\"
    invoke-static {v0}, Lkotlin/jvm/internal/Intrinsics;->\
     throwUninitializedPropertyAccessException(Ljava/lang/String;)V
    const/4 v0, 0
    return-object v0";
    let text = method("getName()Ljava/lang/String;", body);
    assert_eq!(found(&text), [(Generated::Lateinit, 5, 12)]);
}

#[test]
fn the_test_for_an_argument_is_generated_only_in_functions_with_defaults() {
    let body = ".code registers=2 ins=2
    and-int/lit8 v1, v1, 2
    if-eqz v1, :given
    const/4 v0, 1
:given
    return v0";
    let text = method("static f$default(II)I", body);
    assert_eq!(found(&text), [(Generated::DefaultArgument, 0, 4)]);
    assert_eq!(found(&text.replace("f$default", "f")), []);
    assert_eq!(found(&text.replace("v1, 2\n", "v1, 3\n")), [], "the mask tests one bit");
}

#[test]
fn the_state_machine_of_a_coroutine_is_generated() {
    let body = ".code registers=4 ins=2
    invoke-static {}, Lkotlin/coroutines/intrinsics/IntrinsicsKt;->\
     getCOROUTINE_SUSPENDED()Ljava/lang/Object;
    move-result-object v0
    iget v1, v2, La/B;->label:I
    packed-switch v1, :P0
    new-instance v3, Ljava/lang/IllegalStateException;
    const-string v0, \"call to 'resume' before 'invoke' with coroutine\"
    invoke-direct {v3, v0}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v3
:again
    invoke-static {v3}, Lkotlin/ResultKt;->throwOnFailure(Ljava/lang/Object;)V
    move-object v1, v3
    goto :on
:first
    invoke-static {v3}, Lkotlin/ResultKt;->throwOnFailure(Ljava/lang/Object;)V
    invoke-static {v2}, La/B;->wait(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v1
    if-ne v1, v0, :on
    return-object v0
:on
    return-object v1
.payload 0 packed-switch 0 :first :again";
    let text = method("invokeSuspend(Ljava/lang/Object;)Ljava/lang/Object;", body);
    let want = [
        // The switch, the failure, both entries, and the suspension.
        (Generated::Coroutine, 6, 9),
        (Generated::Coroutine, 9, 17),
        (Generated::Coroutine, 17, 22),
        (Generated::Coroutine, 22, 25),
        (Generated::Coroutine, 29, 32),
    ];
    assert_eq!(found(&text), want);
    assert_eq!(found(&text.replace("getCOROUTINE_SUSPENDED", "other")), []);
}

const SWITCH: &str = ".code registers=4 ins=1
    invoke-virtual {v3}, Ljava/lang/String;->hashCode()I
    move-result v0
    const/4 v1, 0
    sparse-switch v0, :P0
:other
    goto :none
:two
    const-string v0, \"two\"
    invoke-virtual {v3, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :other
    const/4 v0, 1
    goto :chosen
:one
    const-string v0, \"one\"
    invoke-virtual {v3, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :other
    const/4 v0, 0
    goto :chosen
:none
    const/4 v0, -1
:chosen
    packed-switch v0, :P1
    return v1
:c
    return v0
:d
    return v3
.payload 0 sparse-switch 110182->:one 115276->:two
.payload 1 packed-switch 0 :c :d";

#[test]
fn the_switches_of_a_switch_over_strings_are_one_branch() {
    let text = method("static pick(Ljava/lang/String;)I", SWITCH);
    assert_eq!(found(&text), [(Generated::TextSwitch, 5, 33)]);
    assert_eq!(found(&text.replace("hashCode()I", "length()I")), []);
}

#[test]
fn constructors_that_only_prevent_instances_are_generated() {
    let body = ".code registers=1 ins=1
    invoke-direct {v0}, Ljava/lang/Object;-><init>()V
    return-void";
    let text = method("private constructor <init>()V", body);
    assert_eq!(found(&text), [(Generated::EmptyConstructor, 0, 4)]);
    assert_eq!(found(&text.replace("private constructor", "public constructor")), []);
}

#[test]
fn methods_that_every_record_has_are_generated() {
    let text = "\
.class public La/B;
.super Ljava/lang/Record;
.field private final x:I
.method public toString()Ljava/lang/String;
.code registers=2 ins=1
    invoke-direct {v1}, La/B;->$record$getFieldsAsObjects()[Ljava/lang/Object;
    const/4 v0, 0
    return-object v0
.end method
.method public x()I
.code registers=2 ins=1
    iget v0, v1, La/B;->x:I
    return v0
.end method
.method public y()I
.code registers=2 ins=1
    iget v0, v1, La/B;->x:I
    return v0
.end method
";
    assert_eq!(found(text), [(Generated::Record, 0, 5), (Generated::Record, 0, 3)]);
    assert_eq!(found(&text.replace("Ljava/lang/Record;", "Ljava/lang/Object;")), []);
}
