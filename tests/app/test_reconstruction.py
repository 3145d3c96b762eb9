"""The page on rebuilt pictures: the sentence on top, the strip, the game, and a run, in both languages."""

import io
import json
import re

import numpy as np
import pytest
from PIL import Image

from ldp_core import record
from ldp_core.channels import EYES
from ldp_core.game.setup import ended, loaded
from ldp_core.presentation.channels import goal_sentence
from ldp_core.studies.capacity.result import PARTS, CapacityResult
from ldp_core.studies.channels.result import ChannelsConfig
from ldp_core.studies.channels.run import fitted
from ldp_core.studies.plane import report
from ldp_core.studies.plane.result import PlaneResult
from tests.app.conftest import OpenPage, done, html, said
from tests.helpers.words import LANGUAGES, en, report_of, teller


def test_a_channel_shows_what_it_leaves_and_where_it_is_stronger(open_page: OpenPage) -> None:
    at = open_page("reconstruction", picture_channel="personalized", capacity="40")
    at.toggle(key="picture_experts").set_value(True).run()
    assert not at.exception
    numbers = {"expected": "([0-9.]+)", "water": "([0-9.]+)", "capacity": "40", "rounds": "20", "told": "[0-9]+"}
    pattern = re.escape(en.PICTURE_CHANNEL_TOLD)
    for name, number in numbers.items():
        pattern = pattern.replace(re.escape(f"{{{name}}}"), number)
    found = re.search(pattern, said(at))
    expected, water = map(float, found.groups())
    assert 0.0 < water < expected


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_goal_is_answered_beside_the_pictures_as_the_command_answers_it(open_page: OpenPage, language: str) -> None:
    at = open_page("reconstruction", lang=language, picture_channel="personalized", picture_aim="error")
    at.toggle(key="picture_experts").set_value(True).run()
    assert not at.exception
    config = ChannelsConfig("personalized", goal="error:0.02", importance_map=EYES)
    assert any(record.command(config) == code.value for code in at.code)
    channel = fitted(config, ended(loaded(lambda *_: None, "digits", None, False)))
    told = teller(language)
    assert goal_sentence(config.goal, channel.capacity(), channel.sigma, 100, told).strip("*") in said(at)


def test_the_game_counts_honestly(open_page: OpenPage) -> None:
    at = open_page("reconstruction", epsilon="8", picture_reports="1000")
    at.button(key="picture_draw").click().run()
    assert not at.exception
    ((right, games, last),) = at.session_state["picture_games"].values()
    assert (right, games) == (int(last.right), 1)
    assert f"Right {right} of 1 times" in said(at)
    assert en.PICTURE_SENT in html(at)


def test_own_pictures_are_fitted_and_stay_in_memory(open_page: OpenPage) -> None:
    at = open_page("reconstruction")
    content = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (90, 40, 3), dtype=np.uint8)).save(content, "PNG")
    at.get("file_uploader")[0].upload("mine.png", content.getvalue(), "image/png")
    at.run()
    assert not at.exception
    assert html(at).count("data:image/png") == 5
    at.get("file_uploader")[0].upload("mine.png", b"no picture", "image/png")
    at.run()
    assert not at.exception
    assert "must be one that can be read" in said(at)


def test_a_run_is_shown_with_its_command(open_page: OpenPage) -> None:
    at = open_page("reconstruction", counts="1,10", pictures="10", seed="3")
    job = done(at, "run_rebuilt", "rebuilt")
    assert any("--reports 1,10 --pictures 10" in code.value for code in at.code)
    assert json.loads(job.written())["schema"] == "ldp-reconstruct/1"


@pytest.mark.few(1)
@pytest.mark.parametrize("language", [*reversed(LANGUAGES)])
def test_the_page_shows_the_strip_and_says_the_limit(open_page: OpenPage, language: str) -> None:
    at = open_page("reconstruction", epsilon="1", lang=language)
    assert not at.exception
    assert html(at).count("data:image/png") == 5
    assert "1.5" in said(at)
    assert "19" in said(at)
    assert LANGUAGES[language].PICTURE_WORST in said(at)


def test_what_was_measured_in_advance_is_shown_on_request_with_its_command(open_page: OpenPage) -> None:
    at = open_page("reconstruction")
    assert en.PLANE_MEASURED not in said(at)
    at.toggle(key="plane_shown").set_value(True).run()
    at.toggle(key="capacity_shown").set_value(True).run()
    assert not at.exception
    assert en.PLANE_MEASURED in said(at)
    assert report.ranged(record.measured(PlaneResult).summaries[0].area, 3, teller()) in said(at)
    said_of = {section.name: str(section.parts[0]) for section in report_of(record.measured(CapacityResult)).sections}
    for part in PARTS:
        (question,) = (one for one in at.selectbox if one.label == en.REPORT["capacity_chapter"])
        question.set_value(part).run()
        assert not at.exception
        for number in re.findall(r"\d+\.?\d*", said_of[part]):
            assert number in said(at)  # between them, terms have a mark
        for panel in PARTS[part]:
            assert en.REPORT[f"chart_capacity_{panel}"] in said(at)
    for kind in (PlaneResult, CapacityResult):
        assert any(record.command(record.measured(kind).config) == code.value for code in at.code)
