"""``python -m ldp_core``: the command line."""

import os
import signal
import sys

if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != os.path.dirname(
    os.path.dirname(os.path.realpath(__file__))
):
    del sys.path[0]  # the current folder: a file of somebody else's there must not pass for a module that we import

if __name__ == "__main__":
    try:
        from ldp_core.cli import main

        code = main()
    except KeyboardInterrupt:  # before or after the part that handles it
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("error: stopped before there was a result\n")
        code = 2
    sys.exit(code)
