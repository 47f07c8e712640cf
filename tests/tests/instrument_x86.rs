//! `--x86-safe`: methods that use arrays gather nothing, so that no handler of Pathlight reads a
//! register that changes while an array may be null.

use dex::{Dex, Version};
use instrumenter::{Inline, Options, Report, RuntimeHome, X86Safe, instrument};

/// A loop over an array (counted without the option), a region that reads one, and the same region
/// without an array; and a caller with an array, in a range, of a short method that gathers.
const CLASS: &str = "\
.class public Lp/C;
.super Ljava/lang/Object;
.method static region([I)I
.code registers=3 ins=1
    const/4 v0, 0
    aget v1, p0, v0
    if-eqz v1, :a
    add-int/lit8 v0, v0, 1
:a
    if-lez v1, :b
    add-int/lit8 v0, v0, 2
:b
    aget v1, p0, v0
    return v1
.end method
.method static sum([I)I
.code registers=5 ins=1
    const/4 v0, 0
    move v1, v0
    array-length v2, p0
:again
    if-ge v1, v2, :out
    aget v3, p0, v1
    add-int/2addr v0, v3
    add-int/lit8 v1, v1, 1
    goto :again
:out
    return v0
.end method
.method static quiet(II)I
.code registers=3 ins=2
    const/4 v0, 0
    if-eqz p0, :a
    add-int/lit8 v0, v0, 1
:a
    if-lez p1, :b
    add-int/lit8 v0, v0, 2
:b
    return v0
.end method
.method static host([II)I
.code registers=4 ins=2 outs=2
    .try 0
    aget v0, p0, p1
    .end try
    invoke-static {v0, p1}, Lp/C;->quiet(II)I
    move-result v0
    return v0
:handler
    const/4 v0, 0
    return v0
.catch 0 Ljava/lang/RuntimeException; :handler
.end method
";

fn report(x86_safe: X86Safe) -> Report {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(CLASS, &mut dex).expect("parses");
    let options = Options { x86_safe, inline: Inline::All, ..Options::default() };
    let input = vec![("classes.dex".to_owned(), dex.write().expect("writes"))];
    let out = instrument(input, RuntimeHome::OwnFile, "", &options).expect("instruments");
    assert_eq!(out.report.skipped, []);
    out.report
}

#[test]
fn methods_that_use_arrays_gather_nothing_where_it_must_be_safe() {
    let gathered = |r: &Report| (r.regions, r.loops, r.inlined);
    // `region`, `quiet`, and `host` where `quiet` stands in it; `sum`; `quiet` in `host`.
    assert_eq!(gathered(&report(X86Safe::Never)), (3, 1, 1));
    // Without a package nothing shows that it is for an emulator.
    assert_eq!(gathered(&report(X86Safe::Auto)), (3, 1, 1));
    // `quiet` alone has no array: in `host` it stands, too, but nothing is gathered.
    assert_eq!(gathered(&report(X86Safe::Always)), (1, 0, 1));
}
