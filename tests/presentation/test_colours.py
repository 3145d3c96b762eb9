"""Every colour shows on a light and on a dark page, and no attack looks like another to a colour-blind eye."""

import itertools
import tomllib

import numpy as np
import pytest

from ldp_core.adversaries import ADVERSARIES
from ldp_core.presentation import figures
from ldp_core.presentation.figures import _parts, _styles
from tests.helpers.colours import EYES, contrast, distance, lab
from tests.helpers.places import ROOT

THEMES = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
PAGES = [theme["backgroundColor"] for theme in THEMES.values()]
ATTACKS = {name: attack.style[0] for name, attack in ADVERSARIES.items()}
MARKS = (
    ATTACKS
    | {
        "right": figures.RIGHT,
        "wrong": figures.WRONG,
        "coin": figures.COIN,
        "neutral": _styles.NEUTRAL,
        "outline": _parts.OUTLINE,
        "unknown attack": figures.attack_style("?")[0],
        "update A": _styles.FIRST,
        "update B": _styles.SECOND,
    }
    | {f"line {number}": colour for number, colour in enumerate(_styles.LINE_COLOURS)}
    | {f"epsilon {epsilon:g}": _styles.epsilon_style(epsilon)[0] for epsilon in (0.01, 0.25, 0.5, 1.0, 2.0, 4.0, 30.0)}
)
GRAPHIC, TEXT = 3.0, 4.5
"""Least contrast of a graphic and of words. Source: WCAG 2.2, 1.4.11 and 1.4.3."""
APART = 19.0
"""Least distance of two attacks; about 2 would just be noticed side by side."""


def closest(colours: dict[str, str]) -> float:
    pairs = list(itertools.combinations(colours.values(), 2))
    return min(distance(first, second, eye) for first, second in pairs for eye in EYES)


def test_formulas_against_published_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    np.testing.assert_allclose(lab("#ff0000"), [53.24, 80.09, 67.20], atol=0.02)
    for eye, matrix in EYES.items():  # an eye that lacks a cone still sees grey as grey
        np.testing.assert_allclose(matrix.sum(axis=1), 1.0, atol=1e-5, err_msg=eye)
    assert distance("#D55E00", "#009E73", "no middle cones") < 0.6 * distance("#D55E00", "#009E73")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", MARKS)
def test_mark_shows_on_the_page(name: str, page: str) -> None:
    assert contrast(MARKS[name], page) >= GRAPHIC


@pytest.mark.parametrize("theme", THEMES)
def test_theme_s_words_show(theme: str) -> None:
    own = THEMES[theme]
    assert contrast(own["textColor"], own["backgroundColor"]) >= TEXT
    assert contrast("#ffffff", own["primaryColor"]) >= TEXT
    assert contrast(own["primaryColor"], own["backgroundColor"]) >= GRAPHIC


def test_attacks_look_different_to_every_eye() -> None:
    assert closest(ATTACKS) >= APART
    symbols = [attack.style[1] for attack in ADVERSARIES.values()]
    assert len(set(symbols)) == len(symbols)


def test_several_lines_look_different_to_every_eye() -> None:
    assert closest({colour: colour for colour in _styles.LINE_COLOURS}) >= APART
    assert closest({colour: colour for colour in ("#34A08E", "#258978", "#17705F")}) < APART, "one hue is not enough"


@pytest.mark.parametrize("eye", EYES)
def test_right_and_wrong_look_different(eye: str) -> None:
    assert distance(figures.RIGHT, figures.WRONG, eye) >= 2 * APART
    for meaning in (figures.RIGHT, figures.WRONG):
        assert min(distance(meaning, colour, eye) for colour in ATTACKS.values()) >= 0.75 * APART


def test_liar_s_palette_is_caught() -> None:
    okabe_ito = ATTACKS | {"label-flip": "#56B4E9", "gradient-flip": "#E69F00"}
    assert min(contrast(colour, "#ffffff") for colour in okabe_ito.values()) < GRAPHIC
    assert closest(ATTACKS | {"benign": "#009E73", "collusion": "#CC79A7"}) < APART
