//! Logs in, exact execution paths out.
