use model::map::{BranchIdentity, CodeOrigin, NameId};

use super::*;
use crate::tests::map;

/// Returns a map with `A.outer` of `A.kt`: the lines and successors of each block; none: it
/// returns.
pub(in crate::select) fn method(blocks: &[(&[u32], &[u32])]) -> Map {
    let mut map = map();
    map.methods.truncate(1);
    let m = &mut map.methods[0];
    m.source_file = Some(NameId(7));
    let block = |(at, (lines, to)): (u32, &(&[u32], &[u32]))| Block {
        pc: 10 * at,
        end: 10 * at + 9,
        lines: (10 * at..).zip(*lines).map(|(pc, &line)| (pc, CodeOrigin::Line(line))).collect(),
        calls: Vec::new(),
        throws: false,
        mark: false,
        terminator: match to {
            [] => Terminator::Return,
            [to] => Terminator::Goto(BlockId(*to)),
            _ => Terminator::Branch {
                alternatives: to.iter().map(|&to| (BlockId(to), 1)).collect(),
                identity: BranchIdentity { fingerprint: 0 },
            },
        },
    };
    m.blocks = (0..).zip(blocks).map(block).collect();
    map
}

/// Two diamonds, and a loop around the second one.
fn diamonds() -> Map {
    method(&[
        (&[10], &[1, 2]),
        (&[11], &[3]),
        (&[12], &[3]),
        (&[13], &[4, 5]),
        (&[14], &[6]),
        (&[15], &[6]),
        (&[16], &[3, 7]),
        (&[17, 18], &[]),
    ])
}

fn ways(lines: &[u32], kind: PathKind, most: usize) -> Result<Vec<Vec<u32>>, LinesError> {
    let lines: Vec<Line> = lines.iter().map(|&l| ("A.kt".to_owned(), l)).collect();
    let found = ways_over(&diamonds(), &lines, kind, &[], most)?;
    let blocks = |(_, path): (MethodId, Vec<PathStep>)| path.iter().map(|s| s.block().0).collect();
    Ok(found.into_iter().map(blocks).collect())
}

#[test]
fn lines_that_leave_one_way_name_one_path() {
    assert_eq!(ways(&[10, 12, 13, 15, 16], PathKind::Piece, 9).unwrap(), [[0, 2, 3, 5, 6]]);
    // The line between may be left out where there is no choice.
    assert_eq!(ways(&[12, 14, 18], PathKind::Piece, 9).unwrap(), [vec![2, 3, 4, 6, 7]]);
    assert_eq!(ways(&[15], PathKind::Piece, 9).unwrap(), [[5]]);
    // Round the loop to the same line again.
    let round = ways(&[16, 14, 16], PathKind::Piece, 9).unwrap();
    assert_eq!(round, [[6, 3, 4, 6]]);
}

#[test]
fn all_ways_are_found_where_lines_leave_several() {
    let found = ways(&[10, 13, 16], PathKind::Piece, 9).unwrap();
    assert_eq!(found, [[0, 1, 3, 4, 6], [0, 1, 3, 5, 6], [0, 2, 3, 4, 6], [0, 2, 3, 5, 6]]);
    assert_eq!(ways(&[10, 13, 16], PathKind::Piece, 3), Err(LinesError::Many(3)));
}

#[test]
fn begins_and_whole_paths_go_from_the_entry() {
    assert_eq!(ways(&[12], PathKind::Prefix, 9).unwrap(), [[0, 2]]);
    assert_eq!(ways(&[12, 15, 17], PathKind::Whole, 9).unwrap(), [[0, 2, 3, 5, 6, 7]]);
}

#[test]
fn lines_that_no_way_leads_over_are_refused() {
    assert_eq!(ways(&[12, 11], PathKind::Piece, 9), Err(LinesError::NoWay));
    let line = LinesError::NoLine(("A.kt".into(), 99));
    assert_eq!(ways(&[10, 99], PathKind::Piece, 9), Err(line.clone()));
    assert_eq!(line.to_string(), "A.kt:99: no code of the build is of this line");
    let other = [("B.kt".to_owned(), 10)];
    let found = ways_over(&diamonds(), &other, PathKind::Piece, &[], 9);
    assert!(matches!(found, Err(LinesError::NoLine(_))));
    let globs = ["A.other".to_owned()];
    let found = ways_over(&diamonds(), &[("A.kt".into(), 10)], PathKind::Piece, &globs, 9);
    assert!(matches!(found, Err(LinesError::NoLine(_))));
}
