"""``python -m ldp_core``: the command line."""

import sys

from ldp_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
