"""A picture and what is rebuilt of it from more and more reports; the game of finding it; the channels."""

from __future__ import annotations

import html
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from ldp_core import record
from ldp_core.channels import CHANNELS, goal_text, is_even
from ldp_core.errors import LdpCoreError
from ldp_core.presentation.channels import goal_sentence
from ldp_core.randomness import streams
from ldp_core.statistics import information
from ldp_core.studies.channels.result import ChannelsConfig
from ldp_core.studies.reconstruction import chart, report
from ldp_core.studies.reconstruction.result import nearest_measured, proportion
from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import terms, wording
from pages.jobs.png import png_of
from pages.reconstruction import study
from pages.state import callbacks
from pages.state.settings import Setting
from pages.widgets import hand, inputs, paint, pictures, sources, stage, told, views

if TYPE_CHECKING:
    from ldp_core.studies.reconstruction.demo import RebuildDemo, Rebuilding, Victim

CANDIDATES = 1_000
REPORTS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
_REPORTS = Setting("seen", 100, int, REPORTS.__contains__)
_MOST_MB = 20
_SITTER, _GAMES, _NOISE, _ASKED = "picture_sitter", "picture_games", "picture_noise", "picture_asked"
_MANY = 100
_AIMS = {
    "capacity": ("capacity", 1.0, 5_000.0, 100.0),
    "named": ("picture_named", 0.5, 99.0, 10.0),
    "error": ("picture_error", 0.0001, 0.5, 0.02),
}
"""By what a channel is set -> the field's name, limits and usual number."""


@st.cache_resource(max_entries=2, show_spinner=False)
def _scene(dataset: str, training: str, data_dir: Path | None, download: bool) -> RebuildDemo:
    from ldp_core.studies.reconstruction.demo import RebuildDemo

    return RebuildDemo.of(dataset, training, jobs.manager().cache, data_dir, download)


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the bar, the picture as it comes out of more and more reports, and in tabs below all that is beside it."""
    bar = stage.bar(t, (3, 3, 2))
    slider, many, which = bar.controls
    epsilon = inputs.epsilon_value()
    with slider:
        inputs.epsilon_slider(t, epsilon, "epsilon_picture")
    with many:
        steps = {count: wording.label(t, count) for count in REPORTS}
        reports = hand.slider(_REPORTS, "seen", steps, t.PICTURE_MANY, t.PICTURE_WORST, t.PICTURE_MANY_ENDS)
    with which:
        place = inputs.number(t, t.PICTURE_PLACE, "picture", 0, 9_999, 3, t.PICTURE_PLACE_HELP)
    with bar.more:
        upload = st.file_uploader(t.GLIMPSE_UPLOAD, ["png", "jpg", "jpeg"], key="picture_own", max_upload_size=_MOST_MB)
        label = st.selectbox(
            t.PICTURE_LABEL, [None, *range(10)], key="picture_label",
            format_func=lambda label: t.GLIMPSE_LABEL_GUESS if label is None else str(label),
        )  # fmt: skip
        terms.prose(t, t.PICTURE_OWN_NOTE, small=True)
        texts = {name: words.title for name, words in t.DATASETS.items() if name != "own"}
        dataset = inputs.select(t.DATASET, "picture_dataset", texts, t.DATASET_HELP)
        source = sources.images_from(t, (dataset,), "picture_")
        training = inputs.select(t.TRAINING, "picture_training", t.TRAININGS, t.TRAINING_HELP, "none")
    with bar.act:
        noise = _noise()

        def renew() -> None:
            noise["seed"] = streams.fresh_seed()

        callbacks.button(t.PICTURE_NOISE, "picture_noise_new", renew, fixed=True, type="primary", width="stretch")
    seed = noise["seed"]
    own_image = None if upload is None else upload.getvalue()
    demo, victim = None, None
    with st.container(key="stage"):
        told.verdict(t, [_headline(t, epsilon)], headline=False)
        pictured, drawn = st.columns([7, 5], gap="large")
        with drawn:
            _which(t, epsilon)
        try:
            with pictured, st.spinner(t.PICTURE_WAIT, show_time=True):
                demo = _scene(dataset, training, source["data_dir"], source["download"])
                victim = _sitter(demo, (dataset, training, place, label, seed, own_image))
                _strip(t, demo, victim, demo.rebuild(victim, epsilon), reports, epsilon)
        except (LdpCoreError, ValueError) as error:
            with pictured:
                st.error(wording.failure(t, str(error)))
    why, numbers = partial(_why, t, demo, victim), partial(_numbers, t, manager, demo, victim)
    told.tabs(t, None, why, numbers, partial(_game, t, demo, epsilon), partial(_keep, t, epsilon), first=2)


def _noise() -> dict[str, int]:
    """Return the seed of the noise, in what a button may change."""
    noise: dict[str, int] = st.session_state.setdefault(_NOISE, {"seed": 0})
    return noise


def _sitter(demo: RebuildDemo, key: tuple[Any, ...]) -> Victim:
    """Return the picture that is looked for; the last one stays in this session's memory."""
    held = st.session_state.get(_SITTER)
    if held is not None and held[0] == key and held[1] is demo:
        return held[2]  # type: ignore[no-any-return]
    *_, place, label, seed, own_image = key
    victim = demo.choose(place, seed) if own_image is None else demo.choose_own(own_image, label, seed)
    st.session_state[_SITTER] = key, demo, victim
    return victim


def _headline(t: Words, epsilon: float) -> str:
    """Return what a person must know: the limit for one report, and what the strongest attacker needed."""
    limit = t.PICTURE_ONE.format(epsilon=wording.number(epsilon), times=report.times_of_one_report(epsilon))
    nearest, result = nearest_measured(epsilon)
    reports, share = report.needed(result)
    needs = t.PICTURE_NEEDS.format(
        candidates=wording.count(result.config.candidates),
        reports=wording.plural(t.PICTURE_REPORTS, reports),
        share=f"{100 * share:.0f}",
        epsilon=wording.number(nearest),
    )
    return str(t.SPACE.join((limit, needs)))


def _strip(
    t: Words, demo: RebuildDemo, victim: Victim, rebuilt: list[Rebuilding], reports: int, epsilon: float
) -> None:
    """Show the picture, what its plain update gives away, and what so many reports do, which follows the slider."""
    _, known = nearest_measured(epsilon)
    frames = [
        _cell(t, demo, wording.plural(t.PICTURE_CELL, count), rebuilding.image, _told(t, rebuilding))
        + _meter(t, report.named_from(known, count), known.config.candidates)
        for count, rebuilding in zip(REPORTS, rebuilt, strict=True)
    ]
    hand.follow(_REPORTS.name, "seen", {"seen": frames})
    cells = [
        _cell(t, demo, t.PICTURE_YOURS, victim.image, [t.PICTURE_IS.format(label=victim.label)]),
        _cell(t, demo, t.PICTURE_PLAIN, victim.exact.image, _told(t, victim.exact)),
        f'<div data-hand="seen">{frames[REPORTS.index(reports)]}</div>',
    ]
    st.html(f'<div class="ldp-strip ldp-three">{"".join(cells)}</div>')
    if demo.blind > 0.0:
        st.html(f'<p class="ldp-swatch"><i></i>{html.escape(t.PICTURE_BORDER)}</p>')


def _meter(t: Words, share: float, candidates: int) -> str:
    """Return how often the strongest attacker names the picture, as a bar."""
    text = t.PICTURE_METER.format(candidates=wording.count(candidates), share=wording.share(t, share))
    return f'<p class="ldp-meter">{html.escape(text)}<i><i style="width:{100 * share:.0f}%"></i></i></p>'


def _why(t: Words, demo: RebuildDemo | None, victim: Victim | None) -> None:
    """Show how to read the pictures, what anybody would guess without the update, and the limits."""
    notes = [t.PICTURE_WORST, t.PICTURE_FOUND_NOTE, t.PICTURE_KNOWS.format(candidates=wording.count(CANDIDATES))]
    if demo is not None and demo.blind > 0.0:
        notes.append(t.PICTURE_BLIND.format(share=wording.percents(t, [demo.blind])[0]))
    if victim is not None and victim.inverted:
        notes.append(t.GLIMPSE_INVERTED)
    terms.prose(t, t.SPACE.join(notes))
    if demo is not None and victim is not None:
        mean, class_mean = demo.guesses(victim)
        cells = [
            _cell(t, demo, t.PICTURE_MEAN, mean, []),
            _cell(t, demo, t.PICTURE_CLASS_MEAN.format(label=victim.label), class_mean, []),
        ]
        st.markdown(f"**{t.PICTURE_ROW_GUESSES}**")
        st.html(f'<div class="ldp-strip">{"".join(cells)}</div>')
    told.limits(t, "limits_reconstruction", whole=True)


def _numbers(t: Words, manager: jobs.JobManager, demo: RebuildDemo | None, victim: Victim | None) -> None:
    """Show other attackers and protections as runs, and what other studies have on this page."""
    study.show(t, manager)
    if demo is not None and victim is not None:
        experts(t, demo, victim)
    registry.show_ends(t, manager, "reconstruction")


def _keep(t: Words, epsilon: float) -> None:
    """Show the command that measures the chart again."""
    _, result = nearest_measured(epsilon)
    note = t.PICTURE_MEASURED.format(pictures=wording.count(result.config.pictures))
    terms.prose(t, f"{note}{t.SPACE}{t.REPORT['note_reconstruction']}", small=True)
    st.code(record.command(result.config), language="bash", wrap_lines=True)


def _told(t: Words, rebuilding: Rebuilding) -> list[str]:
    if rebuilding.sureness is None:
        label = t.PICTURE_LABEL_READ.format(label=rebuilding.label)
    else:
        sure = wording.in_percent(t, rebuilding.sureness)
        label = t.PICTURE_LABEL_SURE.format(label=rebuilding.label, sure=sure)
    return [label, t.PICTURE_MATCH if rebuilding.found else t.PICTURE_NO_MATCH]


def _cell(t: Words, demo: RebuildDemo, title: str, image: Any, lines: list[str]) -> str:
    source = pictures.uri(png_of(demo.marked(image)), "png")
    text = "<br>".join(html.escape(line) for line in lines)
    alt = html.escape(t.COMMA.join((title, *lines)), quote=True)
    return (
        f'<figure><strong>{html.escape(title)}</strong><img src="{source}" alt="{alt}"><figcaption>{text}</figcaption>'
        "</figure>"
    )


def _which(t: Words, epsilon: float) -> None:
    """Show how often one of 1,000 pictures is found, measured in advance."""
    nearest, result = nearest_measured(epsilon)
    lines = chart.curves(result)
    assert lines is not None
    st.markdown(f"**{t.PICTURE_WHICH.format(candidates=wording.count(CANDIDATES))}**")
    views.chart(t, chart.reconstruction_chart(lines, t.FIGURES), "which", chart.reconstruction_alt(lines, t.FIGURES))
    if nearest != epsilon:
        sentence = t.PICTURE_NEAREST.format(epsilon=wording.number(epsilon), nearest=wording.number(nearest))
        terms.prose(t, sentence, small=True)


def _game(t: Words, demo: RebuildDemo | None, epsilon: float) -> None:
    if demo is None:
        return
    terms.prose(t, t.PICTURE_GAME.format(candidates=wording.count(CANDIDATES)))
    options = {str(count): wording.plural(t.PICTURE_REPORTS, count) for count in (1, 10, 30, 100, 300, 1_000)}
    reports = int(inputs.select(t.PICTURE_GAME_REPORTS, "picture_reports", options, t.PICTURE_GAME_HELP, "100"))
    held: dict[Any, list[Any]] = st.session_state.setdefault(_GAMES, {})
    key = (id(demo), epsilon, reports)
    draws: list[int] = st.session_state.setdefault(_ASKED, [])
    with st.container(horizontal=True):
        callbacks.button(t.PICTURE_DRAW, "picture_draw", partial(draws.append, 1), fixed=True, type="primary")
        many = t.PICTURE_DRAW_MANY.format(count=_MANY)
        callbacks.button(many, "picture_draw_many", partial(draws.append, _MANY), fixed=True)
    if draws:
        with st.spinner(t.PICTURE_WAIT):
            played = [demo.play(epsilon, reports, streams.fresh_seed()) for _ in range(sum(draws))]
        right, games, _ = held.get(key, [0, 0, None])
        if len(held) > 100:
            held.clear()
        held[key] = [right + sum(game.right for game in played), games + len(played), played[-1]]
        draws.clear()
    if key not in held:
        return
    right, games, last = held[key]
    sure = t.PICTURE_ATTACKER_SURE.format(sure=wording.in_percent(t, last.sureness))
    cells = _cell(t, demo, t.PICTURE_SENT, last.sent, []) + _cell(
        t, demo, t.PICTURE_NAMED, last.named, [t.PICTURE_RIGHT if last.right else t.PICTURE_WRONG, sure]
    )
    st.html(f'<div class="ldp-strip">{cells}</div>')
    share = proportion(right, games)
    assert share is not None
    assert share.lower is not None
    assert share.upper is not None
    limit = information.doubling_limit(epsilon, reports, CANDIDATES)
    low, high, blind, most = wording.percents(t, [share.lower, share.upper, 1.0 / CANDIDATES, limit])
    terms.prose(t, t.PICTURE_COUNTED.format(right=wording.count(right), games=wording.count(games), low=low, high=high))
    terms.prose(t, t.PICTURE_BESIDE.format(blind=blind, limit=most), small=True)


def experts(t: Words, demo: RebuildDemo, victim: Victim) -> None:
    """Show what the channels of the information-theoretic defence leave of the picture."""
    if not st.toggle(t.PICTURE_EXPERTS, key="picture_experts", persist_state="session"):
        return
    with st.container(border=True):
        terms.prose(t, t.PICTURE_CHANNELS)
        which, by, much = st.columns(3)
        with which:
            names = {name: t.REPORT[f"channels_{name}"] for name in CHANNELS}
            name = inputs.select(t.PICTURE_CHANNEL, "picture_channel", names, t.PICTURE_CHANNEL_HELP)
        with by:
            aims = dict(zip(_AIMS, t.PICTURE_AIMS, strict=True))
            aim = inputs.select(t.PICTURE_AIM, "picture_aim", aims, t.PICTURE_AIM_HELP)
        with much:
            key, low, high, usual = _AIMS[aim]
            value = inputs.number(t, aims[aim], key, low, high, usual, t.PICTURE_AIM_VALUE_HELP)
        aimed = {"capacity": value} if aim == "capacity" else {"goal": goal_text(aim, value)}
        painted = CHANNELS[name].paints
        left, right = st.columns([1, 2]) if painted else (None, st.container())
        if left is not None:
            with left:
                uri = pictures.uri(png_of(demo.marked(victim.image)), "png")
                st.markdown(f"**{t.PICTURE_PAINT}**")
                paint.squares(t.PICTURE_PAINT, t.PICTURE_SQUARE, uri)
                st.caption(t.PICTURE_PAINT_NOTE.format(times=wording.number(ChannelsConfig().importance)))
        with right:
            drawn = paint.drawn() if painted else None
            if drawn is not None and is_even(drawn):
                st.info(t.PICTURE_PAINT_NONE)
                return
            try:
                config = ChannelsConfig(channel=name, dataset=demo.dataset, importance_map=drawn, **aimed)
                _noisy(t, demo, victim, config)
            except (LdpCoreError, ValueError) as error:
                st.error(wording.failure(t, str(error)))


def _noisy(t: Words, demo: RebuildDemo, victim: Victim, config: ChannelsConfig) -> None:
    """Show a picture behind a channel, what the linear estimate makes of it, and what follows for all pictures."""
    from ldp_core.studies.channels import run
    from ldp_core.studies.reconstruction.demo import ROUNDS

    levels = run.levels_of(config, demo.data.train_images)
    with st.spinner(t.PICTURE_WAIT, show_time=True):
        noisy = demo.channel(config, partial(run.fitted, config, demo.data), levels, victim.image, _noise()["seed"])
    if config.goal:
        sentence = goal_sentence(config.goal, noisy.capacity, noisy.sigma, config.rounds[-1], told.teller(t))
        terms.prose(t, sentence)
    cells = [
        _cell(t, demo, t.PICTURE_NOISY, noisy.noisy, []),
        _cell(t, demo, t.PICTURE_WIENER, noisy.wiener, [t.PICTURE_ERROR.format(error=f"{noisy.error:.4f}")]),
    ]
    if levels is None:
        cells.insert(0, _cell(t, demo, t.PICTURE_YOURS, victim.image, []))
    st.html(f'<div class="ldp-strip">{"".join(cells)}</div>')
    text = t.PICTURE_CHANNEL_FOUND if noisy.found else t.PICTURE_CHANNEL_LOST
    terms.prose(t, text.format(candidates=wording.count(noisy.candidates)))
    sentences = [
        t.PICTURE_CHANNEL_TOLD.format(
            capacity=f"{noisy.capacity:.4g}", expected=f"{noisy.expected:.4f}", water=f"{noisy.water_filling:.4f}",
            rounds=ROUNDS, told=wording.number(round(noisy.told)),
        )
    ]  # fmt: skip
    if noisy.important is not None:
        sentences.append(t.PICTURE_IMPORTANT.format(important=f"{noisy.important:.4f}"))
    terms.prose(t, t.SPACE.join(sentences))
    terms.prose(t, t.PICTURE_CHANNELS_NOTE, small=True)
    st.code(record.command(config), language="bash", wrap_lines=True)
