"""What the page on rebuilt pictures states of itself."""

from pages.reconstruction import measure
from pages.registry import StudyPage, plain_row

_ROW = plain_row(lambda t, job: str(t.REPORT[f"recon_{job.config.attacker}"]))
PAGE = StudyPage(key=measure.JOB, title="NAV_PICTURE", shares=("epsilon",), row=_ROW)
