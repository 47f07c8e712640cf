//! Debug info that several methods share: one item serves all whose code it describes.

use dex::debug::DebugEvent;
use dex::{Body, CodeItem, Dex, Version, text};

/// A file with a method for each of these bodies, of `nop`s with a position at each unit: address
/// `i` has line `lines(method, i)`.
fn file(units: &[usize], line: impl Fn(usize, usize) -> usize) -> Dex {
    let mut source = ".class public Lp/C;\n.super Ljava/lang/Object;\n".to_owned();
    for (number, units) in units.iter().enumerate() {
        source += &format!(".method static m{number}()V\n.code registers=0\n.debug line 0\n");
        for i in 0..*units {
            let insn = if i + 1 == *units { "return-void" } else { "nop" };
            source += &format!("    .line {}\n    {insn}\n", line(number, i));
        }
        source += ".end method\n";
    }
    let mut dex = Dex::new(Version(35));
    text::parse_classes(&source, &mut dex).expect("parses");
    dex
}

/// Number of items of a type in the map of the written file, and the file.
fn written(dex: &Dex, item: u16) -> (u32, Vec<u8>) {
    let bytes = dex.write().expect("writes");
    let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let map = u32_at(52) as usize;
    let entries = (0..u32_at(map) as usize).map(|i| map + 4 + 12 * i);
    let count = entries.filter(|&at| u16_at(at) == item).map(|at| u32_at(at + 4)).sum();
    (count, bytes)
}

const DEBUG_INFO: u16 = 0x2003;

/// The positions of each body, as they are read back.
fn positions(bytes: &[u8]) -> Vec<Vec<(u32, u32)>> {
    let dex = Dex::read(bytes).expect("reads");
    let raw = |body: &Body| match body {
        Body::Raw(raw) => (**raw).clone(),
        Body::Stored(_) | Body::Edited(_) => CodeItem::default(),
    };
    let line = |(at, event): &(u32, DebugEvent)| match event {
        DebugEvent::Line(line) => Some((*at, *line)),
        _ => None,
    };
    let of = |code: CodeItem| code.debug.iter().flat_map(|d| &d.events).filter_map(line).collect();
    dex.codes.iter().map(raw).map(of).collect()
}

#[test]
fn a_long_table_serves_the_methods_that_it_begins_like() {
    let (items, bytes) = written(&file(&[2, 9, 5], |_, i| i), DEBUG_INFO);
    assert_eq!(items, 1);
    let pc = |n: u32| (0..n).map(|i| (i, i)).collect::<Vec<_>>();
    // No method sees the table after its own code.
    assert_eq!(positions(&bytes), [pc(2), pc(9), pc(5)]);
}

#[test]
fn a_table_that_differs_within_the_code_does_not_serve() {
    let (items, bytes) =
        written(&file(&[3, 4], |method, i| i + usize::from(method == 1 && i == 2)), DEBUG_INFO);
    assert_eq!(items, 2);
    assert_eq!(positions(&bytes)[0], [(0, 0), (1, 1), (2, 2)]);
}

/// The longer table begins with the same bytes, but its next position lies inside the other's code.
#[test]
fn a_position_inside_the_code_does_not_serve() {
    let mut dex = file(&[4, 4], |_, i| i);
    for (body, keep) in dex.codes.iter_mut().zip([2, 4]) {
        let Body::Edited(code) = body else { panic!("parsed bodies are edit lists") };
        let mut seen = 0;
        code.nodes.retain(|n| {
            let is_line = matches!(n.item, dex::Item::Debug(DebugEvent::Line(_)));
            seen += usize::from(is_line);
            !is_line || seen <= keep
        });
    }
    let (items, bytes) = written(&dex, DEBUG_INFO);
    assert_eq!(items, 2);
    assert_eq!(positions(&bytes)[0], [(0, 0), (1, 1)]);
}

/// The table that R8 writes for thousands of methods: reading costs the length of their code.
#[test]
fn thousands_of_short_methods_may_share_a_long_table() {
    let mut units = vec![2; 3000];
    units.push(20_000);
    let (items, bytes) = written(&file(&units, |_, i| i), DEBUG_INFO);
    assert_eq!(items, 1);
    let events: usize = positions(&bytes).iter().map(Vec::len).sum();
    assert_eq!(events, 3000 * 2 + 20_000);
}

/// Two methods whose instructions have their own addresses, from 1 on, as lines. R8 gives both the
/// table that has a line for each code unit.
#[test]
fn lines_that_are_addresses_are_written_for_each_unit() {
    let source = "\
.class public Lp/C;
.super Ljava/lang/Object;
.method static short()V
.code registers=1
.debug line 1
    .line 1
    const/16 v0, 7
    .line 3
    return-void
.end method
.method static long()V
.code registers=1
.debug line 1
    .line 1
    nop
    .line 2
    const v0, 70000
    .line 5
    return-void
.end method
";
    let mut dex = Dex::new(Version(35));
    text::parse_classes(source, &mut dex).expect("parses");
    let (items, bytes) = written(&dex, DEBUG_INFO);
    assert_eq!(items, 1);
    // Line 1, no names; 0x0e: line and address stay; 0x1e: both go on by one.
    let table = [1, 0, 0x0e, 0x1e, 0x1e, 0x1e, 0x1e, 0];
    assert_eq!(bytes.windows(table.len()).filter(|w| *w == table).count(), 1);
    // Taken apart, each instruction has one line again.
    let dex = Dex::read(&bytes).expect("reads");
    for body in &dex.codes {
        let Body::Raw(raw) = body else { panic!("read bodies are raw") };
        let code = dex::decode(raw).expect("decodes");
        let lines = code.nodes.iter().filter(|n| matches!(n.item, dex::Item::Debug(_))).count();
        assert_eq!(lines, code.insns().count());
    }
}

/// A line that holds for several instructions is no address of the later ones.
#[test]
fn a_line_for_two_instructions_stays_one() {
    let source = "\
.class public Lp/C;
.super Ljava/lang/Object;
.method static m()V
.code registers=0
.debug line 1
    .line 1
    nop
    return-void
.end method
";
    let mut dex = Dex::new(Version(35));
    text::parse_classes(source, &mut dex).expect("parses");
    let (_, bytes) = written(&dex, DEBUG_INFO);
    assert_eq!(positions(&bytes), [[(0, 1)]]);
}
