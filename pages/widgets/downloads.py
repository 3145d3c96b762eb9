"""Takes a result away as a file; ``opening`` opens one again."""

import io
from collections.abc import Callable
from functools import cache, partial
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import streamlit as st

from ldp_core import results as core
from ldp_core.presentation import figures
from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import terms
from pages.jobs.job import Job
from pages.server import files
from pages.state import current_run, prepared
from pages.widgets import told

_REPORT, _PICTURED, _SAVED, _CHARTS = "report.html", "report-with-images.html", "result.json", "charts.zip"


def downloads(t: Words, job: Job) -> None:
    """Offer a result as files; one with images in it only where that was ticked."""
    images = any(job.pictures) and _asks_for_images(t, job)
    if job.id not in prepared.IDS:
        job.stated = _stated(t, job)
    with st.container(horizontal=True, key=f"take_{job.kind}"):
        files.link(t, t.TAKE_HTML, job.id, _REPORT, t.TAKE_HTML_HELP)
        for name in registry.pages()[job.kind].files:
            files.link(t, t.TAKE_FILES[name], job.id, name, t.DOWNLOAD_JSON_HELP)
        files.link(t, t.TAKE_CHARTS, job.id, _CHARTS, t.TAKE_CHARTS_HELP)
        files.link(t, t.DOWNLOAD_JSON, job.id, _SAVED, t.DOWNLOAD_JSON_HELP)
        if images:
            files.link(t, t.TAKE_PICTURED, job.id, _PICTURED, t.TAKE_PICTURED_HELP)
    if job.id in prepared.IDS:
        note = t.LINK_NOTES["always"]
    else:
        note = t.LINK_NOTES["memory" if job.opened or jobs.manager().cache.notice else "kept"]
        note += t.SPACE + t.LINK_SHARE
    terms.prose(t, note, small=True)


def html(t: Words, job: Job, *, images: bool = False) -> str:
    """Return the report of a job in the visitor's language."""
    page = registry.pages()[job.kind]
    return core.html(
        job.result,
        page.sentences(t, job),
        notes=job.notes,
        images=job.pictures if images else (),
        opened=job.opened,
        stated=job.stated,
        words=t.REPORT,
        chart_words=t.FIGURES,
        language=t.LANGUAGE_CODE,
    )


def opened_note(t: Words, job: Job | None) -> None:
    """Say of a result from a file that it is one."""
    if job is not None and job.opened:
        with st.container(border=True, key=f"opened_{job.kind}"):
            terms.prose(t, t.TITLED.format(title=t.OPENED_TITLE, text=t.OPENED_NOTE))


def _asks_for_images(t: Words, job: Job) -> bool:
    whose = t.TAKE_IMAGES_OWN
    if job.config.dataset != "own":
        whose = t.TAKE_IMAGES_DATA.format(dataset=t.FIGURES[f"data_{job.config.dataset}"])
    ticked = st.checkbox(t.TAKE_IMAGES, key=f"take_images_{job.id}")
    terms.prose(t, whose, small=True)
    return ticked


def _stated(t: Words, job: Job) -> str:
    """Show the field for what the document may say of who tested what; it stays with the run, on this device."""
    written = st.text_input(
        t.TAKE_STATED, job.stated, core.MOST_STATED, f"stated_{job.id}", placeholder=t.TAKE_STATED_EXAMPLE
    )
    return "".join(letter for letter in written if letter.isprintable())


def _file(
    ending: str,
    kind: str,
    write: Callable[[Words, Job], str | bytes],
    has: Callable[[Job], bool] = lambda _: True,
    mark: str = "",
) -> files.Make:
    """Return what makes a file of a job that has ended and found something; ``mark`` ends its name."""

    def make(t: Words, token: str) -> files.File | None:
        job = current_run.named(jobs.manager(), token)
        if job is None or not job.finished or job.result is None or not has(job):
            return None
        if not job.study.has_data(job.result):
            return None
        return files.File(f"ldp-{job.kind}-{job.id[:8]}{mark}.{ending}", kind, write(t, job))

    return make


@cache
def served() -> dict[str, files.Make]:
    """Return every file of a result, by the end of its address."""
    makers = {
        _REPORT: _file("html", "text/html", html),
        _PICTURED: _file(
            "html", "text/html", partial(html, images=True), lambda job: any(job.pictures), mark="-with-images"
        ),
        _CHARTS: _file("zip", "application/zip", _charts, mark="-charts"),
        _SAVED: _file("json", "application/json", lambda _, job: job.written()),
    }
    for study, page in registry.pages().items():
        for name, (ending, kind, write) in page.files.items():
            makers[name] = _file(
                ending, kind, write, partial(_is_of, study), mark=f"-{name.removesuffix(f'.{ending}')}"
            )
    return makers


def _charts(t: Words, job: Job) -> bytes:
    """Return every chart of a result as an SVG file, packed in one."""
    page = registry.pages()[job.kind]
    memory = io.BytesIO()
    with ZipFile(memory, "w", ZIP_DEFLATED) as packed:
        for name, drawn in (page.charts or _reported)(t, job).items():
            packed.writestr(ZipInfo(f"{name}.svg"), figures.standalone_svg(drawn))
    return memory.getvalue()


def _reported(t: Words, job: Job) -> dict[str, str]:
    from ldp_core.presentation.figures import inline

    charts = told.report(t, job.result).charts
    return {chart.name: inline.chart(chart.name, chart.describe, chart.alt, t.FIGURES) for chart in charts}


def _is_of(study: str, job: Job) -> bool:
    return job.kind == study
