"""The command line, as ``python -m ldp_core`` and as the installed command ``ldp-core``."""

import os
import signal
import sys


def run() -> int:
    """Run the command line and return its exit code, also when it is stopped before it could handle that itself."""
    _leave_current_folder()
    try:
        from ldp_core.cli import main

        return main()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("error: stopped before there was a result\n")
        return 2


def _leave_current_folder() -> None:
    """Let no file of somebody else's in the current folder pass for a module that we import."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != home:
        del sys.path[0]


if __name__ == "__main__":
    sys.exit(run())
