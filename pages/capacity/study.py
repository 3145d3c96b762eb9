"""The figures of a capacity, one question at a time, at the end of the page on rebuilt pictures."""

from ldp_core.studies.capacity.result import CapacityResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.widgets import measured

CAPACITY = "capacity_figures"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what was measured in advance, or a run."""
    texts = measured.Texts(
        t.CAPACITY_TITLE,
        t.CAPACITY_LEAD,
        t.CAPACITY_SHOW,
        t.CAPACITY_MEASURED,
        t.CAPACITY_RUN,
        t.CAPACITY_AGAIN,
        t.CAPACITY_HELP,
    )
    measured.show(t, manager, "capacity", CAPACITY, texts, CapacityResult)


def _row(t: Words, job: Job) -> Row:
    what = wording.several(t.RUNS_FIGURES, len(job.config.panels))
    return Row(what, str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


PAGE = StudyPage(key=CAPACITY, place="reconstruction", row=_row, ends=show)
