//! Debug info (`debug_info_item`): line table and local variables, as events rather than bytecode.

use crate::index::*;
use crate::insn::Reg;

/// The head of a method's debug info.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DebugHeader {
    /// Initial value of the line register.
    pub line_start: u32,
    /// Names of the parameters, `this` left out; `None` where the file gives none.
    pub parameter_names: Vec<Option<StringIdx>>,
}

/// One event of the debug state machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DebugEvent {
    /// A position entry: the next instruction begins this source line.
    Line(u32),
    /// `DBG_START_LOCAL`, or `DBG_START_LOCAL_EXTENDED` when `signature` is present.
    StartLocal {
        /// Register that holds the variable.
        reg: Reg,
        /// Name.
        name: Option<StringIdx>,
        /// Type.
        ty: Option<TypeIdx>,
        /// Generic signature.
        signature: Option<StringIdx>,
        /// Whether the file used the extended opcode (an absent signature can be written either way).
        extended: bool,
    },
    /// `DBG_END_LOCAL`.
    EndLocal(Reg),
    /// `DBG_RESTART_LOCAL`.
    RestartLocal(Reg),
    /// `DBG_SET_PROLOGUE_END`.
    PrologueEnd,
    /// `DBG_SET_EPILOGUE_BEGIN`.
    EpilogueBegin,
    /// `DBG_SET_FILE`.
    SetFile(Option<StringIdx>),
}

/// Debug info of a method that is not under edit: events by code-unit address, ascending.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DebugInfo {
    /// First line and parameter names.
    pub header: DebugHeader,
    /// Events and the address (in code units) from which they hold.
    pub events: Vec<(u32, DebugEvent)>,
}
