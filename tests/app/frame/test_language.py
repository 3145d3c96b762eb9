"""Both languages: nothing missing, nothing left in the other one, and a switch that changes words only."""

import re
import string
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from ldp_core.words import DEFAULT, Words
from tests.app import test_pages
from tests.app.conftest import SMALL, OpenPage, finish, start
from tests.helpers.words import LANGUAGES, en, ja

KEYED_BY_WORDS = ("GLOSSARY", "GLOSSARY_FORMS")
"""Mappings whose keys are words of the language itself."""
OPTIONAL = ("printed", "paper", "place", "rule")
"""What an entry's words hold in some languages only: names at the command line, which speaks English, and a place of
files where the language has other words for it than the entry."""
JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
ALIKE = {
    "LDP-SGD", "MNIST", "Fashion-MNIST", "CIFAR-10", "SVHN", "JSON", "CSV", "SVG", "PDF", "PNG", "JPEG", "HTML", "MB",
    "A", "B", "L", "C", "R", "S", "T", "d", "e", "g", "n", "q", "w", "a", "b", "x", "y", "c", "FOLDER", "zip", "raw",
    "py", "FashionMNIST", "cifar-10-batches-py", "server.address", "train_32x32.mat", "test_32x32.mat", "br",
    "unbiased", "printed", "NaN", "npz", "Python", "MECHANISM", "FILE", "PrivUnit", "Bhowmick", "Duchi",
    "MSE", "PSNR", "SSIM", "top-1", "N", "z", "Microsoft", "Apple", "LinkedIn", "Windows",
    "OpenDP", "Deployments", "Registry", "DP-SGD", "GPU", "Purchase", "Nasr", "Flower", "SGD", "DP-PSAC", "GDC", "ROC",
}  # fmt: skip
"""Latin words that Japanese texts may hold: names and letters."""
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]*(?: [A-Za-z]+)*")
_APART = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|`[^`]*`|--[a-z-]+|\]\([^)]*\)|&\w+;|numpy\.round\([^)]*\)")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Return what a text is made of, each with where it stands."""
    if isinstance(value, dict):
        words = path in KEYED_BY_WORDS
        for number, (key, part) in enumerate(value.items()):
            yield from leaves(part, f"{path}[{number if words else key}]")
    elif is_dataclass(value):
        for field in fields(value):
            if field.name in OPTIONAL:
                continue
            yield from leaves(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, tuple | list):
        for number, part in enumerate(value):
            yield from leaves(part, f"{path}[{number}]")
    else:
        yield path, value


def texts(language: Words) -> dict[str, Any]:
    names = [name for name in dir(language) if name.isupper()]
    return {path: leaf for name in names for path, leaf in leaves(getattr(language, name), name)}


def in_number(language: Words) -> dict[str, Any]:
    """Return the texts; of one that counts, whose forms are as many as the language needs, the first placeholders."""
    found: dict[str, Any] = {}
    for path, text in texts(language).items():
        path, counts, _ = path.partition(".forms[")
        if not counts:
            found[path] = text
        else:
            found[path] = found.get(path, "") or "".join(f"{{{each}}}" for each in holders(text))
    return found


def holders(text: str) -> list[str]:
    """Return the placeholders of a text with their formats."""
    return sorted(f"{name}:{form}" for _, name, form, _ in string.Formatter().parse(text) if name is not None)


def faults(first: Words, second: Words) -> list[str]:
    """Return what one language has and the other lacks."""
    names = {name for language in (first, second) for name in dir(language) if name.isupper()}
    found = [
        f"{name} is in one language only" for name in sorted(names) if not hasattr(first, name) * hasattr(second, name)
    ]
    left, right = in_number(first), in_number(second)
    free = [name for name in left.keys() ^ right.keys() if not name.startswith("GLOSSARY_FORMS")]
    found += [f"{path} is in one language only" for path in sorted(free)]
    for path in sorted(left.keys() & right.keys()):
        ours, theirs = left[path], right[path]
        if isinstance(ours, str) != isinstance(theirs, str):
            found.append(f"{path} has two types")
        elif not isinstance(ours, str):
            found += [f"{path} has two values"] * (ours != theirs)
        elif set(holders(ours)) != set(holders(theirs)):
            found.append(f"{path} has other placeholders")
        elif bool(ours.strip()) != bool(theirs.strip()):
            found += [f"{path} is empty in one language"] * (path != "SPACE")
    return found


def latin(text: str) -> list[str]:
    """Return the Latin words of a Japanese text that are not to be there."""
    found = _LATIN.findall(_APART.sub(" ", text))
    return [word for word in found if word not in ALIKE and not all(part in ALIKE for part in re.split(r"[ /]", word))]


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != DEFAULT])
def test_no_text_is_missing(language: str) -> None:
    assert faults(LANGUAGES[DEFAULT], LANGUAGES[language]) == []
    assert language == LANGUAGES[language].LANGUAGE_CODE


def test_no_english_is_left_in_japanese_and_none_the_other_way() -> None:
    left = {path: latin(text) for path, text in texts(ja).items() if isinstance(text, str)}
    assert {path: words for path, words in left.items() if words and path != "LANGUAGE_CODE"} == {}
    assert [path for path, text in texts(en).items() if JAPANESE.search(str(text))] == []
    assert latin("この report は`--data-dir`とLDP-SGDと{report}で 73%") == ["report"]


def test_switch_keeps_the_choices_and_the_run_and_translates_it(open_page: OpenPage) -> None:
    at = open_page(**(SMALL | {"attack": "benign", "epsilon": "2", "distinguisher": "selective"}), lang="tlh")
    at = finish(start(at))
    job = at.query_params["job"]
    for language, texts_ in (("ja", ja), ("en", en)):
        at.query_params["lang"] = language
        at.run()
        assert not at.exception
        assert at.title[0].value == texts_.AUDIT_TITLE
        assert at.query_params["job"] == job
        assert test_pages.picked_attack(at) == "benign"
        assert at.selectbox(key="distinguisher").value == "selective"
        assert at.text_input(key="epsilon").value == "2"
        assert any(headline in test_pages.headline(at) for headline in texts_.HEADLINES.values())


@pytest.mark.parametrize("page", ["overview", "audit", "compare", "check", "utility"])
def test_pages_speak_japanese_and_read_its_numbers(open_page: OpenPage, page: str) -> None:
    at = open_page(page, lang="ja")
    assert not at.exception
    assert JAPANESE.search(at.title[0].value)
    prose = " ".join(str(element.value) for element in (*at.markdown, *at.caption, *at.subheader))
    prose = re.sub(r"<svg.*?</svg>|<[^>]*>", "", prose, flags=re.DOTALL)
    english = [text for text in map(str, texts(en).values()) if len(text.split()) > 3 and "{" not in text]
    assert [text for text in english if re.sub(r"[*`]", "", text) in re.sub(r"[*`]", "", prose)] == []
    if page == "compare":
        at.text_input(key="epsilons").set_value("０．５、１").run()  # as on a Japanese keyboard
        assert not at.error
        assert not at.button(key="run_compare").disabled
