"""The planes, at the end of the page on rebuilt pictures: measured in advance, and the button that measures again."""

from ldp_core.studies.plane.result import PlaneResult
from pages.frame import wording
from pages.registry import plain_row
from pages.widgets import measured

_ROW = plain_row(lambda t, job: wording.plural(t.RUNS_PROTECTIONS, len(job.config.points)))
PAGE = measured.page("plane", "plane", PlaneResult, _ROW)
