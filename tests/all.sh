#!/usr/bin/env bash
# Every test, also on a fresh machine: installs what cargo needs to build xtask (a C compiler), then
# runs `cargo xtask test` with the same options. usage: all.sh [--fast] [--step NAME]... [--list]
set -euo pipefail
cd "$(dirname "$0")/.."
tests/prerequisites.sh build
exec cargo xtask test "$@"
