//! Writes one build's numbers into the configuration class of the device runtime.

use dex::{Dex, StringIdx};
use dex::{DexString, EncodedValue};
use model::cells::CellLayout;
use model::map::Map;
use model::protocol::{ConfigKey, SinkNumber};
use model::recording::Wire;

use crate::error::InstrumentError;
use crate::options::{CountStorage, Options, Sink};
use crate::plan::origins::Origins;
use crate::plan::tables::SymbolTable;
use crate::probes::prune::{Unused, prune};
use crate::probes::runtime::{self, BuildPackage};
use crate::probes::runtime_tables;

/// Returns the runtime in this build's package, with this build's numbers in its configuration.
/// `filters` is true if clones have to be hidden from reflection; `origins` are those of callbacks.
pub(crate) fn configured_runtime(
    map: &Map,
    package: &BuildPackage,
    table: &SymbolTable,
    layout: Option<&CellLayout>,
    (filters, origins): (bool, &Origins),
    options: &Options,
) -> Result<Dex, InstrumentError> {
    let bad = |what: &str| InstrumentError::Runtime(what.to_owned());
    let mut dex = Dex::read(runtime::RUNTIME_DEX).map_err(|e| bad(&e.to_string()))?;
    // The compiler has inlined its constants; the class is for tests.
    let constants = dex.classes.iter().position(|c| dex.type_name(c.ty) == runtime::PROTOCOL);
    dex.classes.remove(constants.ok_or_else(|| bad("it has no constants"))?);
    dex.compact().map_err(|e| bad(&e.to_string()))?;
    package.rename(&mut dex);
    let build = dex.intern_str(&map.build.to_string());
    let slots = intern_units(&mut dex, &runtime_tables::slots(map));
    let paths = runtime_tables::symbols(&table.slices, map.recording.wire());
    let paths = intern_units(&mut dex, &paths);
    let slot = intern_units(&mut dex, &runtime_tables::next_callbacks(map));
    let keeps = options.keeps_tables();
    let adaptive = crate::probes::adaptive::config(map, keeps);
    let wide = intern_units(&mut dex, &adaptive.wide);
    let cells = intern_units(&mut dex, &adaptive.units);
    let counts = intern_units(&mut dex, &crate::probes::counts::config(map, layout));
    let ranges = intern_units(&mut dex, &runtime_tables::origins(map));
    let actions = dex.intern_str(&runtime_tables::actions(map));
    let unasked = dex.intern_str(&origins.unasked.join("\n"));
    let sink = match options.sink() {
        Sink::File => SinkNumber::File,
        Sink::Logcat => SinkNumber::Logcat,
    };
    let folder = dex.intern_str(options.folder.as_deref().unwrap_or_default());
    let values = [
        (ConfigKey::BuildId, EncodedValue::String(build)),
        (ConfigKey::IdBits, EncodedValue::Int(map.id_bits.into())),
        (ConfigKey::Packed, EncodedValue::Boolean(map.recording.wire() == Wire::Packed)),
        (ConfigKey::Slots, EncodedValue::String(slots)),
        (ConfigKey::Paths, EncodedValue::String(paths)),
        (ConfigKey::NextCallbacks, EncodedValue::String(slot)),
        (ConfigKey::Sink, EncodedValue::Int(sink.number())),
        (ConfigKey::Folder, EncodedValue::String(folder)),
        (ConfigKey::CapBytes, EncodedValue::Int(i32::try_from(options.cap).unwrap_or(i32::MAX))),
        (ConfigKey::KeepBytes, EncodedValue::Int(i32::try_from(options.keep).unwrap_or(i32::MAX))),
        (ConfigKey::Ring, EncodedValue::Boolean(options.ring())),
        (ConfigKey::Cells, EncodedValue::String(cells)),
        (ConfigKey::Pages, EncodedValue::Int(adaptive.pages)),
        (ConfigKey::Inc, EncodedValue::Int(adaptive.inc)),
        (ConfigKey::Floor, EncodedValue::Int(adaptive.floor)),
        (ConfigKey::KeepTables, EncodedValue::Boolean(keeps && adaptive.pages > 0)),
        (ConfigKey::Wide, EncodedValue::String(wide)),
        (ConfigKey::Pap, EncodedValue::Boolean(map.recording.numbers_paths())),
        (ConfigKey::Counts, EncodedValue::String(counts)),
        (ConfigKey::Shift, EncodedValue::Int(adaptive.shift)),
        (ConfigKey::Origins, EncodedValue::String(ranges)),
        (ConfigKey::Actions, EncodedValue::String(actions)),
        (ConfigKey::Unasked, EncodedValue::String(unasked)),
        (ConfigKey::Selected, EncodedValue::Int(map.paths.len() as i32)),
        (
            ConfigKey::Published,
            EncodedValue::Boolean(options.count_storage() == CountStorage::Periodic),
        ),
    ];
    let config = package.name(runtime::CONFIG);
    let class = dex
        .classes
        .iter()
        .position(|c| dex.type_name(c.ty) == config)
        .ok_or_else(|| bad("it has no configuration class"))?;
    for (key, value) in values {
        let name = key.field();
        let field = dex.classes[class]
            .static_fields
            .iter()
            .position(|f| dex.string(dex.fields.items()[f.field.index()].name) == name)
            .ok_or_else(|| bad(&format!("its configuration has no {name}")))?;
        let slot = dex.classes[class]
            .static_values
            .get_mut(field)
            .ok_or_else(|| bad(&format!("{name} has no initial value")))?;
        *slot = value;
    }
    let (recording, sink, restarts) = (map.recording, options.sink(), !options.has_restarts());
    prune(
        &mut dex,
        package,
        Unused {
            recording,
            sink,
            members: !filters,
            restarts,
            tables: !keeps,
            exits: !options.exit_reasons,
            origins: &origins.asked,
        },
    )?;
    Ok(dex)
}

fn intern_units(dex: &mut Dex, units: &[u16]) -> StringIdx {
    dex.strings.intern(DexString(dex::mutf8::encode_units(units.iter().copied()).into()))
}
