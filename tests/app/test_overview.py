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

from ldp_core import cli, illustrate
from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.statistics.known_epsilons import KNOWN
from pages import jobs, registry
from pages.frame import wording
from pages.overview.story import game, known, promise, randomizer
from pages.widgets import inputs
from tests.app.conftest import holding
from tests.app.test_pages import texts
from tests.helpers.patience import PATIENCE
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t

OpenPage = Callable[..., AppTest]


def html(at: AppTest) -> str:
    return "\n".join(element.proto.body for element in at.get("html"))


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
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


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
    shown = texts(at)
    assert not at.error
    assert [header.value for header in at.header] == [
        t.DEVICE_TITLE, t.RANDOMIZER_TITLE, t.GAME_TITLE, t.PROMISE_TITLE, t.OTHERS_TITLE,
    ]  # fmt: skip
    assert "at most 73 times" in shown
    assert "The report looks like noise, whatever ε is, and yet it tells something." in shown
    assert "**7 of 10** reports fall on your update's side. In the long run it is **73 of 100**." in shown
    assert "10 of 100 sure. After one report: **at most 23 of 100**." in shown
    assert "Added up, the 10 promises are ε = 10." in shown
    assert "It happens in 4.4\u00a0% of all cases." in shown
    assert not at.get("plotly_chart"), "a browser takes tens of milliseconds for each"
    assert len(pictures(at)) == 6
    assert all(pictures(at))
    assert not at.latex
    assert not commands(at)


def test_experts_find_the_formulas_and_the_commands(at: AppTest) -> None:
    assert len(at.latex) == 10
    assert len(commands(at)) == 3


def test_each_picture_and_each_sending_shows_the_report_s_own_side(
    at: AppTest, capsys: pytest.CaptureFixture[str]
) -> None:
    seen, pictures = set(), set()
    for digit in range(10):
        at.pills(key="story_digit").set_value(digit).run()
        at.button(key="story_again").click().run()
        assert not at.exception
        command = commands(at)[0]
        assert f"--example {digit} " in command
        found = told(command, capsys)
        side = t.DEVICE_SIDE["near" if found["near"] else "far"]
        assert side in texts(at)
        assert f'alt="{t.DEVICE_IMAGE_ALT.format(label=digit)}"' in html(at)
        assert "the share of such reports that fall on its side is 73 of 100" in texts(at)
        seen.add(found["near"])
        pictures |= set(re.findall(r'src="(data:image/png[^"]+)"', html(at)))
    assert seen == {True, False}
    assert len(pictures) == 30, "ten images, ten updates, ten reports"


def test_reports_are_counted_as_the_core_counts_them(at: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[Callable[[], Any]] = [
        lambda: at.button(key="story_one").click(),
        lambda: at.button(key="story_many").click(),
        lambda: at.slider(key="story_length").set_value(0.6),
        lambda: at.select_slider(key="story_epsilon").set_value(2.0),
        lambda: at.slider(key="story_length").set_value(1.5),
        lambda: at.slider(key="story_length").set_value(0.0),
        lambda: at.toggle(key="story_sphere").set_value(True),
    ]
    for step in steps:
        step().run()
        assert not at.exception
        found = told(commands(at)[1], capsys)
        law = wording.share(t, found["law"])
        assert f"**{found['near']} of {found['reports']}** reports fall on" in texts(at)
        assert f"In the long run it is **{law}**." in texts(at)
        kind = "none" if not found["norm"] else "short" if found["norm"] < 1.0 else "full"
        assert [name for name, text in t.RANDOMIZER_FINDING.items() if text in texts(at)] == [kind]
    assert found["reports"] == 211
    assert found["epsilon"] == 2.0
    assert any("scatter3d" in element.proto.spec for element in at.get("plotly_chart"))


def test_slider_of_step_2_is_the_page_s(at: AppTest) -> None:
    at.select_slider(key="story_epsilon").set_value(4.0).run()
    assert holding(at.number_input, "epsilon").value == 4.0
    assert holding(at.select_slider, "epsilon_step").value == 4.0
    assert "at most 98.2\u00a0%" in texts(at)
    at.button(key="paper_0.5").click().run()
    assert holding(at.select_slider, "story_epsilon").value == 0.5


def test_start_over_takes_other_reports_and_the_picture_has_room_for_so_many(at: AppTest) -> None:
    before = commands(at)[1]
    at.button(key="story_reset").click().run()
    assert "No report is made yet. In the long run **73 of 100** fall" in texts(at)
    assert commands(at)[1].split("--seed")[1] != before.split("--seed")[1]
    while not at.button(key="story_many").disabled:
        at.button(key="story_many").click().run()
    assert f" of {wording.count(randomizer.MOST)}** reports" in texts(at)
    assert at.button(key="story_one").disabled
    assert t.RANDOMIZER_FULL in texts(at)


def test_last_report_s_two_coins_are_told(at: AppTest) -> None:
    at.slider(key="story_length").set_value(0.5).run()
    at.button(key="story_reset").click().run()
    seen = set()
    for sent in range(1, 21):
        at.button(key="story_one").click().run()
        report = illustrate.send(1.0, 0.5, sent, 17)
        kept, near = "kept" if report.rounded_up[-1] else "turned", "near" if report.near[-1] else "far"
        assert t.RANDOMIZER_LAST[f"{kept}_{near}"] in texts(at)
        assert t.RANDOMIZER_DOTS in texts(at)
        seen.add(f"{kept}_{near}")
    at.slider(key="story_length").set_value(1.0).run()
    assert t.RANDOMIZER_LAST["near" if report.near[-1] else "far"] in texts(at)
    assert seen | {"near", "far"} == set(t.RANDOMIZER_LAST)


def test_game_is_played_to_its_end(at: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = told(commands(at)[2], capsys)["rounds"]
    guesses = "ABBABAABBA"
    right = 0
    for number, (guess, played) in enumerate(zip(guesses, rounds, strict=True), start=1):
        assert t.GAME_ROUND.format(number=number, total=10) in texts(at)
        assert at.button(key="story_next").disabled
        at.button(key=f"story_guess_{guess}").click().run()
        right += guess == played["sent"]
        result = t.GAME_RESULT["right" if guess == played["sent"] else "wrong"].format(sent=played["sent"])
        assert result in html(at)
        assert at.button(key="story_guess_A").disabled
        assert at.button(key="story_guess_B").disabled
        score = t.GAME_SCORE.format(right=right, done=number)
        best = t.GAME_SCORE.format(right=sum(p["attacker"] == p["sent"] for p in rounds[:number]), done=number)
        assert re.findall(r"<span>(\d+ of \d+ right)", html(at)) == [score, best]
        assert ("You were right" in texts(at)) == (number == 10)
        assert (t.GAME_TACTIC in texts(at)) == (number == 10), "how to guess best is told when the game is over"
        if number < 10:
            at.button(key="story_next").click().run()
    best = sum(played["attacker"] == played["sent"] for played in rounds)
    assert f"You were right {right} times of 10, the best attacker {best} times." in texts(at)
    assert "the promise here are the same: 73 of 100." in texts(at)
    at.button(key="story_next").click().run()
    assert t.GAME_ROUND.format(number=1, total=10) in texts(at)
    assert t.GAME_TACTIC not in texts(at)
    assert told(commands(at)[2], capsys)["rounds"] != rounds


def test_a_game_begins_clearly_and_luck_without_looking_is_called_luck() -> None:
    lucky, seed = set(), game._FIRST_SEED
    for _ in range(20):
        rounds = illustrate.play(1.0, game.ROUNDS, seed)
        assert abs(rounds[0].report[1]) >= illustrate.CLEAR_HEIGHT
        said = game.summary(t, 1.0, rounds, ["A"] * game.ROUNDS)
        best = sum(each.sent == each.attacker for each in rounds)
        always = {side: sum(each.sent == side for each in rounds) for side in ("A", "B")}
        side = max(always, key=lambda name: always[name])
        assert (t.GAME_BLIND.format(side=side, right=always[side]) in said) == (always[side] >= best)
        lucky.add(always[side] >= best)
        seed = illustrate.clear_game(seed + 1)
    assert lucky == {True, False}
    for epsilon in inputs.PAPERS:  # who opens the page meets none of it
        said = game.summary(t, epsilon, illustrate.play(epsilon, game.ROUNDS, game._FIRST_SEED), ["B"] * game.ROUNDS)
        assert "luck. In" not in said


def test_attacker_s_many_guesses_are_the_command_s(at: AppTest, capsys: pytest.CaptureFixture[str]) -> None:
    at.button(key="story_game_many").click().run()
    found = told(commands(at)[2], capsys)
    assert len(found["rounds"]) == 1_000
    assert f"right in **{found['attacker_score'] / 10:.1f}\u00a0%**" in texts(at)


def test_new_epsilon_begins_a_new_game(at: AppTest) -> None:
    at.button(key="story_guess_A").click().run()
    assert "1 right" in html(at)
    at.button(key="paper_4").click().run()
    assert t.GAME_SCORE_NONE in html(at)
    assert "at most 98.2\u00a0%, in the long run" in html(at)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 8.0, 30.0])
def test_tables_hold_the_core_s_numbers(epsilon: float) -> None:
    rows = promise.rounds(t, epsilon)
    assert [row[t.ROUNDS_COLUMNS[0]] for row in rows] == ["1", "3", "10", "100"]
    for row, number in zip(rows, promise.ROUNDS, strict=True):
        _near(row[t.ROUNDS_COLUMNS[1]], theory.rounds_identification(epsilon, number))
        assert row[t.ROUNDS_COLUMNS[2]] == f"ε = {wording.number(number * epsilon)}"


def test_table_of_common_values_holds_the_core_s_numbers() -> None:
    rows = promise.values(t)
    assert [row["ε"] for row in rows] == ["0.1", "0.5", "1", "2", "4", "8"]
    for row, epsilon in zip(rows, promise.VALUES, strict=True):
        _, right, suspicion, until = row.values()
        _near(right, theory.worst_case_identification(epsilon))
        _near(suspicion, theory.posterior(0.1, epsilon))
        reports = int(until.replace(",", ""))
        assert theory.rounds_identification(epsilon, reports) >= 0.95
        assert reports == 1 or theory.rounds_identification(epsilon, reports - 1) < 0.95


def test_belief_follows_its_slider(at: AppTest) -> None:
    at.slider(key="story_belief").set_value(95).run()
    _near(
        re.search(r"at most (.*?)\*\*\.", texts(at).partition("95 of 100 sure")[2]).group(1),
        theory.posterior(0.95, 1.0),
    )  # type: ignore[union-attr]
    at.button(key="paper_4").click().run()
    shown = texts(at).partition("95 of 100 sure")[2]
    _near(re.search(r"at most (.*?)\*\*\.", shown).group(1), theory.posterior(0.95, 4.0))  # type: ignore[union-attr]


def test_own_picture_gets_its_update_from_the_worker_and_leaves_nothing(at: AppTest, tmp_path: Any) -> None:
    assert at.button(key="story_glimpse_start").disabled
    file = io.BytesIO()
    Image.fromarray(np.full((40, 60, 3), (250, 20, 90), dtype=np.uint8)).save(file, "PNG")
    at.file_uploader(key="story_upload").set_value(("mine.png", file.getvalue(), "image/png")).run()
    at.selectbox(key="story_label").set_value(7).run()
    at.button(key="story_glimpse_start").click().run()
    job = jobs.manager().get(at.session_state["story_glimpse"]["job"])
    assert job is not None
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


def test_file_that_is_no_picture_is_one_sentence(at: AppTest) -> None:
    at.file_uploader(key="story_upload").set_value(("mine.png", b"no picture", "image/png")).run()
    at.button(key="story_glimpse_start").click().run()
    job = jobs.manager().get(at.session_state["story_glimpse"]["job"])
    assert job is not None
    assert job.ended.wait(PATIENCE)
    at.run()
    (error,) = at.error
    assert error.value == wording.failure(t, job.error)
    assert error.value[0].isupper()


def test_other_pages_are_named_as_in_the_menu_and_begin_with_it(open_page: OpenPage) -> None:
    for name, language in LANGUAGES.items():
        at = open_page("overview", lang=name)
        links = [link.proto.label for link in at.get("page_link")]
        menu = [
            language.NAV_OVERVIEW,
            *(getattr(language, page.title) for page in registry.pages().values() if page.title),
        ]
        assert links[: len(menu)] == menu
        assert {language.NAV_COMPARE, language.NAV_CHECK} <= set(links[len(menu) :])
        for title, menu in (
            (language.OVERVIEW_TITLE, language.NAV_OVERVIEW), (language.AUDIT_TITLE, language.NAV_AUDIT),
            (language.COMPARE_TITLE, language.NAV_COMPARE), (language.CHECK_TITLE, language.NAV_CHECK),
        ):  # fmt: skip
            assert title.startswith(menu)


def test_first_screen_says_nothing_before_its_sentence(open_page: OpenPage) -> None:
    at = open_page("overview")
    first, *_ = [str(each.value) for each in at.markdown if not str(each.value).startswith("<svg")]
    assert first.replace("<strong>", "**").replace("</strong>", "**") == (
        f"#### {wording.promise_sentence(t, 1.0, t.OVERVIEW_PROMISE)}"
    )
    assert "**" not in first, "which Markdown leaves as they are between a sign and a Japanese letter"
    assert "update" not in first, "which comes with its picture"
    assert t.EPSILON_RESEARCH in texts(at)


def test_known_systems_are_the_core_s_and_every_row_has_a_source() -> None:
    for language in LANGUAGES.values():
        rows = known.rows(language)
        assert len(rows) == len(KNOWN) == len({(each.who, each.key) for each in KNOWN})
        for row, each in zip(rows, KNOWN, strict=True):
            who, what, epsilon, model, source, original = row.values()
            assert str(each.year) in who
            assert what == language.KNOWN[each.key][0]
            assert f"{each.epsilon:g}" in epsilon
            assert ("δ" in epsilon) == (each.delta > 0)
            assert model == language.KNOWN_MODELS[each.model]
            assert source == f"{each.entry}.yaml"
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
    assert abs(float(right) - chance * int(of)) <= 0.5 * digit + 1e-9
    assert float(right) < int(of)
