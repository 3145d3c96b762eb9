"""The figures of a capacity, one question at a time, at the end of the page on rebuilt pictures."""

from ldp_core.studies.capacity.result import CapacityResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import wording
from pages.registry import StudyPage, plain_row
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


_ROW = plain_row(lambda t, job: wording.plural(t.RUNS_FIGURES, len(job.config.panels)))
PAGE = StudyPage(key=CAPACITY, place="reconstruction", row=_ROW, ends=show)
