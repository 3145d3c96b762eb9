"""``python -m ldp_core``: the command line."""

import signal
import sys

if __name__ == "__main__":
    try:
        from ldp_core.cli import main

        code = main()
    except KeyboardInterrupt:  # before or after the part that handles it
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("error: stopped before there was a result\n")
        code = 2
    sys.exit(code)
