//! `device pull`: what a device sends is checked before it takes a log's name. The device is a
//! script; the real adb is asked by `cargo xtask oracles device`.

use crate::support::{Ran, Work};

const NAME: &str = "pathlight-0123abcd-4711-1700000000000.plt";

/// An adb that lists what `devices` holds, and sends what the shell line in `send` prints.
const ADB: &str = r#"#!/bin/sh
case "$*" in
  "devices -l") echo "List of devices attached"; cat devices; exit ;;
esac
[ "$2" = "$(sed 's/ device .*//' devices)" ] || { echo "no device $2" >&2; exit 1; }
case "$*" in
  *" ls;"*) cat name; echo "PATHLIGHT-END 0" ;;
  *cat*) sh -c "$(cat send)" ;;
esac
"#;

struct Device(Work);

impl Device {
    fn new() -> Device {
        let work = Work::new();
        work.write("adb", ADB);
        work.write("devices", "R5CT1 device usb:1-1 model:SM_S911B\n");
        work.write("name", format!("{NAME}\n"));
        work.shell("chmod +x adb && mkdir logs").ok();
        Device(work)
    }

    /// Fetches what this shell line prints.
    fn pull(&self, send: &str, options: &str) -> Ran {
        self.0.write("send", send);
        let pull = "pathlight device pull org.x -o logs";
        self.0.shell(&format!("ADB=$PWD/adb {pull} {options}"))
    }

    fn names(&self) -> Vec<String> {
        self.0.shell("ls -A logs").out.lines().map(str::to_owned).collect()
    }

    fn log(&self) -> Vec<u8> {
        self.0.read(&format!("logs/{NAME}"))
    }
}

const WHOLE: &str = "cat session.plt; echo PATHLIGHT-END 0";

#[test]
fn what_is_no_log_takes_no_name() {
    let device = Device::new();
    for (send, words) in [
        ("echo 'WARNING: linker: x.so'; cat session.plt", "It begins: WARNING: linker: x.so"),
        ("head -c 1000 session.plt | tail -c 900", "it does not begin with PLTR"),
        ("sed 's/PLTR/PLTR\\r/' session.plt", "no trace file"),
        ("cat app.plmap", "no trace file"),
    ] {
        let ran = device.pull(&format!("{send}; echo PATHLIGHT-END 0"), "");
        assert!(ran.err.contains(&format!("{NAME}: what the device sent is no trace file")));
        ran.fails(words);
        assert_eq!(device.names(), [""; 0], "{send}");
    }
}

#[test]
fn a_name_names_the_kind() {
    let device = Device::new();
    let name = NAME.replace(".plt", ".plc");
    device.0.write("name", format!("{name}\n"));
    device.pull(WHOLE, "").fails("what the device sent is no count file");
    assert_eq!(device.names(), [""; 0]);
}

#[test]
fn a_worse_copy_stays_beside_the_better_one() {
    let device = Device::new();
    device.pull(WHOLE, "").ok();
    let whole = device.log();
    let mut damaged = whole.clone();
    damaged[700] ^= 1;
    device.0.write("damaged", &damaged);
    for (send, end, words) in [
        ("cat damaged", "damaged", "it is damaged"),
        ("head -c 2176 session.plt", "shorter", "it has less than the copy from before"),
        ("head -c 65536 /dev/zero", "shorter", "it has less"),
    ] {
        let ran = device.pull(&format!("{send}; echo PATHLIGHT-END 0"), "");
        ran.fails(words);
        assert_eq!(device.log(), whole, "{send}");
        assert_eq!(device.names(), [NAME.to_owned(), format!("{NAME}.{end}")], "{send}");
        device.0.shell(&format!("rm logs/*.{end}")).ok();
    }
    // A log that has gone on replaces the older copy.
    device.0.write(&format!("logs/{NAME}"), &whole[..2176]);
    device.pull(WHOLE, "").ok();
    assert_eq!((device.log(), device.names()), (whole, vec![NAME.to_owned()]));
}

/// There is nothing better: it is kept, and the command does not end as if all were well.
#[test]
fn a_damaged_log_is_kept_where_there_is_no_other() {
    let device = Device::new();
    let mut damaged = device.0.read("session.plt");
    damaged[700] ^= 1;
    device.0.write("damaged", &damaged);
    device.pull("cat damaged; echo PATHLIGHT-END 0", "").fails("damaged");
    assert_eq!(device.log(), damaged);
}

#[test]
fn an_endless_file_ends_at_the_limit() {
    let device = Device::new();
    let ran = device.pull("exec cat /dev/zero", "--cap 1");
    ran.fails(&format!("{NAME}: larger than 1 MiB"));
    assert_eq!(device.names(), [""; 0]);
}

#[test]
fn serial_numbers_may_have_spaces() {
    let device = Device::new();
    let serial = "adb-2233fd19-9mU6UL (2)._adb-tls-connect._tcp";
    device.0.write("devices", format!("{serial} device product:x model:Pixel_10a\n"));
    device.pull(WHOLE, "").ok();
    device.pull(WHOLE, &format!("-s '{serial}'")).ok();
}

#[test]
fn states_get_advice_that_fits() {
    let device = Device::new();
    for (state, words) in [
        ("authorizing", "device 0123 is authorizing: adb is asking it"),
        ("recovery", "device 0123 is recovery: start Android on it with `adb reboot`"),
    ] {
        device.0.write("devices", format!("0123 {state} transport_id:1\n"));
        device.pull(WHOLE, "").fails(words);
    }
}

/// The app's next process notes how one ended.
#[test]
fn a_note_of_an_exit_comes_with_the_logs() {
    use model::exit_note::{ExitNote, ExitReason, ProcessExit};
    let device = Device::new();
    let exit = ProcessExit { reason: ExitReason::ANR, at_ms: 1, status: 0, importance: 0 };
    let note = ExitNote { build: [1, 0x23, 0xAB, 0xCD], pid: 4711, start_ms: 17, exit };
    let name = note.file_name();
    device.0.write("note", note.to_bytes());
    device.0.write("name", format!("{name}\n"));
    device.pull("head -c 40 note; echo PATHLIGHT-END 0", "").fails("is no note of an exit");
    assert_eq!(device.names(), [""; 0]);
    device.pull("cat note; echo PATHLIGHT-END 0", "").ok();
    assert_eq!(device.names(), [name.as_str()]);
    assert_eq!(device.0.read(&format!("logs/{name}")), note.to_bytes());
}
