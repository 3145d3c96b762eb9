"""What the page of the check states of itself."""

from ldp_core.words import Words
from pages.check import form, words
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state.look import once


def _row(t: Words, job: Job) -> Row:
    subject, repeatable = words.subject(t, job.config.subject), words.repeatable(t, job.config)
    state = once(job, "state", lambda: words.state(job.result)) if job.finished else "none"
    return Row(subject, str(t.REPORT[f"check_headline_{state}"]), repeatable=repeatable)


PAGE = StudyPage(
    key=form.CHECK, title="NAV_CHECK", shares=("epsilon", "clip_norm", "confidence", "seed"), row=_row, lands=True
)
