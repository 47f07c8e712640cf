//! Edge identities, probability tables, reference coder, formats.
