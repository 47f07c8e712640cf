//! Memory of `instrument`: some times the bytes of the code, not some tens of times.

use dex::{AccessFlags, CodeId, Dex, EncodedMethod, Version, text};

use crate::support::Work;

/// Each takes about 180 bytes.
const METHODS: u32 = 30_000;

/// Methods with a branch, a loop, calls and lines.
fn app() -> Vec<u8> {
    let mut dex = Dex::new(Version(35));
    let mut methods = Vec::new();
    for i in 0..METHODS {
        let calls: String = (1..=20)
            .map(|n| {
                let line = 10 * n + i % 7;
                format!("    .line {line}\n    invoke-static {{v0}}, La/C;->m{:05}(I)V\n", i / n)
            })
            .collect();
        let code = format!(
            ".code registers=2 ins=1 outs=1\n.line 1\n    const/16 v0, {}\n:again\n\
             {calls}    if-lez p0, :out\n    add-int/lit8 p0, p0, -1\n    goto :again\n\
             :out\n    return-void\n",
            i % 30_000,
        );
        let code = text::parse_code(&code, &mut dex).expect("is code");
        dex.codes.push(code.into());
        methods.push(EncodedMethod {
            method: dex.intern_method("La/C;", &format!("m{i:05}"), "V", &["I"]),
            access: AccessFlags::PUBLIC | AccessFlags::STATIC,
            code: Some(CodeId(i)),
            hiddenapi: None,
        });
    }
    tests::add_class(&mut dex, "La/C;", methods);
    dex.write().expect("writes")
}

/// The limit, in KiB, is for all that the program maps, itself included.
#[test]
fn instrumenting_takes_some_times_the_bytes_of_the_code() {
    const LIMIT: usize = 160 << 10;
    let work = Work::new();
    let app = app();
    assert!(app.len() > 5_000_000, "{} bytes", app.len());
    work.write("big.dex", app);
    let settings = format!("export MALLOC_ARENA_MAX=1 RAYON_NUM_THREADS=1; ulimit -v {LIMIT}");
    let line = "pathlight instrument big.dex -o out.dex --map out.plmap";
    work.shell(&format!("{settings} && {line}")).ok();
}
