"""The picture of device, network and server, and the card beside it."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from ldp_core.adversaries import ADVERSARIES
from ldp_core.statistics import published
from ldp_core.studies.audit import workload as plan
from ldp_core.words import Words
from pages.audit import attack_card, threat_model
from tests.helpers.words import LANGUAGES, en

SVG = "{http://www.w3.org/2000/svg}"


def drawn(t: Words, *options: object) -> ElementTree.Element:
    return ElementTree.fromstring(threat_model.picture(t, *options))  # type: ignore[arg-type]


def words(picture: ElementTree.Element) -> str:
    return " ".join(text.text or "" for text in picture.iter(f"{SVG}text"))


@pytest.mark.parametrize("t", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("attack", ADVERSARIES)
def test_picture_marks_what_is_touched_and_says_so(t: Words, attack: str) -> None:
    touched = ADVERSARIES[attack].access
    picture = drawn(t, touched, "white")
    dashed = [mark for mark in picture.iter(f"{SVG}rect") if "stroke-dasharray" in mark.attrib]
    assert len(dashed) == len(touched)
    told = picture.findtext(f"{SVG}desc") or ""
    for part in touched:
        assert t.BOUNDARY_PARTS[part].replace("\n", " ") in told
    assert t.BOUNDARY_WATCHED["white"] in told


def config(attack: str, epsilon: float = 1.0, rule: str = "cosine", **options: float):  # type: ignore[no-untyped-def]
    return plan.make_config(confidence=95, seed=1, distinguisher=rule, attack=attack, epsilon=epsilon, **options)


def written(share: float) -> str:
    """Write a share of 100 as the pages do: a count, and from 90 up a percentage."""
    return f"{share:.0f} of 100" if share < 89.5 else f"{share:.1f} %"


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_closeness_of_the_made_up_update_is_the_promise_by_the_formula(epsilon: float) -> None:
    promise = written(100 / (1 + math.exp(-epsilon)))
    assert attack_card.closeness(en, config("dummy", epsilon)).replace("\u00a0", " ").count(promise) == 2
    half = written(50 + 25 * math.tanh(epsilon / 2))
    assert f"about {half}" in attack_card.closeness(en, config("dummy", epsilon, strength=0.5))


@pytest.mark.parametrize("attack", sorted(set(published.IDENTIFICATION) - {"dummy"}))
def test_closeness_of_the_others_is_the_papers(attack: str) -> None:
    for epsilon, shown in ((0.1, 0.5), (3.0, 4.0)):
        text = attack_card.closeness(en, config(attack, epsilon)).replace("\u00a0", " ")
        right, allowed = written(100 * published.IDENTIFICATION[attack][shown]), written(100 / (1 + math.exp(-shown)))
        assert f"The papers measured {right} at ε = {shown:g}, where {allowed} were allowed." in text
