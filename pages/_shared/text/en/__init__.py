"""English. Numbers arrive ready for the screen through ``wording``; another language copies these files' names.

Rules: "you", short sentences, "at most" for theory, "at least" for measured leakage, "about" for an estimate.
No word here promises that anything is free of danger: a test can only find a leak.
"""

from ldp_core.figures import ENGLISH as _on_paper
from ldp_core.takeaway import WORDS as REPORT
from ldp_core.words import chart_names
from pages._shared.text.en.audit import *  # noqa: F403
from pages._shared.text.en.check import *  # noqa: F403
from pages._shared.text.en.choices import *  # noqa: F403
from pages._shared.text.en.compare import *  # noqa: F403
from pages._shared.text.en.frame import *  # noqa: F403
from pages._shared.text.en.overview import *  # noqa: F403
from pages._shared.text.en.takeaway import *  # noqa: F403

FIGURES = (
    _on_paper
    | chart_names("en")
    | {
        "point": "estimate {point:.2f}",
        "positive_axis": "wrong when A was sent, of 100",
        "negative_axis": "wrong when B was sent, of 100",
    }
)
"""Words on the charts of a screen; on paper and at the command line the attacks have the papers' names."""

__all__ = ["FIGURES", "REPORT"]
