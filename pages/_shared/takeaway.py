"""Takes a result away as a file; ``opening`` opens one again."""

import re
from collections.abc import Callable
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import exports
from ldp_core import takeaway as core
from ldp_core.tables import View
from pages._shared import audit_words, check_words, compare_words, files, jobs, prepared, terms, viewed
from pages._shared.job import Job
from pages._shared.kinds import KINDS

_REPORT, _PICTURED, _TABLE, _SAVED = "report.html", "report-with-images.html", "table.csv", "result.json"


def downloads(t: ModuleType, job: Job) -> None:
    """Offer a result as files; one with images in it only where that was ticked."""
    images = any(job.pictures) and _asks_for_images(t, job)
    with st.container(horizontal=True, key=f"take_{job.kind}"):
        files.link(t, t.TAKE_HTML, job.id, _REPORT, t.TAKE_HTML_HELP)
        if job.kind == "compare":
            files.link(t, t.CMP_CSV, job.id, _TABLE, t.DOWNLOAD_JSON_HELP)
        files.link(t, t.DOWNLOAD_JSON, job.id, _SAVED, t.DOWNLOAD_JSON_HELP)
        if images:
            files.link(t, t.TAKE_PICTURED, job.id, _PICTURED, t.TAKE_PICTURED_HELP)
    if job.id == prepared.ID:
        note = t.LINK_NOTES["always"]
    else:
        note = t.LINK_NOTES["memory" if job.opened or jobs.manager().cache.notice else "kept"]
        note += t.SPACE + t.LINK_SHARE
    terms.prose(t, note, small=True)


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
        language=t.LANGUAGE_CODE,
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


def _sentences(t: ModuleType, job: Job) -> list[str]:
    """Return what stands in the verdict's box on screen; what was expected stays there. A study speaks for itself."""
    result = job.result
    if job.kind == "audit":
        verdict = audit_words.verdict(t, result)
        told = [verdict.headline, verdict.seen, verdict.epsilon, verdict.meaning, verdict.stopped]
        if note := audit_words.selective_note(t, result):
            told.append(t.SPACE.join((note, t.SELECTIVE_TRY_FILE)))
        told += [step.sentence for step in verdict.steps]
        return [sentence for sentence in told if sentence]
    if job.kind == "check":
        checked = check_words.finding(t, result)
        return [checked.headline, *checked.sentences]
    if job.kind == "compare":
        config = result.config
        epsilon = min(config.epsilons, key=lambda value: abs(value - 1.0))
        found = compare_words.finding(t, result, config.datasets[0], epsilon, View())
        return [found.headline, *map(_unlinked, found.sentences)] if found is not None else []
    return []


def _unlinked(sentence: str) -> str:
    """Return a sentence whose links are words: the addresses are those of this server."""
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", sentence)


def _file(
    ending: str,
    kind: str,
    write: Callable[[ModuleType, Job], str],
    has: Callable[[Job], bool] = lambda _: True,
    mark: str = "",
) -> files.Make:
    """Return what makes a file of a job that has ended and found something.

    Args:
        ending: of the file's name.
        kind: media type.
        write: returns what the file holds.
        has: returns whether a job has such a file.
        mark: stands in the file's name before the ending.
    """

    def make(t: ModuleType, token: str) -> files.File | None:
        job = viewed.named(jobs.manager(), token)
        if job is None or not job.finished or job.result is None or not has(job):
            return None
        if not KINDS[job.kind].found(job.result):
            return None
        return files.File(f"ldp-{job.kind}-{job.id[:8]}{mark}.{ending}", kind, write(t, job))

    return make


FILES: dict[str, files.Make] = {
    _REPORT: _file("html", "text/html", html),
    _PICTURED: _file(
        "html", "text/html", partial(html, images=True), lambda job: any(job.pictures), mark="-with-images"
    ),
    _TABLE: _file("csv", "text/csv", lambda _, job: exports.to_csv(job.result), lambda job: job.kind == "compare"),
    _SAVED: _file("json", "application/json", lambda _, job: KINDS[job.kind].write(job)),
}
"""Every file of a result, by the end of its address."""
