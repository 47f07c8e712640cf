//! A node in the file: 40 bytes.

/// Bytes of an entry.
pub const BYTES: usize = 40;

/// A node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeEntry {
    /// The time of its first sample.
    pub first: u64,
    /// Its weight.
    pub total: u64,
    /// Part of the weight that is kept for callers only.
    pub other: u64,
    /// Position of its histogram or its samples in the contents.
    pub place: u64,
    /// Their bytes.
    pub length: u32,
    /// Their number.
    pub items: u32,
}

impl NodeEntry {
    /// Its bytes.
    pub fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (i, word) in [self.first, self.total, self.other, self.place].into_iter().enumerate() {
            bytes[8 * i..8 * i + 8].copy_from_slice(&word.to_le_bytes());
        }
        bytes[32..36].copy_from_slice(&self.length.to_le_bytes());
        bytes[36..].copy_from_slice(&self.items.to_le_bytes());
        bytes
    }

    /// The entry of these bytes.
    pub fn of_bytes(bytes: &[u8; BYTES]) -> NodeEntry {
        let long = |i: usize| u64::from_le_bytes(std::array::from_fn(|k| bytes[8 * i + k]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|k| bytes[at + k]));
        NodeEntry {
            first: long(0),
            total: long(1),
            other: long(2),
            place: long(3),
            length: short(32),
            items: short(36),
        }
    }
}
