"""What the page on the central promise states of itself."""

from ldp_core.studies.central.result import ceilings, claimed
from ldp_core.words import Words
from pages.central import form
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage


def _row(t: Words, job: Job) -> Row:
    what, result = str(t.REPORT[f"adversary_{job.config.adversary}"]), job.result
    if not job.finished or result is None or result.identification is None:
        return Row(what, str(t.HEADLINES["none"]))
    claim = claimed(result.config)
    most, _ = ceilings(claim.sampling_rate, claim.noise, claim.steps)
    promise = wording.run_promise(t, most)
    return Row(what, str(t.RUNS_SEE), wording.run_share(t, result.identification), promise)


PAGE = StudyPage(key=form.JOB, title="NAV_CENTRAL", row=_row)
