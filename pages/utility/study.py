"""What the page on the cost of privacy states of itself."""

from ldp_core.words import Words
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.utility import form
from pages.widgets import told


def _row(t: Words, job: Job) -> Row:
    return Row(str(t.DATASETS[job.config.dataset].title), str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


PAGE = StudyPage(key=form.COST, title="NAV_UTILITY", row=_row, so_far=told.so_far, so_far_alt=told.so_far_alt)
