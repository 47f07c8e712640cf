//! Queries of a manifest on XML, in either form of a package.

use super::error::Fault;

/// An attribute of the framework: its resource id, and its name where a file carries no id.
pub(super) type Attr = (u32, &'static str);

/// A typed value of an attribute, as far as a manifest needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum AttributeValue {
    Text(String),
    /// Decimal or hexadecimal.
    Int(i32),
    Bool(bool),
    /// A reference to a resource or another type; its value is not known here.
    #[default]
    Other,
}

/// XML in one of the forms that packages have; elements are numbered in document order.
pub(super) trait Xml {
    /// Depth of each element; 0 for the root.
    fn depths(&self) -> impl Iterator<Item = usize>;
    /// Its name.
    fn name(&self, element: usize) -> Result<String, Fault>;
    /// The attribute without namespace of this name (`package`, `split`), if it is text.
    fn plain(&self, element: usize, name: &str) -> Result<Option<String>, Fault>;
    /// The attribute with this framework resource id. Where a file has no id for a name, the name
    /// counts.
    fn android(&self, element: usize, attr: Attr) -> Result<Option<AttributeValue>, Fault>;
}
