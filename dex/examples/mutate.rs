//! Runs the fuzz targets on mutations of given files: `mutate COUNT FILE…`. Any panic is a finding.

#[path = "../fuzz/targets.rs"]
mod targets;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let count: usize = args.next().ok_or("usage: mutate COUNT FILE…")?.parse()?;
    let files = args.map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let mut usable = [0; 3];
    for i in 0..count {
        // Each mutation has a seed of its own, so that one can be run again by itself.
        let mut seed = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let bytes = targets::mutate(&files[i % files.len()], &mut seed);
        for (usable, target) in usable.iter_mut().zip([targets::read, targets::roundtrip, targets::edit]) {
            let result = std::panic::catch_unwind(|| target(&bytes));
            let Ok(ok) = result else {
                std::fs::write("mutate-finding.dex", &bytes)?;
                return Err(format!("mutation {i} panicked; its bytes are in mutate-finding.dex").into());
            };
            *usable += usize::from(ok);
        }
    }
    println!("{count} mutations of {} files without a panic", files.len());
    println!("read {}, written twice {}, edited {}", usable[0], usable[1], usable[2]);
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    }
    Ok(())
}
