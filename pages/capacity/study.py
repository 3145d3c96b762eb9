"""The figures of a capacity, one question at a time, at the end of the page on rebuilt pictures."""

from ldp_core.studies.capacity.result import CapacityResult
from pages.frame import wording
from pages.registry import plain_row
from pages.widgets import measured

_ROW = plain_row(lambda t, job: wording.plural(t.RUNS_FIGURES, len(job.config.panels)))
PAGE = measured.page("capacity", "capacity_figures", CapacityResult, _ROW)
