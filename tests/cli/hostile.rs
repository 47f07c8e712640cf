//! Files made to keep the program busy.

use std::time::Instant;

use super::support::Work;

/// 60,000 branches of 65,535 ways each, in 4 MB.
#[test]
fn a_model_of_many_alternatives_is_inspected_in_time() {
    let branch = |i: u32| {
        format!("{{\"id\":\"{i}:0\",\"alternatives\":65535,\"counts\":{{\"{}\":1}}}}", i % 65_535)
    };
    let branches: Vec<String> = (0..60_000).map(branch).collect();
    let method = format!("{{\"shape\":\"0\",\"branches\":[{}]}}", branches.join(","));
    let work = Work::new();
    work.write(
        "large.json",
        format!("{{\"format\":\"pathlight-model\",\"version\":1,\"methods\":{{\"m\":{method}}}}}"),
    );
    let began = Instant::now();
    let ran = work.run("inspect large.json").ok();
    assert!(ran.out.contains("60000 branches, 60000 of them seen"), "{}", ran.out);
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
}
