//! Lines of a source file in the coverage that `report --lcov` prints.

/// Returns the records of a source file, or of one line of it. Several files with the same name
/// keep their `SF:` records, which distinguish them.
///
/// # Errors
/// The build has no such file, or no code of the line. The message states which tool helps.
pub fn records_of(lcov: &str, file: &str, line: Option<u32>) -> Result<String, String> {
    let mut files: Vec<(&str, String)> = Vec::new();
    let mut is_asked = false;
    for record in lcov.lines() {
        if let Some(path) = record.strip_prefix("SF:") {
            is_asked = path == file || path.ends_with(&format!("/{file}"));
            if is_asked {
                files.push((record, String::new()));
            }
        } else if is_asked
            && let Some((_, records)) = files.last_mut()
            && number_of(record).is_some_and(|number| line.is_none_or(|asked| asked == number))
        {
            records.push_str(record);
            records.push('\n');
        }
    }
    if files.is_empty() {
        return Err(format!(
            "no file {file} is in this build. Call `find` with a class: its calls name their files"
        ));
    }
    files.retain(|(_, records)| !records.is_empty());
    match (&files[..], line) {
        ([], Some(line)) => Err(format!(
            "{file}:{line} has no code in this build. Call `line` without a line for those that \
             have code"
        )),
        ([(_, records)], Some(_)) => Ok(records.clone()),
        (files, _) => {
            Ok(files.iter().map(|(name, records)| format!("{name}\n{records}")).collect())
        }
    }
}

/// Returns the line of a record of hits or of a branch.
fn number_of(record: &str) -> Option<u32> {
    let rest = record.strip_prefix("DA:").or_else(|| record.strip_prefix("BRDA:"))?;
    rest.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LCOV: &str = "TN:\nSF:a/Net.java\nFN:3,a\nDA:3,2\nDA:4,0\nBRDA:3,0,0,2\nBRDA:3,0,1,-\n\
                        end_of_record\nSF:a/OtherNet.java\nDA:3,9\nend_of_record\n\
                        SF:b/Net.java\nDA:4,7\nDA:9,1\nend_of_record\n";

    #[test]
    fn a_line_has_its_hits_and_directions_of_the_file_with_exactly_this_name() {
        let found = records_of(LCOV, "Net.java", Some(3)).unwrap();
        assert_eq!(found, "DA:3,2\nBRDA:3,0,0,2\nBRDA:3,0,1,-\n");
    }

    #[test]
    fn files_of_the_same_name_are_told_apart() {
        let found = records_of(LCOV, "Net.java", Some(4)).unwrap();
        assert_eq!(found, "SF:a/Net.java\nDA:4,0\nSF:b/Net.java\nDA:4,7\n");
        assert_eq!(records_of(LCOV, "b/Net.java", Some(4)).unwrap(), "DA:4,7\n");
    }

    #[test]
    fn lines_without_code_and_unknown_files_are_errors() {
        assert!(records_of(LCOV, "Net.java", Some(5)).unwrap_err().contains("no code"));
        assert!(records_of(LCOV, "No.java", None).unwrap_err().contains("no file"));
    }
}
