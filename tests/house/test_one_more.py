"""One more attack, mechanism, guessing rule, data set, study and language, each by the touches that the README names.

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
from tests.helpers.places import ROOT

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
STUDY = {
    "ldp_core/studies/toy_study/__init__.py": '"""A toy: how many heads fall?"""\n',
    "ldp_core/studies/toy_study/result.py": '''
        """The result of a toy."""

        from __future__ import annotations

        import json
        import random
        from collections.abc import Iterator
        from dataclasses import asdict, dataclass

        SCHEMA = "toy/1"


        @dataclass(frozen=True, slots=True)
        class ToyConfig:
            coins: int = 10
            seed: int = 0


        @dataclass(frozen=True, slots=True)
        class ToyResult:
            config: ToyConfig
            heads: int
            completed: bool = True


        @dataclass(frozen=True, slots=True)
        class ToyStep:
            stage: str
            done: int
            total: int
            result: ToyResult


        def toss(config: ToyConfig) -> Iterator[ToyStep]:
            coin, heads = random.Random(config.seed), 0
            for number in range(1, config.coins + 1):
                heads += coin.random() < 0.5
                completed = number == config.coins
                yield ToyStep("coins", number, config.coins, ToyResult(config, heads, completed))


        def to_json(result: ToyResult) -> str:
            return json.dumps({"schema": SCHEMA, **asdict(result)})


        def from_json(content: bytes) -> ToyResult:
            found = json.loads(content)
            return ToyResult(ToyConfig(**found["config"]), found["heads"], found["completed"])
        ''',
    "ldp_core/studies/toy_study/command.py": '''
        """The command ``toss``."""

        from __future__ import annotations

        import argparse
        from typing import Any

        from ldp_core.studies.toy_study.result import ToyConfig, ToyResult, toss
        from ldp_core.terminal import follow
        from ldp_core.terminal.numbers import whole
        from ldp_core.terminal.study_command import add_shared, check_files, finish, settings_of

        NAME = "toss"


        def run(options: argparse.Namespace) -> int:
            check_files(options)
            steps = toss(ToyConfig(**settings_of(options, ToyConfig)))
            result = follow(steps, lambda step: f"coin {step.done}", lambda step: "").result
            return finish(options, result, lambda: text_of(result))


        def text_of(result: ToyResult) -> str:
            return f"{result.heads} of {result.config.coins} coins fell on heads, seed {result.config.seed}"


        def add_to(commands: Any) -> None:
            parser = commands.add_parser(NAME)
            parser.add_argument("--coins", type=whole, default=10)
            add_shared(parser, "seed", "json", "html")
            parser.set_defaults(run=run)
        ''',
    "ldp_core/studies/toy_study/study.py": '''
        """A toy: what every study states of itself."""

        from __future__ import annotations

        from collections.abc import Iterator, Mapping, Sequence
        from types import ModuleType
        from typing import Any, ClassVar

        from ldp_core.studies.toy_study import command
        from ldp_core.studies.toy_study import result as results
        from ldp_core.studies.toy_study.result import ToyConfig, ToyResult
        from ldp_core.study import Request, Study


        class Toy(Study):
            name: ClassVar[str] = "toy-study"
            config: ClassVar[type] = ToyConfig
            timed: ClassVar[str] = "coins"
            schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
            commands: ClassVar[tuple[ModuleType, ...]] = (command,)

            def run(self, request: Request, cache: Any, threads: int) -> Iterator[Any]:
                return results.toss(request.config)

            def found(self, result: ToyResult) -> bool:
                return True

            def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[ToyResult, tuple[str, ...]]:
                return results.from_json(content), ()

            def to_json(self, result: ToyResult, notes: Sequence[str] = ()) -> str:
                return results.to_json(result)

            def text(self, result: ToyResult, notes: Sequence[str] = ()) -> str:
                return command.text_of(result)

            def finding(self, result: ToyResult, context: Any) -> Sequence[str]:
                return [context.words["toy_found"].format(heads=result.heads)]

            def parts(self, result: ToyResult, context: Any) -> list[str]:
                return [context.repeat(f"python -m ldp_core toss --coins {result.config.coins}", ("digits",))]
        ''',
    "pages/toy_study/page.py": '''
        """How many heads fall?"""

        import streamlit as st

        from ldp_core.studies.toy_study.result import ToyConfig
        from pages import jobs
        from pages.frame.language import words
        from pages.state import viewed
        from pages.state.viewed import Start
        from pages.widgets import downloads, progress, start

        t = words()
        manager = jobs.manager()
        st.title(t.TOY_TITLE)
        job, gone = viewed.find_job(manager, "toy-study", "toy")
        start.button(t, manager, Start(ToyConfig(12, 3), key="toy"), t.TOY_RUN, "run_toy")
        if job is not None and not job.finished:
            progress.watch(t, manager, job)
        elif job is not None:
            st.markdown(t.TOY_FOUND.format(heads=job.result.heads))
            downloads.downloads(t, job)
        ''',
    "pages/toy_study/study.py": '''
        """What the toy's page states of itself."""

        from pages.registry import StudyPage

        PAGE = StudyPage(key="toy", title="TOY_TITLE")
        ''',
}
"""File of the program -> its text, for a study with a page of its own."""
REGISTRY = (
    '    "compare": ("compare.study.Compare",',
    '    "toy-study": ("toy_study.study.Toy", {"toss": "toss some coins"}),\n',
)
"""Line of the registry, and the toy's, which is put before it."""
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

        [toy]
        TOY_TITLE = "How many heads fall?"
        TOY_RUN = "Toss"
        TOY_FOUND = "{heads} coins fell on heads."
        report.title_toy-study = "Coins"
        report.about_toy-study = "Coins were tossed."
        report.toy_found = "{heads} heads fell in this run."
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

        [toy]
        TOY_TITLE = "表は何枚？"
        TOY_RUN = "投げる"
        TOY_FOUND = "表は{heads}枚でした。"
        report.title_toy-study = "コイン"
        report.about_toy-study = "コインを投げました。"
        report.toy_found = "この実行では表が{heads}枚でした。"
        """,
}
"""Language -> what is added to its file of words."""
STUDY_PAGE = """
import json, os, sys
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
from ldp_core import results, words
from pages import jobs

found = {}
at = AppTest.from_file(os.path.abspath("pages/frame/main.py"), default_timeout=__PATIENCE__)
at._page_hash = calc_hash("audit")
toys = {"attack": "toy-attack", "mechanism": "toy-mechanism", "distinguisher": "toy-rule", "dataset": "toy-data"}
for name, value in toys.items():
    at.query_params[name] = value
at.run()
assert not at.exception, at.exception
chosen = [str(part.value) for kind in (at.markdown, at.caption) for part in kind]
chosen += [option for box in (*at.selectbox, *at.radio, *at.select_slider) for option in box.options]
for language in words.LANGUAGES:
    t = words.of(language)
    at = AppTest.from_file(os.path.abspath("pages/frame/main.py"), default_timeout=__PATIENCE__)
    at._page_hash = calc_hash("toy_study")
    at.query_params["lang"] = language
    at.run()
    assert not at.exception, at.exception
    links = [link.proto.label for link in at.get("page_link")]
    at.button(key="run_toy").click().run()
    job = jobs.manager().get(at.query_params["toy"])
    assert job.ended.wait(__PATIENCE__)
    at.run()
    assert not at.exception, at.exception
    told = [part.value for part in (*at.title, *at.markdown)]
    document = results.html(job.result, words=t.REPORT, chart_words=t.FIGURES, language=language)
    found[language] = {"links": links, "page": told, "document": document, "chosen": chosen}
jobs.manager().shutdown()
json.dump(found, sys.stdout)
"""
"""Opens the page of an audit with all toys, then that of the toy study in each language, and runs it there."""


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
    for name, text in STUDY.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(indented(text))
    registry = root / "ldp_core" / "studies" / "__init__.py"
    line, toys = REGISTRY
    assert registry.read_text().count(line) == 1
    registry.write_text(registry.read_text().replace(line, toys + line))
    for language, words in WORDS.items():
        with (root / "ldp_core" / "words" / f"{language}.toml").open("a") as file:
            file.write("\n" + indented(words))
    _speak_one_more(root / "ldp_core" / "words")
    return root


def _speak_one_more(folder: Path) -> None:
    """Add a language: one file of words, and its name in the line that lists them."""
    text = (folder / "en.toml").read_text()
    changes = [('"English"', '"Toyish"'), ('"en"', '"x-toy"'), ("How many heads fall?", "Heads, hm?")]
    for english, toyish in (*changes, ('SEPARATORS = ".,"', 'SEPARATORS = ",."')):
        assert text.count(english) == 1
        text = text.replace(english, toyish)
    (folder / "x-toy.toml").write_text(
        text.replace('report.toy_found = "{heads} heads', 'report.toy_found = "Toy {heads}')
    )
    line = 'LANGUAGES = ("en", "ja")'
    listed = folder / "__init__.py"
    assert listed.read_text().count(line) == 1
    listed.write_text(listed.read_text().replace(line, 'LANGUAGES = ("en", "ja", "x-toy")'))


def run(copy: Path, *words: str) -> str:
    """Run Python in the copy, with a cache of its own; return what it prints."""
    environment = {**os.environ, "LDP_CACHE_DIR": str(copy.parent / "cache"), "PYTHONPATH": str(copy)}
    finished = subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


COMMANDS = """
import contextlib, io, json, sys
from ldp_core.cli import main

said = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        assert main(words) == 0, words
    said.append(out.getvalue())
sys.stdout.write(json.dumps(said))
"""
"""Carries out commands one after another; the help leaves by itself."""


def commands(copy: Path, *lines: str) -> list[str]:
    """Carry out commands in one process; return what each prints."""
    said: list[str] = json.loads(run(copy, "-c", COMMANDS, json.dumps([line.split() for line in lines])))
    return said


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
    few = "--training none --trials 200 --measurements 1 --seed 5 --strength 0.5 --json r.json --html r.html"
    options = " ".join(word for pair in TOYS.items() for word in pair)
    out, again, help_text = commands(copy, f"audit {options} {few}", "show r.json", "audit --help")
    assert "Attack toy-attack, distinguisher toy-rule, mechanism toy-mechanism" in out
    report = json.loads((copy / "r.json").read_text())
    assert all(report["config"][name.removeprefix("--")] == toy for name, toy in TOYS.items())
    assert report["summary"]["theory"]["delta"] == 1e-3
    document = (copy / "r.html").read_text()
    assert block("en", "toy-attack")["chart"] in document
    assert all(block("en", toy)["title"] in document for toy in ("toy-mechanism", "toy-rule"))
    assert block("en", "toy-data")["chart"] in document
    assert "toy-attack" in again
    assert block("en", "toy-attack")["strength"] in " ".join(help_text.split())
    assert all(toy in re.sub(r"-\s+", "-", help_text) for toy in TOYS.values())


def test_one_more_study_on_the_command_line_and_in_a_document(copy: Path) -> None:
    toss = "toss --coins 12 --seed 3 --json t.json --html t.html"
    out, again, help_text = commands(copy, toss, "show t.json --html s.html", "--help")
    found = json.loads((copy / "t.json").read_text())
    assert found["schema"] == "toy/1"
    assert f"{found['heads']} of 12 coins" in out
    assert f"{found['heads']} heads fell in this run." in (copy / "t.html").read_text()
    assert f"{found['heads']} of 12 coins" in again
    assert f"{found['heads']} heads fell in this run." in (copy / "s.html").read_text()
    assert "toss some coins" in help_text


def test_one_more_study_and_one_more_language_on_the_page(copy: Path) -> None:
    found = json.loads(run(copy, "-c", STUDY_PAGE.replace("__PATIENCE__", repr(PATIENCE))))
    titles = {"en": "How many heads fall?", "ja": "表は何枚？", "x-toy": "Heads, hm?"}
    heads = {"en": " coins fell on heads.", "ja": "枚でした。", "x-toy": " coins fell on heads."}
    written = {"en": "heads fell in this run.", "ja": "この実行では表が", "x-toy": "Toy "}
    names = {"en": "English", "ja": "日本語", "x-toy": "Toyish"}
    assert set(found) == set(titles)
    for language, seen in found.items():
        assert titles[language] in seen["page"]
        assert titles[language] in seen["links"], "the menu names it"
        assert {name for name in names.values() if name in seen["links"]} == set(names.values()) - {names[language]}
        assert any(heads[language] in text for text in seen["page"])
        assert written[language] in seen["document"]
    chosen = "\n".join(found["en"]["chosen"])
    assert all(block("en", toy)["title"] in chosen for toy in TOYS.values())
