"""The command line, as ``python -m ldp_core`` and as the installed command ``ldp-core``."""

import signal
import sys


def run() -> int:
    """Run the command line and return its exit code, also when it is stopped before it could handle that itself."""
    try:
        from ldp_core.cli import main

        return main()
    except KeyboardInterrupt:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        sys.stderr.write("error: stopped before there was a result\n")
        return 2
    except Exception as error:  # Python would leave with 1, which means "claim rejected"
        reason = " ".join(str(error).split())[:200]
        sys.stderr.write(f"error: the program could not run, got {type(error).__name__}: {reason}\n")
        return 2
    finally:
        # After a Ctrl-C inside the last string that was executed (dataclasses do that), though caught, ``python -m``
        # leaves by the signal and not with this code. One more string puts that right.
        exec("")


if __name__ == "__main__":
    sys.exit(run())
