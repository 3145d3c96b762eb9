"""What pages show: pictures, charts, the verdict, and a job from its place in the queue to its result."""

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from types import ModuleType

import pandas  # noqa: F401  # loaded whole, before plotly finds it half loaded by the worker's thread
import plotly.graph_objects as go
import streamlit as st

from ldp_core import figures, reports
from ldp_core.summary import has_law
from ldp_core.types import AuditConfig, AuditResult
from pages._shared import jobs, pictures, progress, widgets, wording
from pages._shared.compare_plan import MOST_SECONDS, TooLongError
from pages._shared.job import MAX_PICTURED, Job
from pages._shared.plan import Plan, TooLargeError, UnfitError, fresh_seed

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_CHART = {"displayModeBar": False, "scrollZoom": False}
_ICONS = {
    "above": ("#D55E00", '<path d="M9 9l14 14M23 9L9 23" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'),
    "too_few": ("#6b7280", '<path d="M10 8h12l-6 8zM10 24h12l-6-8z" fill="#fff"/>'),
    "coin": ("#6b7280", '<path d="M8 16h16" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'),
    "at": (
        "#0072B2",
        '<path d="M16 7a9 9 0 0 1 0 18z" fill="#fff"/>'
        '<circle cx="16" cy="16" r="9" fill="none" stroke="#fff" stroke-width="2.5"/>',
    ),
    "below": ("#0072B2", '<circle cx="16" cy="16" r="8" fill="none" stroke="#fff" stroke-width="3.5"/>'),
    "none": ("#6b7280", '<path d="M8 16h16" stroke="#fff" stroke-width="4" stroke-linecap="round"/>'),
}
STYLE = """<style>
.stMainBlockContainer {padding-top: 4.2rem; padding-bottom: 2rem; max-width: 1240px}
.stMainBlockContainer h1 {font-size: 2rem; padding: 0 0 .4rem}
.ldp-ends {display: flex; justify-content: space-between; font-size: .875rem; opacity: .8; margin-top: -1.2rem}
.ldp-arrays {display: flex; gap: 2rem; justify-content: center; text-align: center}
.ldp-arrays figure {margin: 0; flex: 1 1 0; max-width: 300px; min-width: 0}
.ldp-arrays img {width: 100%; margin: .4rem 0}
.ldp-legend {text-align: center; font-size: .9rem; margin-top: .5rem}
.ldp-sees {display: grid; grid-template-columns: max-content 1fr; gap: .5rem .9rem}
.ldp-head {display: flex; gap: .7rem; align-items: center; font-size: 1.35rem; font-weight: 650; line-height: 1.25}
.ldp-head img {width: 2rem; height: 2rem; flex: none}
.ldp-pairs {display: flex; flex-wrap: wrap; gap: .8rem}
.ldp-pair {border: 1px solid rgba(128,128,128,.35); border-radius: .5rem; padding: .6rem .7rem; font-size: .85rem;
 flex: 1 1 160px; max-width: 215px; box-sizing: border-box}
.ldp-pair div {display: flex; gap: .7rem; margin: .35rem 0}
.ldp-pair figure {margin: 0; width: 64px; text-align: center}
.ldp-pair img {width: 64px; height: 64px; image-rendering: pixelated; border-radius: 3px; background: #000}
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] * {color: inherit}
[data-testid=stCaptionContainer] {opacity: .78}
[class*=st-key-boxes_] [data-testid=stCaptionContainer] {padding-left: 1.6rem}
.st-key-go a {background: #0072B2; border-radius: .5rem; padding: .55rem .9rem} .st-key-go a * {color: #fff !important}
.st-key-go a:hover {background: #005a8d}
.stPlotlyChart .annotation-text, .stPlotlyChart .xtitle, .stPlotlyChart .ytitle, .stPlotlyChart .xtick text,
.stPlotlyChart .ytick text {fill: currentColor !important}
@media (max-width: 640px) {
 .stMainBlockContainer {padding-left: 1rem; padding-right: 1rem}
 .stMainBlockContainer h1 {font-size: 1.6rem}
 .ldp-arrays {gap: 1rem}
 .ldp-sees {grid-template-columns: 1fr; gap: 0}
 .ldp-sees span {margin-bottom: .5rem}
}
</style>"""


def footer(t: ModuleType, address: str, notice: str) -> None:
    """Say where this page runs; warn if other devices can reach it or results are not kept."""
    st.divider()
    if address not in _LOOPBACK:
        st.warning(t.NOT_LOOPBACK.format(address=address))
    if notice:
        st.caption(notice)
    if address in _LOOPBACK:
        st.caption(t.FOOTER.format(address=address))


def glossary(t: ModuleType) -> None:
    with st.expander(t.GLOSSARY_TITLE):
        st.markdown("\n".join(f"- **{term}**: {text}" for term, text in t.GLOSSARY.items()))


def limits(title: str, lines: Sequence[str]) -> None:
    with st.container(border=True):
        st.markdown(f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines))


def who_sees_what(t: ModuleType) -> None:
    rows = "".join(f"<strong>{html.escape(who)}</strong><span>{html.escape(what)}</span>" for who, what in t.WHO_SEES)
    with st.container(border=True):
        st.markdown(f"**{t.WHO_SEES_TITLE}**")
        st.html(f'<div class="ldp-sees">{rows}</div>')
        st.markdown(t.WHO_SEES_NEVER)


def icon_arrays(t: ModuleType, epsilon: float) -> None:
    """Show a coin's right guesses beside the best attacker's, of the same number of guesses."""
    fact = wording.promise(epsilon)
    numbers = {"of": wording.count(fact.of)}
    parts = []
    for title, text, alt, right in (
        (t.OVERVIEW_COIN, t.OVERVIEW_COIN_COUNT, t.OVERVIEW_COIN_ALT, fact.coin),
        (t.OVERVIEW_BEST, t.OVERVIEW_BEST_COUNT, t.OVERVIEW_BEST_ALT, fact.right),
    ):
        numbers["right"] = wording.count(right)
        source = pictures.uri(pictures.icon_array_svg(right, fact.of).encode(), "svg+xml")
        caption = text.format(**numbers).replace("**", "<b>", 1).replace("**", "</b>", 1)
        parts.append(
            f'<figure><strong>{title}</strong><img src="{source}" alt="{alt.format(**numbers)}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    scale = t.COUNT_SCALE.format(each=wording.count(fact.of / 100)) if fact.of > 100 else ""
    symbols = t.OVERVIEW_SYMBOLS["one" if fact.of == 100 else "many"]
    legend = " &nbsp; ".join(
        f'<span style="color:{colour}">{symbol}</span> {meaning}'
        for colour, symbol, meaning in zip((figures.RIGHT, figures.WRONG), symbols, t.OVERVIEW_LEGEND, strict=True)
    )
    st.html(f'<div class="ldp-arrays">{"".join(parts)}</div><div class="ldp-legend">{legend}<br>{scale}</div>')


@lru_cache(maxsize=64)
def _theory_figure(t: ModuleType, epsilon: float) -> go.Figure:
    return figures.theory_figure(epsilon, t.FIGURES)


def chart(figure: go.Figure, key: str, alt: str) -> None:
    """Show a chart with the sentence that states its finding."""
    st.plotly_chart(figure, key=f"chart_{key}", config=_CHART, alt=alt)


def theory_chart(t: ModuleType, epsilon: float) -> None:
    st.plotly_chart(_theory_figure(t, epsilon), key="theory", config=_CHART, alt=figures.theory_alt(epsilon, t.FIGURES))


def problem_sentence(t: ModuleType, error: Exception) -> str:
    if isinstance(error, UnfitError):
        if error.reason == "simulation":
            return str(t.RULE_UNFIT_SIMULATION.format(rule=t.DISTINGUISHERS[error.rule]))
        return str(t.RULE_UNFIT.format(rule=t.DISTINGUISHERS[error.rule], reason=t.OBJECTIONS[error.reason]))
    if isinstance(error, TooLongError):
        return str(
            t.CMP_TOO_LARGE.format(seconds=wording.duration(t, error.seconds), limit=wording.duration(t, MOST_SECONDS))
        )
    if isinstance(error, TooLargeError):
        return str(t.TOO_LARGE.format(limit=wording.count(error.limit), asked=wording.count(error.asked)))
    return str(error)


def plan_lines(t: ModuleType, config: AuditConfig, facts: Plan) -> None:
    """Say how long a run takes and the most it can show; warn if that is below ε."""
    line, warning = wording.plan_sentences(t, config, facts)
    st.caption(line, help=t.PLAN_HELP)
    if warning:
        st.warning(warning)


def job_panel(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show a job; while it goes on, look again once a second."""
    if job.finished:
        _finished(t, manager, job)
        return
    progress.watch(t, manager, job, wording.live)
    theory_chart(t, job.config.epsilon)


def _finished(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    if job.state == "failed":
        st.error(job.error or t.BUG)
        return
    result = job.result
    verdict_box(t, manager, job)
    if result is None or not result.counts.num_trials:
        return
    _charts(t, job, result)
    st.subheader(t.WHY)
    st.markdown(wording.why(t, result))
    _pairs(t, job, result)
    if wording.needs_selective_note(result):
        with st.container(border=True):
            st.markdown(f"**{t.SELECTIVE_TITLE}.** {t.SELECTIVE_NOTE}")
    with st.expander(t.COUNTS_TITLE):
        st.table(wording.count_rows(t, result))
    st.subheader(t.REPEAT_TITLE)
    st.markdown(t.REPEAT_TEXT.format(seed=result.config.seed))
    st.code(reports.command(result.config), language="bash", wrap_lines=True)
    if result.config.dataset != "digits":
        st.caption(t.REPEAT_DIR)
    with st.container(horizontal=True):
        if result and verdict_state(t, result) != "above":
            _new_seed_button(t, manager, job)
        st.download_button(
            t.DOWNLOAD_JSON, partial(reports.to_json, result), f"ldp-audit-{job.id[:8]}.json", "application/json",
            key="download_json", on_click="ignore", help=t.DOWNLOAD_JSON_HELP,
        )  # fmt: skip
    limits(t.RUN_LIMITS_TITLE, t.RUN_LIMITS)


def verdict_state(t: ModuleType, result: AuditResult) -> str:
    return wording.verdict(t, result).state


def verdict_box(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show the verdict first: symbol and words, never a colour alone."""
    if job.result is None:
        verdict = wording.Verdict("none", t.HEADLINES["none"], "", t.MEANING["none"], "", "")
    else:
        verdict = wording.verdict(t, job.result)
    source = pictures.uri(icon(verdict.state).encode(), "svg+xml")
    with st.container(border=True, key=f"verdict_{verdict.state}"):
        st.html(f'<div class="ldp-head" role="status"><img src="{source}" alt="">{html.escape(verdict.headline)}</div>')
        for text in (verdict.seen, verdict.meaning, verdict.todo, verdict.stopped):
            if text:
                st.markdown(text)
        if job.result is not None and job.result.config.sampling == "projected":
            st.caption(t.SAMPLING_NOTE)
        if verdict.state == "above":
            _new_seed_button(t, manager, job)


def icon(state: str) -> str:
    """Return the symbol of a state as SVG."""
    colour, path = _ICONS[state]
    circle = f'<circle cx="16" cy="16" r="16" fill="{colour}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{circle}{path}</svg>'


def _new_seed_button(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    st.button(t.NEW_SEED, key="new_seed", on_click=_repeat, args=(t, manager, job))


def _repeat(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    config = replace(job.config, seed=fresh_seed())
    try:
        own = widgets.own_images() if config.dataset == "own" else None
        widgets.start_job(manager, config, job.data_dir, download=job.download, own=own)
    except jobs.QueueFullError:
        st.error(t.QUEUE_FULL)


def _charts(t: ModuleType, job: Job, result: AuditResult) -> None:
    confidence = wording.number(100.0 * (1.0 - result.config.significance))
    share, epsilon = st.tabs([t.TAB_SHARE, t.TAB_EPSILON], key="tabs", on_change="rerun")
    if share.open:
        with share:
            note = t.TAB_SHARE_NOTE if result.config.mechanism == "ldp-sgd" else t.TAB_SHARE_NOTE_DEMO
            note = note if has_law(result.config) else t.TAB_SHARE_NOTE_BLACK
            figure = figures.identification_figure(result, words=t.FIGURES)
            alt = figures.identification_alt(result, t.FIGURES)
            st.plotly_chart(figure, key=f"share_{job.id}", config=_CHART, alt=alt)
            st.caption(note.format(confidence=confidence))
    if epsilon.open:
        with epsilon:
            figure = figures.epsilon_figure(result, words=t.FIGURES)
            alt = figures.epsilon_alt(result, t.FIGURES)
            st.plotly_chart(figure, key=f"epsilon_{job.id}", config=_CHART, alt=alt)
            st.caption(t.TAB_EPSILON_NOTE.format(confidence=confidence))
            if missing := wording.missing_points(t, result):
                st.caption(missing)


def _pairs(t: ModuleType, job: Job, result: AuditResult) -> None:
    """Show the images of each pair with its angle and lengths."""
    sides = t.PAIR_SIDES[result.config.attack]
    cards = []
    for number, item in enumerate(result.measurements[:MAX_PICTURED], start=1):
        images = job.pictures[number - 1] if number <= len(job.pictures) else ()
        shown = "".join(
            f'<figure><img src="{pictures.uri(picture, "png")}" alt="{t.PAIR_ALT.format(side=side, number=number)}">'
            f"<figcaption>{caption}</figcaption></figure>"
            for side, picture, caption in zip("AB", images, sides, strict=False)
        )
        facts = t.PAIR_FACTS.format(
            angle=round(item.pair.angle_degrees),
            first=wording.number(item.pair.norm_first),
            second=wording.number(item.pair.norm_second),
        )
        cards.append(
            f'<div class="ldp-pair"><b>{t.PAIR.format(number=number)}</b><div>{shown}</div><span>{facts}</span></div>'
        )
    st.html(f'<div class="ldp-pairs">{"".join(cards)}</div>')
    pictured = any(job.pictures)
    note = t.PICTURES_NONE if result.config.attack == "dummy" else t.PICTURES_NOTE if pictured else t.PICTURES_GONE
    st.caption(note)
