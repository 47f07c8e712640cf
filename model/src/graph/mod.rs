//! Blocks of a method, and the regions and loops among them that one symbol codes.

pub mod block;
pub mod cells;
pub mod generated;
pub mod ids;
pub mod implied;
pub mod inlined;
pub mod origin;
pub mod position;
pub mod region;
pub mod throwing;
