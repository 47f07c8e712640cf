//! Code and small classes as text that can be read back.
//!
//! ```text
//! .class public Lexample/Count;
//! .super Ljava/lang/Object;
//! .method public static half(I)I         ; a comment: `;` at the start of a line or after a space
//! .code registers=2 ins=1 outs=0
//! .debug line 12 parameters "n"
//! :again                                 ; labels: any name; `:L7` is label 7
//!     .line 13
//!     .try 0
//!     div-int/lit8 v0, v1, 2
//!     .end try
//!     packed-switch v0, :P0
//!     goto :again
//! :done
//!     return v0
//! .catch 0 Ljava/lang/ArithmeticException; :done, all :again
//! .payload 0 packed-switch 5 :done :again
//! .end method
//! ```
//!
//! [`code`], [`class`] and [`classes`] write it, [`parse_code`] and [`parse_classes`] read it.
//!
//! - One node of the edit list per line. `.try N` … `.end try` enclose instructions of a try
//!   range, `.catch N` are its handlers, `.payload N` is the table `:PN`.
//! - Strings, types, fields, methods, prototypes, method handles and call sites are written by
//!   name: `"text"`, `Lx/Y;`, `Lx/Y;->f:I`, `Lx/Y;->m(I)V`, `(I)V`, `invoke-static Lx/Y;->m()V`,
//!   `call-site(handle …, "name", proto …)`. What a name in plain letters cannot hold is
//!   quoted.
//! - `string@5`, `method@17` name a position of a pool, also one that the pool does not have.
//! - Where one writes by hand: `ins=` and `outs=` may be left out, `p0` is the first parameter's
//!   register, `.repeat 1000 nop` stands for a thousand of them.

mod class;
mod code;
mod cursor;
mod lowered;
mod refs;
mod show;
mod write;

pub use class::{class, classes, parse_classes};
pub use code::parse_code;
pub use cursor::{TextError, TextErrorKind};
pub use lowered::lowered;
pub use write::code;
