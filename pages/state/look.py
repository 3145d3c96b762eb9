"""What the charts of a comparison show: its result, and the data set, ε and rules that were picked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ldp_core.game.sweep import CompareResult
from ldp_core.presentation.tables import View
from ldp_core.words import Words
from pages import jobs
from pages.jobs.job import Job

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """One look at a comparison; ``job`` may have found more than ``result`` since."""

    t: Words
    manager: jobs.JobManager
    job: Job
    result: CompareResult
    dataset: str
    epsilon: float
    view: View

    def once(self, name: str, make: Callable[[], _Made]) -> _Made:
        """Return what was made of the present result and picks; make it if it was not."""
        return once(self.job, (name, self.t.LANGUAGE_CODE, self.dataset, self.epsilon, self.view), make)


def once(job: Job, key: Any, make: Callable[[], _Made]) -> _Made:
    """Return what was made of a job's present result; make it if it was not.

    ``key``: names what is made, and all that it depends on beside the result.
    """
    if job.drawn.get("of") is not job.result:
        job.drawn.clear()
        job.drawn["of"] = job.result
    if key not in job.drawn:
        job.drawn[key] = make()
    made: _Made = job.drawn[key]
    return made
