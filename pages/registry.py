"""What the pages know of the studies: each folder's ``study.PAGE``, in the order of the core's registry.

The queue, the list of runs, downloads, the box that opens a saved result, and the menu ask here and name no study.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ldp_core.studies import STUDIES
from ldp_core.words import Words

if TYPE_CHECKING:
    from pages.jobs import JobManager
    from pages.jobs.job import Job

Make = Callable[[Words, "Job"], str]


@dataclass(frozen=True, slots=True)
class Row:
    """What the list of runs says of one: what was run, its headline, and right guesses of 100.

    Those are "–" where they say nothing. ``drawn``: whether its result, an ``AuditResult``, can be drawn together with
    others; ``repeatable``: whether it can be run again from here.
    """

    what: str
    state: str
    share: str = "–"
    promise: str = "–"
    drawn: bool = False
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class StudyPage:
    """What a page states of its study.

    Args:
        key: name of its job in the URL.
        title: message with its name in the menu; "" for a study that has no page of its own.
        place: folder of the page that shows its results; without it, its own.
        shares: settings that its page has in common with others, for a link to it before it was seen.
        row: describes a run that has ended in the list of runs; None for a study that is not listed there.
        sentences: returns what stands first in a document; without it, the study's own words.
        files: further files of a result: end of the address -> ending, media type, and what writes it.
        charts: returns the charts that its page shows of a result, as SVG by their names; without it, its report's.
        opened: is told of a result that was opened from a file.
        lands: whether its page brings a result that was opened into view by itself.
        sections: parts that it has on the page of ``place``: name -> what shows one, given what that page looks at.
        stage: returns what its page shows of a run on its way, as HTML: given the run, all that this visit has seen,
            how far it is in words, and the share of its work that is done. Without it, the page is drawn anew.
        ends: shows what it adds at the end of the page of ``place``.
    """

    key: str
    title: str = ""
    place: str = ""
    shares: tuple[str, ...] = ()
    row: Callable[[Words, Job], Row] | None = None
    sentences: Callable[[Words, Job], list[str]] = lambda t, job: []
    files: Mapping[str, tuple[str, str, Make]] = field(default_factory=dict)
    charts: Callable[[Words, Job], Mapping[str, str]] | None = None
    opened: Callable[[str], None] = lambda job_id: None
    lands: bool = False
    sections: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    stage: Callable[[Words, Job, Sequence[Job], str, float], str] | None = None
    ends: Callable[[Words, JobManager], None] | None = None


def plain_row(label: Make) -> Callable[[Words, Job], Row]:
    """Return what describes a run by what it was of, and by whether there is something to see."""
    return lambda t, job: Row(label(t, job), str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


@cache
def pages() -> dict[str, StudyPage]:
    """Return the pages of the studies that have one, by the study's name."""
    study_pages = {}
    for name, study in STUDIES.items():
        place = f"pages.{study.folder}"
        try:
            study_pages[name] = import_module(f"{place}.study").PAGE
        except ModuleNotFoundError as error:
            if error.name not in (place, f"{place}.study"):
                raise
    return study_pages


def script(name: str) -> str:
    """Return the file of the page that shows a study's results, as Streamlit names it."""
    return f"../{pages()[name].place or STUDIES[name].folder}/page.py"


def placed(place: str) -> dict[str, StudyPage]:
    """Return the studies that are shown on the page of another one."""
    return {name: page for name, page in pages().items() if page.place == place}


def show_ends(t: Words, manager: JobManager, place: str) -> None:
    """Show what the studies that are shown on a page add at its end."""
    for page in placed(place).values():
        if page.ends is not None:
            page.ends(t, manager)
