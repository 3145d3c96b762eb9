"""Takes the current folder off the module path where Python puts it first, before anything else is imported.

``python -m ldp_core`` searches the current folder before the standard library, so a file ``signal.py`` there would run
in the process that decides. The installed command and ``python -P -m ldp_core`` do not search it. Imported by
``ldp_core/__init__.py`` before all else; it needs nothing but the built-in ``sys``. What Python itself imports to find
this package (``runpy``, ``types``, ``contextlib`` and the like) comes earlier, and nothing here can help there.
"""

import sys


def leave_current_folder() -> None:
    """Take the current folder off the path of the command line; do nothing in any other program.

    ``python -m ldp_core`` put it first; an empty entry or a point in PYTHONPATH names it, too.
    """
    before_its_module = sys.argv[:1] == ["-m"]  # as runpy leaves it until the module is found
    ours = any(word.partition(".")[0].endswith("ldp_core") for word in sys.orig_argv)  # -mldp_core is one word
    if before_its_module and ours and not sys.flags.safe_path:
        del sys.path[0]
    if (before_its_module and ours) or "".join(sys.argv[:1]).endswith("ldp-core"):
        here = sys.modules["os"].getcwd() if "os" in sys.modules else ""  # loaded by site, from the standard library
        sys.path[:] = [entry for entry in sys.path if entry not in ("", ".", here)]
