"""The stage: who speaks seldom is counted where it speaks, and no words lie on others, on a mark or off the drawing."""

import re
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from ldp_core.game.summary import judged_law, judged_share, silent_share, summarize
from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.types import AuditResult, MeasurementResult, TrialCounts
from ldp_core.words import of
from tests.helpers.words import LANGUAGES
from tests.presentation.test_figures import run


def selective(*counts: int) -> AuditResult:
    result = run(distinguisher="selective", epsilon=1.0, angle=90.0)
    config = replace(result.config, bound="clopper_pearson")
    pair = replace(result.measurements[0].pair, norm_second=1.0)
    return replace(result, config=config, measurements=(MeasurementResult(pair, TrialCounts(*counts), None),))


def test_who_speaks_seldom_is_judged_by_its_words() -> None:
    result = selective(900, 100, 700, 300)
    share = judged_share(result)
    assert (share.point, silent_share(result)) == (300 / 400, 1600 / 2000)
    assert share.lower < 0.75 < share.upper
    assert judged_law(result, 1.0) == pytest.approx(theory.worst_case_identification(1.0)), "its words use all of ε"
    assert judged_share(selective(1000, 0, 1000, 0)) is None
    whole = run()
    assert (judged_share(whole), silent_share(whole)) == (summarize(whole).identification, 0.0)


_WORDS = re.compile(r'<text x="([-\d.e]+)" y="([-\d.e]+)" text-anchor="(\w+)"[^>]*>([^<]*)</text>')
_MARK = re.compile(r'class="(?:point|earlier)" c?x="([-\d.]+)" c?y="([-\d.]+)"')


def reach(x: str, anchor: str, text: str) -> tuple[float, float]:
    """Return where a line of words begins and ends."""
    size = sum(17.0 if ord(letter) > 0x2E80 else 9.0 for letter in text)
    start = float(x) - {"start": 0.0, "middle": size / 2.0, "end": size}[anchor]
    return start, start + size


def clashes(drawing: str) -> list[str]:
    """Return what of a drawing touches: words with words or with the middle of a mark, and words off its edge."""
    shown = re.sub(r'<g class="ldp-tip">.*?</g>', "", drawing)
    left, top, width, height = map(float, re.findall(r'viewBox="([^"]*)"', drawing)[0].split())
    boxes = {}
    for x, y, anchor, text in _WORDS.findall(shown):
        start, end = reach(x, anchor, text)
        boxes[x, y, text] = start, float(y) - 12.0, end, float(y)
    marks = [(float(x), float(y)) for x, y in _MARK.findall(shown)]
    found = [
        f"{one[2]} / {two[2]}"
        for (one, a), (two, b) in combinations(boxes.items(), 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    found += [key[2] for key, a in boxes.items() for x, y in marks if a[0] < x < a[2] and a[1] < y < a[3]]
    edges = left, top, left + width, top + height
    return found + [key[2] for key, a in boxes.items() if not (edges[0] <= a[0] and a[2] <= edges[2])]


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("epsilon", [0.1, 0.25, 1.0, 2.0, 3.0, 4.0, 8.0, 20.0])
def test_no_words_lie_on_others_on_a_mark_or_off_the_drawing(epsilon: float, language: str) -> None:
    words, most = of(language).FIGURES, theory.worst_case_identification(epsilon)
    results = [None] + [
        run(epsilon=epsilon, angle=angle, right=round(5_000 * share))
        for angle, share in product((180.0, 120.0, 20.0), (0.46, 0.7, 0.9, most, 1.0))
    ]
    for result, draw in product(results, (figures.stage_share_svg, figures.stage_epsilon_svg)):
        for earlier in ([], [run("dummy", epsilon)], [run("dummy", 1.0), run("benign", 8.0)]):
            drawing = draw(epsilon, result, earlier, words)
            assert clashes(drawing) == [], (result, earlier)
            assert drawing.count('class="earlier"') == len(earlier)


_CURVE = re.compile(r'd="M([^"]*)" class="promise"')


@pytest.mark.few(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
def test_what_was_measured_is_written_on_its_own_side_of_the_promise(epsilon: float, language: str) -> None:
    words, most = of(language).FIGURES, theory.worst_case_identification(epsilon)
    for angle, share in product((180.0, 100.0, 30.0), (0.52, 0.6, 0.75, most)):
        if share > most:
            continue
        drawing = figures.stage_share_svg(
            epsilon, run(epsilon=epsilon, angle=angle, right=round(5_000 * share)), [], words
        )
        curve = [tuple(map(float, point.split())) for point in _CURVE.findall(drawing)[0].split("L")]
        ((x, y, *told),) = (one for one in _WORDS.findall(drawing) if one[3].startswith(words["stage_measured"]))
        start, _ = reach(x, *told)
        assert float(y) - 12.0 > np.interp(start, *np.array(curve).T), "below it where it begins, and y points down"


@pytest.mark.parametrize("guess", [0, 50, 74, 90, 100])
def test_a_guess_is_a_hollow_mark_with_its_gap(guess: int) -> None:
    drawing = figures.stage_share_svg(1.0, run(epsilon=1.0), guess=guess)
    assert drawing.count('class="guess"') == 1
    assert f"you guessed {guess}" in drawing
    assert clashes(drawing) == []
    assert 'class="guess"' not in figures.stage_share_svg(1.0, run(epsilon=1.0))


def test_words_that_touch_are_seen() -> None:
    drawing = figures.stage_share_svg(2.0, run(), [], of("en").FIGURES)
    assert clashes(drawing) == []
    x, y = _MARK.findall(drawing)[0]
    on_mark = f'<text x="{x}" y="{float(y) + 5}" text-anchor="middle" fill="currentColor">here</text>'
    assert clashes(drawing.replace("</svg>", f"{on_mark}</svg>"))[-1] == "here"
    twice = f'<text x="0" y="{y}" text-anchor="start" fill="currentColor">one</text>'
    other = f'<text x="9" y="{float(y) + 4}" text-anchor="start" fill="currentColor">two</text>'
    assert clashes(drawing.replace("</svg>", f"{twice}{other}</svg>")) == ["one / two"]
    off = '<text x="470" y="0" text-anchor="start" fill="currentColor">off the edge</text>'
    assert "off the edge" in clashes(drawing.replace("</svg>", f"{off}</svg>"))
