"""Runs in bfcl-eval's environment: for each line on standard input, one timed pass over the bench's traces.

Arguments: folder of the peers' bench, number of traces. Each answer is one line of JSON: CPU seconds of bfcl-eval's
build and of its check, of the plain-Python multiset score, and which traces bfcl-eval holds valid.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from importlib import import_module


def main() -> None:
    """Answer until standard input ends."""
    out, sys.stdout = sys.stdout, sys.stderr
    sys.path.insert(0, sys.argv[1])
    peer, tracegen, floor = (import_module(name) for name in ("bench_bfcl", "tracegen", "bench_floor"))
    traces = tracegen.make_traces(int(sys.argv[2]))
    for case in map(peer.to_case, traces[:50]):
        peer.score(case)
    out.write("ready\n")
    out.flush()
    for _ in sys.stdin:
        gc.collect()
        gc.freeze()
        start = time.process_time()
        cases = [peer.to_case(trace) for trace in traces]
        built = time.process_time()
        valid = [peer.score(case) for case in cases]
        checked = time.process_time()
        for trace in traces:
            floor.multiset(trace)
        done = time.process_time()
        gc.unfreeze()
        times = {"build_s": built - start, "check_s": checked - built, "multiset_s": done - checked}
        out.write(json.dumps({**times, "valid": valid}) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
