"""What the page on the cost of privacy states of itself."""

from pages.registry import StudyPage, plain_row
from pages.utility import form
from pages.widgets import told

_ROW = plain_row(lambda t, job: str(t.DATASETS[job.config.dataset].title))
PAGE = StudyPage(key=form.COST, title="NAV_UTILITY", row=_ROW, so_far=told.so_far, so_far_alt=told.so_far_alt)
