"""Membership and reconstruction against accuracy: the end of the page on rebuilt pictures."""

from ldp_core.words import Words
from pages.frame import wording
from pages.jobs.job import Job
from pages.plane import view
from pages.registry import Row, StudyPage


def _row(t: Words, job: Job) -> Row:
    what = wording.several(t.RUNS_PROTECTIONS, len(job.config.points))
    return Row(what, str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


PAGE = StudyPage(key=view.PLANE, place="reconstruction", row=_row, ends=view.show)
