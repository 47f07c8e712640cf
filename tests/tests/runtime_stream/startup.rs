//! Reads what `runtime/test/Startup.java` recorded.

use model::coder::Decoder;

use super::script::{DURATION, GAP, checks, span};

/// The numbers of the records, in their order.
pub fn records(data: &[u8]) -> Result<Vec<u32>, String> {
    let mut d = Decoder::new(data, 0);
    let mut all = Vec::new();
    let mut progress = 0;
    while !d.at_end() {
        let number = record(&mut d, all.is_empty(), &mut progress)
            .map_err(|e| format!("record {}: {e}", all.len()))?;
        all.push(number);
    }
    Ok(all)
}

fn record(
    d: &mut Decoder<'_>,
    first: bool,
    progress: &mut u32,
) -> Result<u32, model::coder::CoderError> {
    // Slot 0 before the first callback, slot 1 (where 3 is among "other") after it.
    if first {
        d.consume(40000, 4096)?;
    } else {
        d.consume(0, 1000)?;
        assert_eq!(d.bits(17)?, 3);
    }
    span(d, GAP)?;
    let mut number = 0;
    for _ in 0..16 {
        let bit = d.peek_slice()? >= 32768;
        if bit {
            d.consume(32768, 32767)?;
        } else {
            d.consume(0, 32768)?;
        }
        number = number << 1 | u32::from(bit);
    }
    *progress += 2;
    span(d, DURATION)?;
    let two = d.renormalisations() > 0;
    for cum in checks(*progress, two) {
        d.consume(cum, 257)?;
    }
    d.flush()?;
    Ok(number)
}
