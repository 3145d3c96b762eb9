"""Takes a result away as a file; ``opening`` opens one again."""

from collections.abc import Callable
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import exports
from ldp_core import takeaway as core
from ldp_core.tables import View
from pages._shared import check_words, compare_words, terms, wording
from pages._shared.job import Job
from pages._shared.kinds import KINDS
from pages._shared.text import LANGUAGES


def downloads(t: ModuleType, job: Job) -> None:
    """Offer a result as files; nothing is built before the click, and no image is in them unless it was ticked."""
    images = any(job.pictures) and _asks_for_images(t, job)
    write = partial(KINDS[job.kind].write, job)
    with st.container(horizontal=True, key=f"take_{job.kind}"):
        _download(t.TAKE_HTML, partial(html, t, job, images=images), job, "html", "text/html", t.TAKE_HTML_HELP)
        if job.kind == "compare":
            _download(t.CMP_CSV, partial(exports.to_csv, job.result), job, "csv", "text/csv", t.DOWNLOAD_JSON_HELP)
        _download(t.DOWNLOAD_JSON, write, job, "json", "application/json", t.DOWNLOAD_JSON_HELP)


def html(t: ModuleType, job: Job, *, images: bool = False) -> str:
    """Return the report of a job in the visitor's language."""
    return core.html(
        job.result,
        _sentences(t, job),
        notes=job.notes,
        images=job.pictures if images else (),
        opened=job.opened,
        words=t.REPORT | check_words.report_words(t) if job.kind == "check" else t.REPORT,
        chart_words=t.FIGURES,
        language=next(code for code, words in LANGUAGES.items() if words is t),
    )


def opened_note(t: ModuleType, job: Job | None) -> None:
    """Say of a result from a file that it is one."""
    if job is not None and job.opened:
        with st.container(border=True, key=f"opened_{job.kind}"):
            terms.prose(t, t.TITLED.format(title=t.OPENED_TITLE, text=t.OPENED_NOTE))


def _asks_for_images(t: ModuleType, job: Job) -> bool:
    whose = t.TAKE_IMAGES_OWN
    if job.config.dataset != "own":
        whose = t.TAKE_IMAGES_DATA.format(dataset=t.FIGURES[f"data_{job.config.dataset}"])
    ticked = st.checkbox(t.TAKE_IMAGES, key=f"take_images_{job.id}")
    terms.prose(t, whose, small=True)
    return ticked


def _download(label: str, make: Callable[[], str], job: Job, ending: str, kind: str, text: str) -> None:
    st.download_button(
        label, make, f"ldp-{job.kind}-{job.id[:8]}.{ending}", kind, key=f"download_{ending}_{job.id}",
        on_click="ignore", help=text,
    )  # fmt: skip


def _sentences(t: ModuleType, job: Job) -> list[str]:
    """Return what stands in the verdict's box on screen; what was expected stays there. A study speaks for itself."""
    result = job.result
    if job.kind == "audit":
        verdict = wording.verdict(t, result)
        told = [verdict.headline, verdict.seen, verdict.meaning, verdict.todo, verdict.stopped]
        if note := wording.selective_note(t, result):
            told.append(t.SPACE.join((note, t.SELECTIVE_TRY_FILE)))
        return [sentence for sentence in told if sentence]
    if job.kind == "check":
        checked = check_words.finding(t, result)
        return [checked.headline, *checked.sentences]
    if job.kind == "compare":
        config = result.config
        epsilon = min(config.epsilons, key=lambda value: abs(value - 1.0))
        found = compare_words.finding(t, result, config.datasets[0], epsilon, View())
        return [found.headline, *found.sentences] if found is not None else []
    return []
