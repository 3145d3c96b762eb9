"""Inputs used by more than one page. ``settings`` keeps what they hold, and names it in the URL."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core._validate import limits
from ldp_core.adversaries import ADVERSARIES, PARTIES, RECOMMENDED, has_strength, has_wrong_label, party
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.randomness.streams import fresh_seed
from ldp_core.types import EPSILON_RANGE, USUAL_STEP, AuditConfig
from ldp_core.words import Words
from ldp_core.words.numbers import ambiguous, read
from pages.frame import wording
from pages.state import callbacks, settings
from pages.state.settings import Setting
from pages.widgets import hand, sources

STEPS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
PAPERS = (0.5, 1.0, 2.0, 4.0)
EPSILON, EPSILON_STEP = "epsilon", "epsilon_step"
ATTACK = Setting("attack", RECOMMENDED, str, ADVERSARIES.__contains__)
CONFIDENCE_RANGE = (50.0, 99.9999)
"""In percent; more than that no field shows exactly."""
MOST_SEED = 2**53 - 1
"""A browser keeps larger whole numbers only roughly."""
_LONGEST_LIST = 200


def epsilon_value() -> float:
    """Return ε as it is set, before any of its widgets is shown."""
    return float(_number(EPSILON, *EPSILON_RANGE, 1.0).value())


def exact_epsilon(t: Words) -> float:
    """Show the number field of ε; return ε."""
    value: float = number(t, t.EPSILON_EXACT, EPSILON, *EPSILON_RANGE, 1.0, epsilon_help(t.EPSILON_EXACT_HELP))
    return value


def epsilon_help(text: str) -> str:
    """Return a help text with the limits of ε in it."""
    low, high = map(wording.number, EPSILON_RANGE)
    return text.format(low=low, high=high)


def papers(t: Words, epsilon: float, lead: str = "") -> None:
    """Show, behind some words, the values of papers and one that apps state; the one that is set is marked."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="papers"):
        if lead:
            st.markdown(lead, width="content")
        for value in (*PAPERS, 8.0):
            act = settings.puts({EPSILON: value})
            look = "primary" if value == epsilon else "secondary"
            callbacks.button(wording.label(t, value), f"paper_{value:g}", act, fixed=True, type=look)


def epsilon_steps(epsilon: float) -> list[float]:
    """Return the steps of the slider of ε: the usual ones, and the one that is set."""
    return sorted({*STEPS, epsilon})


def epsilon_slider(t: Words, epsilon: float, widget: str) -> None:
    """Show a slider of ε; there may be more than one on a page, and parts of it may follow, see ``hand.follow``."""
    steps = {step: wording.label(t, step) for step in epsilon_steps(epsilon)}
    setting = _number(EPSILON, *EPSILON_RANGE, 1.0)
    hand.slider(setting, widget, steps, t.EPSILON, t.EPSILON_HELP, t.EPSILON_ENDS)


def attack_picker(t: Words) -> str:
    """Show the attacks in one list, those that need least first; choosing one closes it."""
    texts = {name: str(t.ATTACKS[name].title) for group in PARTIES for name in attacks_of(group)}
    return select(t.ATTACK, ATTACK.name, texts, t.ATTACK_HELP, ATTACK.default)


def attacks_of(group: str) -> tuple[str, ...]:
    """Return the attacks for which one of ``PARTIES`` must cheat: the recommended one first, then as catalogued."""
    attacks = [attack for attack in ADVERSARIES if party(attack) == group]
    return tuple(sorted(attacks, key=lambda attack: attack != RECOMMENDED))


def expectation(t: Words) -> int | None:
    """Ask, without insisting, how many guesses of 100 will be right; None for an empty field."""

    def show(value: str, **bound: Any) -> None:
        st.text_input(t.EXPECT, value, help=t.EXPECT_HELP, placeholder=t.EXPECT_NONE, **bound)

    entry = _typed(t, t.EXPECT, replace(_number(settings.EXPECTED, 0, 100, None), linked=False), (0, 100), show)
    return None if entry is None else int(entry)


def advanced(t: Words) -> tuple[dict[str, Any], dict[str, Any]]:
    """Show the folded settings; return fields for ``AuditConfig``, and where the images come from."""
    values: dict[str, Any] = {"epsilon": exact_epsilon(t)}
    left, right = st.columns(2)
    with left:
        values["num_trials"] = of_field(t, t.TRIALS, AuditConfig, "num_trials", t.TRIALS_HELP)
    with right:
        values["num_measurements"] = of_field(
            t, t.MEASUREMENTS, AuditConfig, "num_measurements", t.MEASUREMENTS_HELP, 3
        )
    rule = select(t.DISTINGUISHER, "distinguisher", titles(t.DISTINGUISHERS), t.DISTINGUISHER_HELP)
    values["distinguisher"] = rule
    st.caption(t.DISTINGUISHER_ACCESS.format(access=t.DISTINGUISHERS[rule].access))
    black = DISTINGUISHERS[rule].view == "black"
    if black:
        values["clients"] = of_field(t, t.CLIENTS, AuditConfig, "clients", t.CLIENTS_HELP)
        values["server_step"] = the_server_step(t)
        values["radius"] = radius(t)
    attack = ATTACK.value()
    if has_wrong_label(attack):
        values["wrong_label"] = select(t.WRONG_LABEL, "wrong_label", t.WRONG_LABELS, t.WRONG_LABEL_HELP)
    if has_strength(attack):
        values["strength"] = of_field(t, t.STRENGTH, AuditConfig, "strength", t.ATTACKS[attack].strength)
    if not ADVERSARIES[attack].needs_images and not black:
        st.caption(t.UNUSED_IMAGES)
    values["training"] = select(t.TRAINING, "training", t.TRAININGS, t.TRAINING_HELP, "light")
    values["dataset"] = select(t.DATASET, "dataset", titles(t.DATASETS), t.DATASET_HELP)
    source = sources.images_from(t, (values["dataset"],))
    values |= precision(t)
    if not black:
        values["sampling"] = select(t.SAMPLING, "sampling", t.SAMPLINGS, t.SAMPLING_HELP)
    values["mechanism"] = select(t.MECHANISM, "mechanism", titles(t.MECHANISMS), t.MECHANISM_HELP)
    return values, source


def precision(t: Words) -> dict[str, Any]:
    """Show clipping length, confidence and seed; return them as fields of a configuration."""
    left, right = st.columns(2)
    with left:
        clip_norm = of_field(t, t.CLIP_NORM, AuditConfig, "clip_norm", t.CLIP_NORM_HELP)
    with right:
        confidence = number(t, t.CONFIDENCE, "confidence", *CONFIDENCE_RANGE, 99.9, t.CONFIDENCE_HELP)
    significance = round(1.0 - confidence / 100.0, 12)
    return {"clip_norm": clip_norm, "significance": significance, "seed": fresh_or_given(t)}


def seed(t: Words, text: str) -> int | None:
    """Show the field of the seed; None for a fresh one."""
    entry: int | None = number(t, t.SEED, "seed", 0, MOST_SEED, None, text, empty=t.SEED_EMPTY)
    return entry


def fresh_or_given(t: Words) -> int:
    """Show the field of the seed; return it, or a fresh one."""
    given = seed(t, t.SEED_HELP)
    return fresh_seed() if given is None else given


def held_seed() -> int:
    """Return the seed that is set on any page, or a fresh one, without a field for it."""
    given = settings.held("seed")
    return fresh_seed() if given is None else int(given)


def radius(t: Words) -> float | None:
    """Show the largest length of the server's model, with what it does; None for its usual one."""
    value: float | None = of_field(t, t.RADIUS, AuditConfig, "radius", t.RADIUS_HELP, empty=t.RADIUS_EMPTY)
    st.caption(t.RADIUS_NOTE)
    return value


def the_server_step(t: Words) -> float | str:
    """Show the length of the server's step: a number or a name."""

    def show(value: str, **bound: Any) -> None:
        st.text_input(t.SERVER_STEP, value, 20, help=t.SERVER_STEP_HELP, **bound)

    typed: str = Setting("server_step", f"{USUAL_STEP:g}", str, lambda held: len(held) <= 20).show(show)
    try:
        return float(read(typed))
    except ValueError:
        return typed.strip()


Tick = Callable[..., bool]


def tick_boxes(
    key: str, options: Sequence[str], default: Sequence[str], show: Callable[[str, Tick], bool]
) -> tuple[str, ...]:
    """Show one tick box for each option; the names of those ticked are in the URL, unknown ones in a link are dropped.

    ``show``: returns whether an option counts, given what shows its box, of a label, and returns whether it is ticked.
    """
    named = [name for name in st.query_params.get(key, "").split(",") if name]
    for name in named:
        if name not in options:
            settings.refuse(key, name)
    presets = [name for name in named if name in options] or default

    def tick(name: str, label: str, **look: Any) -> bool:
        box = settings.box(f"{key}_{name}", default=name in default, named=name in presets)
        return bool(box.show(partial(st.checkbox, label, wrap=True, **look)))

    chosen = tuple(name for name in options if show(name, partial(tick, name)))
    settings.mention(key, "" if set(chosen) == set(default) else ",".join(chosen))
    return chosen


def numbers(t: Words, label: str, key: str, default: str, kind: Callable[[str], Any], text: str) -> tuple[Any, ...]:
    """Show a field for a list of numbers.

    Raises:
        ValueError: with a sentence for the screen, if it holds something else.
    """

    def show(value: str, **bound: Any) -> None:
        st.text_input(label, value, _LONGEST_LIST, help=text, placeholder=default, **bound)

    def short(held: Any) -> bool:
        return isinstance(held, str) and len(held) <= _LONGEST_LIST

    typed = Setting(key, default, str, short, held_as=f"{key} listed").show(show)
    plain = unicodedata.normalize("NFKC", typed)
    signs = "[;、]" if re.search("[;、]", plain) else ","  # beside these, a comma is a decimal sign
    try:
        values = tuple(_part(kind, part.strip()) for part in re.split(signs, plain) if part.strip())
    except ValueError:
        values = ()
    if not values:
        raise ValueError(t.CMP_NUMBERS.format(label=label.partition(t.COMMA)[0], example=default))
    return tuple(dict.fromkeys(values))


def _part(kind: Callable[[str], Any], part: str) -> Any:
    """Read one value of a list: a number as people write it, or a word where ``kind`` takes words."""
    return kind(str(read(part)) if re.search(r"\d", part) else part)


def of_field(
    t: Words, label: str, kind: type[Any], name: str, text: str, usual: float | None = None, key: str = "", *,
    empty: str | None = None, held_as: str = "",
) -> Any:  # fmt: skip
    """Show the number of a configuration's field, within its limits.

    ``usual``: where the page has another than the field's default; ``key``: the setting, where it is not called as the
    field; the rest as for ``number``.
    """
    default: Any = {item.name: item.default for item in fields(kind)}[name] if usual is None else usual
    ends = limits(kind, name)
    return number(t, label, key or name.removeprefix("num_"), *ends, default, text, empty=empty, held_as=held_as)


def number(
    t: Words, label: str, key: str, low: float, high: float, default: float | None, text: str, *,
    empty: str | None = None, held_as: str = "",
) -> Any:  # fmt: skip
    """Show a field for a number: for whole numbers where ``low`` is an int.

    ``empty``: what an empty one means, where the default is None; ``held_as``: its name in the session where other
    pages have their own.
    """

    def show(value: str, **bound: Any) -> None:
        st.text_input(label, value, help=text, placeholder=empty, **bound)

    return _typed(t, label, replace(_number(key, low, high, default), held_as=held_as), (low, high), show)


def _typed(t: Words, label: str, setting: Setting, ends: tuple[float, float], show: Callable[..., None]) -> Any:
    """Show a field for text that holds a number; return it, or the default and say what is wrong with the text."""
    low, high = ends
    setting = replace(setting, reads=partial(_heard, whole=isinstance(low, int), optional=setting.default is None))
    value = setting.show(show)
    if (held := settings.held(setting.held_as or setting.name)) is not None and held != value:
        label, text = label.partition(t.COMMA)[0], setting.text()
        if isinstance(held, str):
            unclear = ambiguous(held)
            sentence = (t.NUMBER_UNCLEAR if unclear else t.NUMBER_UNREAD).format(label=label, text=text[:20])
        else:
            limits = wording.label(t, low), wording.label(t, high)
            sentence = t.NUMBER_BEYOND.format(label=label, low=limits[0], high=limits[1], text=text[:20])
        st.error(sentence)
        settings.wrong(sentence)
    return value


def _heard(text: str, *, whole: bool, optional: bool) -> Any:
    """Return the number that a text is; an empty one is none where there may be none; else the text itself."""
    if optional and not text.strip():
        return None
    try:
        value = read(text)
    except ValueError:
        return text
    if not whole:
        return value
    return int(value) if value == int(value) else text


def _number(key: str, low: float, high: float, default: float | None) -> Setting:
    return Setting(
        key,
        default,
        int if isinstance(low, int) else float,
        lambda held: isinstance(held, int | float) and low <= held <= high,
        record.spelled,
    )


def select(label: str, key: str, texts: dict[str, str], text: str, default: str | None = None) -> str:
    options = list(texts)

    def show(value: str, **bound: Any) -> None:
        st.selectbox(label, options, options.index(value), format_func=texts.__getitem__, help=text, **bound)

    return str(Setting(key, default or options[0], str, options.__contains__).show(show))


def titles(entries: dict[str, Any]) -> dict[str, str]:
    """Return the titles of a catalogue's entries, as ``select`` takes them."""
    return {name: words.title for name, words in entries.items()}
