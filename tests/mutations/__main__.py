"""Puts faults into a scratch copy and runs the tests that must catch them.

python -m tests.mutations [--list] [--rest] [NAME ...]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.mutations import Scratch, mutations, verdict


def main() -> int:
    """Return 0 only if every fault was caught: its test passes without it and fails with it."""
    known = mutations()
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of faults; without one, all")
    parser.add_argument("--list", action="store_true", help="say what there is, and run nothing")
    parser.add_argument("--rest", action="store_true", help="where that test misses a fault, run all default tests")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no fault is called {', '.join(unknown)}; see --list")
    chosen = [known[name] for name in options.names or known]
    if options.list:
        for mutation in chosen:
            print(f"{mutation.name} ({mutation.area}): {mutation.wrong} {mutation.test}")
        return 0
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(Path(folder))
        before = scratch.run(sorted({mutation.test for mutation in chosen}), keep_bytecode=True)
        for mutation in chosen:
            with scratch.fault(mutation):
                reason = verdict(mutation, before, scratch.run([mutation.test], "-x"))
                if reason and options.rest:
                    rest = scratch.run([], "-x")
                    reason = "" if rest.code == 1 else reason
                    print(f"{mutation.name}: all default tests found {', '.join(rest.failed) or 'nothing'}", flush=True)
            missed += bool(reason)
            print(f"{'MISSED' if reason else 'caught'}  {mutation.name}: {reason or mutation.wrong}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
