"""What a device can refuse before it randomizes: the end of the page on whom one must trust."""

from ldp_core.words import Words
from pages.detect import view
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage


def _row(t: Words, job: Job) -> Row:
    what = wording.several(t.CMP_ATTACKS_COUNT, len(job.config.attacks))
    return Row(what, str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


PAGE = StudyPage(key=view.DETECT, place="trust", row=_row, ends=view.show)
