"""The story on the overview page: every control is used once, and every number is the core's."""

import io
import json
import re
import shlex
from collections.abc import Callable
from html import unescape
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from ldp_core import cli
from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.statistics.known_epsilons import KNOWN
from pages import jobs
from pages.frame import wording
from pages.overview.story import game, promise
from tests.app.conftest import OpenPage, html
from tests.app.test_pages import texts
from tests.helpers.patience import PATIENCE
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t


def pictures(at: AppTest) -> list[str]:
    """Return what the drawn pictures say of themselves."""
    drawn = [str(each.value) for each in at.markdown if str(each.value).startswith("<svg")]
    return [unescape(re.search(r'aria-label="([^"]*)"', svg).group(1)) for svg in drawn]  # type: ignore[union-attr]


def commands(at: AppTest) -> list[str]:
    return [block.value for block in at.code if block.value.startswith("python -m ldp_core story")]


def told(command: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Run a command line that the page shows, and return what it prints."""
    capsys.readouterr()
    assert cli.main([*shlex.split(command)[3:], "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def at(open_page: OpenPage) -> AppTest:
    """Return the page with the experts' folds open."""
    opened = open_page("overview")
    for step in ("device", "randomizer", "game", "promise"):
        opened.session_state[f"experts_{step}"] = True
    opened.run()
    assert not opened.exception
    return opened


def test_untouched_page_makes_its_points(open_page: OpenPage) -> None:
    at = open_page("overview")
    assert not at.exception
    assert not at.error
    shown = texts(at)
    assert "at most 73.11 times" in html(at)
    assert "**7 of 10** reports fall on your update's side; in the long run, **73.11 of 100**." in shown
    assert "10 of 100 sure. After one report: **at most 23.20 of 100**." in shown
    assert "Their ε add up to 10:" in shown
    assert not at.get("plotly_chart"), "a browser takes tens of milliseconds for each"
    assert len(pictures(at)) == 6
    assert all(pictures(at))


def test_reports_are_counted_as_the_core_counts_them(at: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[Callable[[], Any]] = [
        lambda: at.button(key="story_one").click(),
        lambda: at.button(key="story_many").click(),
        lambda: at.button(key="paper_2").click(),
        lambda: at.slider(key="story_length").set_value(0.6),
        lambda: at.toggle(key="story_sphere").set_value(True),
    ]
    for step in steps:
        step().run()
        assert not at.exception
        found = told(next(command for command in commands(at) if "--reports" in command), capsys)
        assert f"**{found['near']} of {found['reports']}** reports fall on" in texts(at)
        assert f"in the long run, **{wording.limit(t, found['law'])}**." in texts(at)
    assert (found["reports"], found["epsilon"]) == (211, 2.0)
    assert any("scatter3d" in element.proto.spec for element in at.get("plotly_chart"))


def test_game_is_played_to_its_end(at: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    seed = at.session_state[game.STATE]["seed"]
    rounds = told(f"python -m ldp_core story --game 10 --epsilon 1 --seed {seed}", capsys)["rounds"]
    right = 0
    for number, (guess, played) in enumerate(zip("ABBABAABBA", rounds, strict=True), start=1):
        at.button(key=f"story_guess_{guess}").click().run()
        right += guess == played["sent"]
        assert t.GAME_RESULT["right" if guess == played["sent"] else "wrong"].format(
            number=number, sent=t.GAME_LABELS[played["sent"]]
        ) in html(at)
        score = t.GAME_SCORE.format(right=right, done=number)
        best = t.GAME_SCORE.format(right=sum(p["attacker"] == p["sent"] for p in rounds[:number]), done=number)
        assert re.findall(r"<span>(\d+ of \d+ right)", html(at)) == [score, best]
        assert (t.GAME_SCORES[2] in html(at)) == (number >= game.TOLD), "ε is told after five guesses"
    assert at.button(key="story_guess_A").disabled
    best = sum(played["attacker"] == played["sent"] for played in rounds)
    assert f"You were right {right} times of 10, the best attacker {best} times." in texts(at)
    at.button(key="story_next").click().run()
    assert t.GAME_SCORE_NONE in html(at)
    for _ in range(game.TOLD):
        at.button(key="story_guess_A").click().run()
    at.button(key="story_turn").click().run()
    assert not at.exception
    assert "at most 98.21 times" in html(at)
    assert t.GAME_SCORE_NONE in html(at), "another ε begins a new game"
    assert re.search(rf"At ε = 1 you were right \d of {game.TOLD} times", html(at)), "and says what it leaves behind"


def test_table_of_common_values_holds_the_core_s_numbers() -> None:
    rows = promise.values(t)
    assert [row[0] for row in rows] == ["0.1", "0.5", "1", "2", "4", "8"]
    for row, epsilon in zip(rows, promise.VALUES, strict=True):
        _, right, suspicion, until = row
        _near(right, theory.worst_case_identification(epsilon))
        _near(suspicion, theory.posterior(0.1, epsilon))
        reports = int(until.replace(",", ""))
        assert theory.rounds_identification(epsilon, reports) >= 0.95
        assert reports == 1 or theory.rounds_identification(epsilon, reports - 1) < 0.95


def test_own_picture_gets_its_update_from_the_worker_and_leaves_nothing(at: AppTest, tmp_path: Any) -> None:
    assert at.button(key="story_glimpse_start").disabled
    file = io.BytesIO()
    Image.fromarray(np.full((40, 60, 3), (250, 20, 90), dtype=np.uint8)).save(file, "PNG")
    at.file_uploader(key="story_upload").set_value(("mine.png", file.getvalue(), "image/png")).run()
    at.selectbox(key="story_label").set_value(7).run()
    at.button(key="story_glimpse_start").click().run()
    job = jobs.manager().get(at.session_state["story_glimpse"]["job"])
    assert job.ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    assert not at.error
    assert t.DEVICE_OWN_ALT.format(label=7) in html(at)
    sure = wording.percent(t, figures.of_100(100 * job.result.sureness, t.FIGURES))
    assert f"You labelled it 7. The model takes it for {job.result.guess} and is {sure} sure." in texts(at)
    assert t.GLIMPSE_DIGITS in texts(at)
    assert (t.GLIMPSE_INVERTED in texts(at)) == job.result.inverted
    assert job.own is None
    assert job.id not in str(at.query_params)
    kept = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert all(name.endswith(".safetensors") for name in kept), "the model of the public digits, and nothing else"
    jobs.manager().shutdown()


def test_known_systems_are_the_core_s_and_every_row_names_its_publication() -> None:
    for language in LANGUAGES.values():
        for each in KNOWN:
            who, what, epsilon, model, original = promise.known(language, each)
            assert str(each.year) in who
            assert f"{each.epsilon:g}" in epsilon
            assert ("δ" in epsilon) == (each.delta > 0)
            assert (what, model) == (language.KNOWN[each.key][0], language.KNOWN_MODELS[each.model])
            assert original == each.original
            assert original.startswith("https://")


def _near(text: str, chance: float) -> None:
    """Check a share as it is written against the core's number, to the last digit that is shown."""
    text = text.replace("\u00a0", " ")
    right, of = (text[:-2], "100") if text.endswith(" %") else text.split(" of ")
    if right == t.FIGURES["nearly"]:
        assert chance > 1 - 1 / 10_000
        return
    digit = 10.0 ** -len(right.partition(".")[2])
    assert of == "100"
    assert -1e-9 <= float(right) - chance * int(of) <= digit + 1e-9, "rounded up"
    assert float(right) < int(of)


def test_table_of_rounds_holds_the_core_s_numbers() -> None:
    for epsilon in (0.1, 1.0, 8.0, 30.0):
        for row, number in zip(promise.rounds(t, epsilon), (1, 3, 10, 100), strict=True):
            _near(row[1], theory.rounds_identification(epsilon, number))
            assert row[2] == f"ε = {wording.number(number * epsilon)}"


def test_belief_follows_its_slider_and_a_new_epsilon_begins_a_new_game(at: AppTest) -> None:
    at.slider(key="story_belief").set_value(95).run()
    at.button(key="story_guess_A").click().run()
    assert "1 right" in html(at)
    for epsilon in (1.0, 4.0):
        if epsilon != 1.0:
            at.button(key="paper_4").click().run()
            assert t.GAME_SCORE_NONE in html(at)
        shown = re.search(r"at most (.*?)\*\*\.", texts(at).partition("95 of 100 sure")[2])
        _near(shown[1], theory.posterior(0.95, epsilon))
