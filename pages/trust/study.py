"""What the page on whom one must trust states of itself."""

from ldp_core.studies.trust.result import summarize
from ldp_core.words import Words
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.trust import form


def _row(t: Words, job: Job) -> Row:
    what, result = str(t.FIGURES[f"name_{job.config.attack}"]), job.result
    found = None if not job.finished or result is None else summarize(result).identification
    if found is None:
        return Row(what, str(t.HEADLINES["none"]))
    return Row(what, str(t.RUNS_SEE), wording.run_share(t, (found.point, found.lower, found.upper)))


PAGE = StudyPage(key=form.TRUST, title="NAV_TRUST", shares=("epsilon", "attack"), row=_row)
