"""What the page on rebuilt pictures states of itself."""

from ldp_core.words import Words
from pages.jobs.job import Job
from pages.reconstruction import measure
from pages.registry import Row, StudyPage


def _row(t: Words, job: Job) -> Row:
    what = str(t.REPORT[f"recon_{job.config.attacker}"])
    return Row(what, str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


PAGE = StudyPage(key=measure.JOB, title="NAV_PICTURE", shares=("epsilon",), row=_row)
