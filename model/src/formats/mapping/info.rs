//! Information that R8 adds in comments (`# {"id":…}`).

use serde::Deserialize;

/// The newest version of these comments that this module knows.
pub(super) const NEWEST: (u32, u32) = (2, 2);

/// Lines of an outline, at most: a comment with more of them is passed over.
const MAX_POSITIONS: usize = 256;

/// A frame that R8 made is to be taken away from stack traces of certain exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rewrite {
    /// Descriptors of the exceptions; all must be the one thrown.
    pub thrown: Vec<Box<str>>,
    /// Number of innermost frames to remove.
    pub remove: u32,
}

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Info {
    /// Version of all comments that follow; `None` is one that is never to be read.
    Version(Option<(u32, u32)>),
    /// File that the class above stands in.
    SourceFile(String),
    /// R8 made what stands above.
    Synthesized,
    /// Descriptor of the method above in the app.
    Residual(String),
    /// See [`Rewrite`].
    Rewrite(Rewrite),
    /// The method above is an outline.
    Outline,
    /// The line above calls an outline: lines of the outline, and the lines of the caller that they
    /// stand for. Ascending.
    OutlineCall(Vec<(u32, u32)>),
}

#[derive(Deserialize)]
struct Comment {
    id: String,
    version: Option<String>,
    #[serde(rename = "fileName")]
    file_name: Option<String>,
    signature: Option<String>,
    conditions: Option<Vec<String>>,
    actions: Option<Vec<String>>,
    positions: Option<serde_json::Map<String, serde_json::Value>>,
}

impl Info {
    /// Reads a comment without its `#`. Returns `None` for any other comment, and for one of a
    /// later version than the version in force, as the format's description asks.
    pub fn parse(comment: &str, version: Option<(u32, u32)>) -> Option<Info> {
        let comment = comment.trim();
        if !comment.starts_with('{') {
            return None;
        }
        let c: Comment = serde_json::from_str(comment).ok()?;
        let since = |at: (u32, u32)| version.filter(|v| *v >= at);
        match c.id.strip_prefix("com.android.tools.r8.").unwrap_or(&c.id) {
            // The only id without a prefix, and older than versions.
            "sourceFile" => Some(Info::SourceFile(c.file_name?)),
            "mapping" => Some(Info::Version(numbers(&c.version?))),
            "synthesized" => since((1, 0)).map(|_| Info::Synthesized),
            "residualsignature" => {
                since((2, 2))?;
                c.signature.filter(|s| s.starts_with('(')).map(Info::Residual)
            }
            "outline" => since((2, 0)).map(|_| Info::Outline),
            "outlineCallsite" => {
                since((2, 0))?;
                let pair = |(from, to): (String, serde_json::Value)| {
                    Some((from.parse().ok()?, u32::try_from(to.as_u64()?).ok()?))
                };
                let mut pairs: Vec<_> = c.positions?.into_iter().filter_map(pair).collect();
                pairs.sort_unstable();
                // Every call of the outline gets a copy of them.
                (pairs.len() <= MAX_POSITIONS).then_some(Info::OutlineCall(pairs))
            }
            "rewriteFrame" => {
                since((2, 0))?;
                let inside = |text: &str, name: &str| {
                    let inside = text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
                    Some(inside.to_owned())
                };
                let (conditions, actions) = (c.conditions?, c.actions?);
                let thrown = conditions.iter().map(|t| Some(inside(t, "throws")?.into()));
                let remove = actions.iter().try_fold(0u32, |sum, action| {
                    sum.checked_add(inside(action, "removeInnerFrames")?.parse().ok()?)
                });
                // Unknown actions change nothing.
                Some(Info::Rewrite(Rewrite {
                    thrown: thrown.collect::<Option<_>>()?,
                    remove: remove?,
                }))
            }
            _ => None,
        }
    }
}

/// `2.2`. `experimental` is for R8's own tests.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}
