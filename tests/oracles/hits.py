"""The record of the independent tracer, as calls of methods and hits of source lines; dexdump
gives the lines of the app."""

import collections

from harness.tracer import Table, read_trace
from lines import methods as dexdumped


def hits(table, traces, apk):
    """Calls by method key, and hits by file and line: of each method the instruction of a line that
    ran most often, all methods of the source added up."""
    table, ran, calls = Table(table), collections.Counter(), collections.Counter()
    for trace in traces:
        for _, _, ids in read_trace(trace):
            for i in ids:
                kind, method, offset, _ = table.events[i]
                if kind == "enter":
                    calls[method] += 1
                elif kind == "at":
                    ran[method, offset] += 1
    of_lines = collections.Counter()
    for (_, owner, name), overloads in dexdumped(apk).items():
        for m in overloads:
            if m.synthetic and "lambda$" not in name:
                continue
            most = collections.Counter()
            key = f"{owner}->{name}{m.type}"
            m.addresses = table.offsets.get(key, [])
            for address, line in m.lines():
                if line > 0:
                    most[line] = max(most[line], ran[key, address])
            file = owner[1:-1].split("/")[-1].split("$")[0] + ".java"
            of_lines.update({(file, line): n for line, n in most.items() if n})
    return calls, of_lines
