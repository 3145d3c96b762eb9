"""English. Numbers arrive ready for the screen through ``wording``; another language copies these files' names.

Rules: "you", short sentences, "at most" for theory, "at least" for measured leakage, "about" for an estimate.
No word here promises that anything is free of danger: a test can only find a leak.
"""

from ldp_core.figures import ENGLISH as FIGURES
from ldp_core.takeaway import WORDS as REPORT
from pages._shared.text.en.audit import *  # noqa: F403
from pages._shared.text.en.choices import *  # noqa: F403
from pages._shared.text.en.compare import *  # noqa: F403
from pages._shared.text.en.frame import *  # noqa: F403
from pages._shared.text.en.overview import *  # noqa: F403
from pages._shared.text.en.takeaway import *  # noqa: F403

__all__ = ["FIGURES", "REPORT"]
