"""Measure what epsilon-local differential privacy protects in federated learning.

In a notebook, where every call returns one whole result::

    import ldp_core

    result = ldp_core.audit("label-flip", epsilon=1.0, num_trials=2_000, num_measurements=2, seed=7)
    found = ldp_core.summarize(result)
    print(f"right: {found.identification.point:.3f}, promise: at most {found.theory_identification:.3f}")
    print(f"epsilon: at least {found.epsilon.lower:.2f}, {found.verdict}")

    table = ldp_core.compare(["label-flip", "dummy"], epsilons=[1.0, 4.0], num_trials=2_000, num_measurements=2, seed=7)
    for cell in table.cells:
        print(cell.config.attack, cell.config.epsilon, ldp_core.summarize(cell).verdict)

    print(ldp_core.check(lambda gradient: gradient, epsilon=1.0, dimension=8, seed=7).verdict)

The folders in the order in which data flows through them:

1. ``adversaries`` craft a pair of gradients,
2. ``mechanisms`` randomize one of the two,
3. ``distinguishers`` guess which one it was,
4. ``game`` repeats 2 and 3 and counts,
5. ``statistics`` turns counts into bounds and says what they should be, ``game.summary`` joins the two,
6. ``studies`` ask a question each, and ``presentation`` draws and writes what they found.

Nothing below this package imports Streamlit, and importing the package loads no torch: the first call does.
"""

from ldp_core._path import leave_current_folder

leave_current_folder()

from importlib import import_module  # noqa: E402
from typing import TYPE_CHECKING  # noqa: E402

from ldp_core._version import VERSION as __version__  # noqa: E402

if TYPE_CHECKING:
    from ldp_core.api import audit, check, compare
    from ldp_core.checking.claims import CheckResult
    from ldp_core.errors import LdpCoreError
    from ldp_core.game.summary import AuditSummary, summarize
    from ldp_core.game.sweep import CompareResult
    from ldp_core.types import AuditResult

__all__ = [
    "AuditResult",
    "AuditSummary",
    "CheckResult",
    "CompareResult",
    "LdpCoreError",
    "__version__",
    "audit",
    "check",
    "compare",
    "summarize",
]
_MODULES = {
    **dict.fromkeys(("audit", "check", "compare"), "api"),
    **dict.fromkeys(("AuditSummary", "summarize"), "game.summary"),
    "AuditResult": "types",
    "CheckResult": "checking.claims",
    "CompareResult": "game.sweep",
    "LdpCoreError": "errors",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
