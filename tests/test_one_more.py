"""One more attack, mechanism, guessing rule and data set: each a file, its place in a catalogue, a block of words.

They are added to a copy of the program by exactly these touches, and used there from the command line, on the page and
in a document.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE

ROOT = Path(__file__).parents[1]
ENTRIES = {
    "adversaries/toy_attack.py": '''
        """A toy: two random gradients of length L."""

        from __future__ import annotations

        from dataclasses import dataclass
        from typing import TYPE_CHECKING, ClassVar

        from ldp_core.private import GradientPair, Objective

        if TYPE_CHECKING:
            from torch import Generator

            from ldp_core.private import ClientState


        @dataclass(frozen=True, slots=True)
        class ToyAttack:
            """Two random gradients."""

            strength: float = 1.0

            name: ClassVar[str] = "toy-attack"
            access: ClassVar[frozenset[str]] = frozenset({"gradient", "server"})
            needs_images: ClassVar[bool] = False
            paper_rule: ClassVar[str] = "signed-loss"
            style: ClassVar[tuple[str, str]] = ("#123456", "circle")

            def craft(self, client: ClientState, generator: Generator) -> GradientPair:
                import torch

                length = sum(values.numel() for values in client.model.parameters())
                slopes = torch.randn(2, length, generator=generator)
                slopes *= self.strength * client.clip_norm / slopes.norm(dim=1, keepdim=True)
                objectives = Objective(slope=slopes[0]), Objective(slope=slopes[1])
                return GradientPair(slopes[0], slopes[1], "a toy", model=client.model, objectives=objectives)
        ''',
    "mechanisms/toy_mechanism.py": '''
        """A toy: every gradient becomes the same report."""

        from __future__ import annotations

        from dataclasses import dataclass
        from typing import TYPE_CHECKING, ClassVar

        from ldp_core.mechanisms._parts import Draw, Unbiased, uniform

        if TYPE_CHECKING:
            from torch import Tensor


        @dataclass(frozen=True, slots=True)
        class ToyMechanism(Unbiased):
            """Reports of pure noise."""

            delta: float = 1e-3

            name: ClassVar[str] = "toy-mechanism"

            def _reports_of(self, gradient: Tensor) -> Draw:
                return lambda count, generator: uniform(count, len(gradient), generator=generator)
        ''',
    "distinguishers/toy_rule.py": '''
        """A toy: guess by the first number of the report."""

        from __future__ import annotations

        from dataclasses import dataclass
        from typing import TYPE_CHECKING, ClassVar

        if TYPE_CHECKING:
            from torch import Tensor

            from ldp_core.private import GradientPair


        @dataclass(frozen=True, slots=True)
        class ToyRule:
            """Guess "first" if the first number is at least 1/2."""

            name: ClassVar[str] = "toy-rule"
            view: ClassVar[str] = "white"
            bound: ClassVar[str] = "pooled"
            access: ClassVar[str] = "one number of the report"
            law: ClassVar[bool] = False
            cautious: ClassVar[bool] = False

            def objection(self, attack: str, clients: int) -> str:
                return "" if clients == 1 else "looks at one report"

            def sees_report(self, clients: int) -> bool:
                return True

            def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
                return reports[:, 0] - 0.5
        ''',
    "datasets/toy_data.py": '''
        """A toy: the same grey picture with random labels."""

        from pathlib import Path
        from typing import ClassVar

        from ldp_core.datasets._images import ImageData


        class ToyData:
            """Noise in ten classes."""

            name: ClassVar[str] = "toy-data"
            shape: ClassVar[tuple[int, int]] = (1, 28)
            place: ClassVar[str] = ""
            download_bytes: ClassVar[int] = 0

            def load(self, data_dir: Path | None = None, download: bool = False) -> ImageData:
                import torch

                images = torch.linspace(0.0, 1.0, 100).reshape(100, 1, 1, 1).expand(100, 1, 28, 28).clone()
                labels = torch.arange(100) % 10
                return ImageData(self.name, images[:80], labels[:80], images[80:], labels[80:], 10, public=True)
        ''',
}
"""File in the core -> its text."""
CATALOGUE = {
    "adversaries": ("ToyAttack", "toy_attack", "    Dummy(),\n", "    ToyAttack(),\n"),
    "mechanisms": (
        "ToyMechanism",
        "toy_mechanism",
        "    LdpSgd.name: LdpSgd,\n",
        "    ToyMechanism.name: ToyMechanism,\n",
    ),
    "distinguishers": ("ToyRule", "toy_rule", "    Selective(),\n", "    ToyRule(),\n"),
    "datasets": ("ToyData", "toy_data", "Svhn()", ", ToyData()"),
}
"""Folder -> class, module, the entry after which the toy's is put, and the toy's."""
WORDS = {
    "en": """
        [attacks.toy-attack]
        title = "The toy attack"
        caption = "Plays."
        chart = "toy attack"
        who = "A child."
        changes = "The toy."
        realism = "Every day."
        closeness = "Nowhere near."
        device = "the toy"
        server = "plays along"
        strength = "How hard it plays."

        [mechanisms.toy-mechanism]
        title = "The toy randomizer"
        sends = "It sends a toy."

        [distinguishers.toy-rule]
        title = "looks at the toy"
        chart = "toy rule"
        access = "one toy"
        objection = "there are many toys"

        [datasets.toy-data]
        title = "pictures of toys"
        chart = "toys"
        """,
    "ja": """
        [attacks.toy-attack]
        title = "おもちゃの攻撃"
        caption = "遊びます。"
        chart = "おもちゃ攻撃"
        who = "子ども。"
        changes = "おもちゃ。"
        realism = "毎日です。"
        closeness = "遠く及びません。"
        device = "おもちゃ"
        server = "いっしょに遊ぶ"
        strength = "どれだけ強く遊ぶかです。"

        [mechanisms.toy-mechanism]
        title = "おもちゃの仕組み"
        sends = "おもちゃを送ります。"

        [distinguishers.toy-rule]
        title = "おもちゃを見る"
        chart = "おもちゃのルール"
        access = "おもちゃ1つ"
        objection = "おもちゃが多すぎます"

        [datasets.toy-data]
        title = "おもちゃの写真"
        chart = "おもちゃ"
        """,
}
"""Language -> what is added to its file of words."""
PAGE = """
import json, os, sys
from streamlit.testing.v1 import AppTest
from ldp_core import takeaway
from pages._shared import jobs
from pages._shared.text import LANGUAGES

found = {}
for language, t in LANGUAGES.items():
    at = AppTest.from_file(os.path.abspath("pages/_shared/main.py"), default_timeout=__PATIENCE__)
    at.switch_page("../audit.py")
    options = {"attack": "toy-attack", "mechanism": "toy-mechanism", "distinguisher": "toy-rule", "dataset": "toy-data"}
    options |= {"training": "none", "trials": "200", "measurements": "1", "seed": "5", "lang": language}
    for name, value in options.items():
        at.query_params[name] = value
    at.run()
    at.button(key="run").click().run()
    assert not at.exception, at.exception
    job = jobs.manager().get(at.query_params["job"])
    assert job.ended.wait(__PATIENCE__)
    at.run()
    assert not at.exception, at.exception
    assert job.state == "done", job.error
    told = [str(part.value) for kind in (at.markdown, at.caption) for part in kind]
    told += [option for box in (*at.selectbox, *at.radio) for option in box.options]
    told += [part.proto.body for part in at.get("html")]
    document = takeaway.html(job.result, words=t.REPORT, chart_words=t.FIGURES, language=language)
    at.switch_page("../compare.py").run()
    assert not at.exception, at.exception
    boxes = [box.label for box in at.checkbox] + [option for box in at.multiselect for option in box.options]
    at.switch_page("../check.py").run()
    assert not at.exception, at.exception
    checks = [option for box in at.selectbox for option in box.options]
    found[language] = {"page": told, "document": document, "compare": boxes, "check": checks}
jobs.manager().shutdown()
json.dump(found, sys.stdout)
"""
"""Runs a test on the page in each language, and opens the two other pages."""


def indented(text: str) -> str:
    return re.sub(r"(?m)^ {8}", "", text).lstrip("\n").rstrip(" ")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program to which the toys were added."""
    root = tmp_path_factory.mktemp("one_more") / "program"
    for folder in ("ldp_core", "pages", ".streamlit"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "app.py", root / "app.py")
    for name, text in ENTRIES.items():
        (root / "ldp_core" / name).write_text(indented(text))
    for folder, (kind, module, after, entry) in CATALOGUE.items():
        path = root / "ldp_core" / folder / "__init__.py"
        text = path.read_text()
        assert text.count(after) == 1
        first = text.index(f"from ldp_core.{folder}")
        line = f"from ldp_core.{folder}.{module} import {kind}\n"
        path.write_text(text[:first] + line + text[first:].replace(after, after + entry))
    for language, words in WORDS.items():
        with (root / "ldp_core" / "words" / f"{language}.toml").open("a") as file:
            file.write("\n" + indented(words))
    return root


def run(copy: Path, *words: str) -> str:
    """Run Python in the copy, with a cache of its own; return what it prints."""
    environment = {**os.environ, "LDP_CACHE_DIR": str(copy.parent / "cache"), "PYTHONPATH": str(copy)}
    finished = subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def block(language: str, name: str) -> dict[str, str]:
    """Return a toy's block of words."""
    text = indented(WORDS[language])
    (lines,) = re.findall(rf"\[\w+\.{name}\]\n((?:.+\n)+)", text)
    return dict(re.findall(r'(\w+) = "(.*)"', lines))


TOYS = {
    "--attack": "toy-attack",
    "--mechanism": "toy-mechanism",
    "--distinguisher": "toy-rule",
    "--dataset": "toy-data",
}


def test_one_more_of_each_on_the_command_line_and_in_a_document(copy: Path) -> None:
    few = ("--training", "none", "--trials", "200", "--measurements", "1", "--seed", "5", "--strength", "0.5")
    options = [word for pair in TOYS.items() for word in pair]
    out = run(copy, "-m", "ldp_core", "audit", *options, *few, "--json", "r.json", "--html", "r.html")
    assert "Attack toy-attack, distinguisher toy-rule, mechanism toy-mechanism" in out
    report = json.loads((copy / "r.json").read_text())
    assert all(report["config"][name.removeprefix("--")] == toy for name, toy in TOYS.items())
    assert report["summary"]["theory"]["delta"] == 1e-3
    document = (copy / "r.html").read_text()
    assert block("en", "toy-attack")["chart"] in document
    assert all(block("en", toy)["title"] in document for toy in ("toy-mechanism", "toy-rule"))
    assert block("en", "toy-data")["chart"] in document
    again = run(copy, "-m", "ldp_core", "show", "r.json")
    assert "toy-attack" in again
    help_text = run(copy, "-m", "ldp_core", "audit", "--help")
    assert block("en", "toy-attack")["strength"] in " ".join(help_text.split())
    assert all(toy in re.sub(r"-\s+", "-", help_text) for toy in TOYS.values())


def test_one_more_of_each_is_compared(copy: Path) -> None:
    few = ("--training", "none", "--trials", "200", "--measurements", "1", "--seed", "5", "--epsilons", "1")
    where = ("--tests", "white,black", "--dataset", "toy-data", "--figures", "figures")
    out = run(copy, "-m", "ldp_core", "compare", "--attacks", "benign,toy-attack", *where, *few)
    assert "toy-attack" in out
    assert list((copy / "figures").glob("*.svg"))


def test_one_more_of_each_on_the_page_in_both_languages(copy: Path) -> None:
    found = json.loads(run(copy, "-c", PAGE.replace("__PATIENCE__", repr(PATIENCE))))
    assert set(found) == set(WORDS)
    for language, seen in found.items():
        attack, rule = block(language, "toy-attack"), block(language, "toy-rule")
        randomizer, data = block(language, "toy-mechanism"), block(language, "toy-data")
        page = "\n".join(seen["page"])
        for text in (attack["title"], attack["who"], rule["title"], rule["access"], randomizer["title"], data["title"]):
            assert text in page
        assert {attack["title"], data["title"]} <= set(seen["compare"])
        assert rule["title"] not in seen["compare"], "it is not linear"
        assert randomizer["title"] in seen["check"]
        for text in (attack["chart"], rule["title"], randomizer["title"], data["chart"]):
            assert text in seen["document"]


@pytest.mark.parametrize(("pattern", "most"), [(r"label.flip|LabelFlip", 4), (r"duchi.linf|DuchiLinf", 3)])
def test_nothing_else_in_the_program_names_an_entry(pattern: str, most: int) -> None:
    paths = [ROOT / "app.py", *(ROOT / "ldp_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    naming = [path for path in paths if re.search(pattern, path.read_text())]
    assert len(naming) <= most, naming


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("[attacks.toy-attack]", "[attacks.other]"), r"en.toml must have a block \[attacks.toy-attack\], got none"),
        (('who = "A child."', ""), r"\[attacks.toy-attack\] of en.toml .* got something else for who"),
        (
            ('who = "A child."', 'who = "A child."\nwhom = "x"'),
            r"\[attacks.toy-attack\] .* got something else for whom",
        ),
        (('who = "A child."', "who = 1"), r"\[attacks.toy-attack\] .* got something else for who"),
    ],
)
def test_an_entry_without_its_words_is_refused_in_one_sentence(
    copy: Path, tmp_path: Path, change: tuple[str, str], sentence: str
) -> None:
    shutil.copytree(copy / "ldp_core", tmp_path / "ldp_core")
    path = tmp_path / "ldp_core" / "words" / "en.toml"
    path.write_text(path.read_text().replace(*change))
    code = "from ldp_core import words\ntry:\n    words.attacks('en')\nexcept ValueError as error:\n    print(error)"
    assert re.search(sentence, run(tmp_path, "-c", code))
