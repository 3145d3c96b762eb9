"""The planes, at the end of the page on rebuilt pictures: measured in advance, and the button that measures again."""

from ldp_core.studies.plane.result import PlaneResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import wording
from pages.registry import StudyPage, plain_row
from pages.widgets import measured

PLANE = "plane"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what was measured in advance, or a run."""
    texts = measured.Texts(
        t.PLANE_TITLE, t.PLANE_LEAD, t.PLANE_SHOW, t.PLANE_MEASURED, t.PLANE_RUN, t.PLANE_AGAIN, t.PLANE_HELP
    )
    measured.show(t, manager, "plane", PLANE, texts, PlaneResult)


_ROW = plain_row(lambda t, job: wording.plural(t.RUNS_PROTECTIONS, len(job.config.points)))
PAGE = StudyPage(key=PLANE, place="reconstruction", row=_ROW, ends=show)
