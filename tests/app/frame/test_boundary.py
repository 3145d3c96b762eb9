"""The picture of device, network and server, and the card beside it."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from ldp_core.adversaries import ADVERSARIES, has_strength
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


def test_the_picture_has_a_place_for_whatever_an_attack_touches() -> None:
    assert all(adversary.access <= set(threat_model.BOXES) for adversary in ADVERSARIES.values())


@pytest.mark.parametrize("t", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("attack", ADVERSARIES)
@pytest.mark.parametrize("view", ["white", "black"])
def test_picture_marks_what_is_touched_and_says_so(t: Words, attack: str, view: str) -> None:
    touched = ADVERSARIES[attack].access
    plain, picture = drawn(t), drawn(t, touched, view)
    dashed = [mark for mark in picture.iter(f"{SVG}rect") if "stroke-dasharray" in mark.attrib]
    assert len(dashed) == len(touched)
    told = picture.findtext(f"{SVG}desc") or ""
    assert picture.findtext(f"{SVG}title") == t.BOUNDARY_TITLE
    for part in touched:
        assert t.BOUNDARY_PARTS[part].replace("\n", " ") in told
    assert t.BOUNDARY_WATCHED[view] in told
    assert t.BOUNDARY_WATCHED[view] in words(picture)
    assert (t.BOUNDARY_TOUCHED in words(picture)) == bool(touched)
    assert t.BOUNDARY_TOUCHED not in words(plain)
    assert t.BOUNDARY_WATCHED[view] not in words(plain)


@pytest.mark.parametrize("t", LANGUAGES.values(), ids=LANGUAGES)
def test_words_stay_inside_the_picture_and_its_boxes(t: Words) -> None:
    """Wide letters take a whole em of 14 units, others at most about 0.62 of it on average."""

    def length(text: str) -> float:
        return sum(14.0 if ord(letter) > 0x2E80 else 8.7 for letter in text)

    for name, (_, _, width, _) in threat_model.BOXES.items():
        for line in t.BOUNDARY_PARTS[name].split("\n"):
            assert length(line) <= 1.18 * width, (name, line)
    for line in (t.BOUNDARY_TOUCHED, *t.BOUNDARY_WATCHED.values()):
        assert 36 + 0.8 * length(line) <= 360, line


def config(attack: str, epsilon: float = 1.0, rule: str = "cosine", **options: float):  # type: ignore[no-untyped-def]
    return plan.make_config(confidence=95, seed=1, distinguisher=rule, attack=attack, epsilon=epsilon, **options)


def test_every_attack_has_a_card() -> None:
    for language in LANGUAGES.values():
        assert len(language.CARD_ROWS) == 4
        for attack in ADVERSARIES:
            assert bool(language.ATTACKS[attack].strength) == has_strength(attack)
            assert "{" not in attack_card.closeness(language, config(attack))


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
def test_closeness_of_the_others_is_the_papers_and_says_so(attack: str) -> None:
    for epsilon, shown in ((0.1, 0.5), (1.0, 1.0), (3.0, 4.0), (8.0, 4.0)):
        text = attack_card.closeness(en, config(attack, epsilon)).replace("\u00a0", " ")
        right = written(100 * published.IDENTIFICATION[attack][shown])
        allowed = written(100 / (1 + math.exp(-shown)))
        assert f"The papers measured {right} at ε = {shown:g}, where {allowed} were allowed." in text


def test_no_number_is_promised_for_other_rules() -> None:
    assert attack_card.closeness(en, config("benign", rule="selective")) == en.CARD_SELECTIVE
    assert attack_card.closeness(en, config("benign", rule="loss-fall")) == en.CARD_BLACK
