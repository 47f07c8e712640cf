//! Names that resemble a mistyped one.

/// The number of names that a message lists.
const MOST: usize = 3;
/// Likeness below which a name is no help: 1 is equal, 0 has nothing in common.
const LEAST: f64 = 0.6;

/// Returns the names that resemble `wanted` most, the most similar first. Case does not count.
pub fn names<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = wanted.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        // Of `com.example.Cls.name`, people write `Cls.name` as well.
        let starts = name.match_indices(['.', '$']).map(|(at, _)| at + 1);
        let ends = [0].into_iter().chain(starts).map(|at| &name[at..]);
        let likeness = |end| strsim::normalized_damerau_levenshtein(&wanted, end);
        ends.map(likeness).fold(0.0, f64::max)
    };
    let mut found: Vec<(f64, &str)> = names.into_iter().map(|n| (likeness(n), n)).collect();
    found.retain(|(likeness, _)| *likeness >= LEAST);
    found.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
    found.dedup_by(|(_, x), (_, y)| x == y);
    found.into_iter().take(MOST).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_names_come_first() {
        let all = ["decode", "device", "doctor", "report", "decode"];
        assert_eq!(names("decod", all), ["decode"]);
        assert_eq!(names("DECODE", all)[0], "decode");
        assert_eq!(names("mpa", ["map", "jobs"]), ["map"]);
        assert!(names("xyz", all).is_empty());
        assert_eq!(names("Setings", ["a.b.Settings", "a.b.Network"]), ["a.b.Settings"]);
    }
}
