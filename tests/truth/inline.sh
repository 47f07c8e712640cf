#!/bin/sh
# inline.sh [CALLERS] [--seed N] [--per-class N] [--vm int|jit|art11]… [--keep DIR]      default: 1,600 callers on all three
# Random typed callers and callees in smali (generate_inline.py) before and after `pathlight instrument --inline all`: ART 10's and 11's verifiers
# must take them all, and each caller must give what it gave. PATHLIGHT: the binary. ART_HOST as in run.sh. The last line is
# `N passed, N failed`, in classes of 50 callers.
exec python3 "$(dirname "$(readlink -f "$0")")/inline.py" "$@"
