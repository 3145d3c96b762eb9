"""One more entry of each kind, added to a copy of the program by just the touches that the README names, and used."""

import json
import re
import shutil
from pathlib import Path
from textwrap import dedent

import pytest

from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT
from tests.helpers.processes import printed

ENTRIES = {
    "adversaries/toy_attack.py": """
        from dataclasses import dataclass

        from ldp_core.private import GradientPair, Objective


        @dataclass(frozen=True)
        class ToyAttack:
            strength: float = 1.0

            name = "toy-attack"
            access = frozenset({"gradient", "server"})
            needs_images = False
            paper_rule = "signed-loss"
            style = ("#123456", "circle")

            def craft(self, client, generator):
                import torch

                length = sum(values.numel() for values in client.model.parameters())
                first, second = torch.randn(2, length, generator=generator)
                first *= self.strength * client.clip_norm / first.norm()
                second *= self.strength * client.clip_norm / second.norm()
                objectives = Objective(slope=first), Objective(slope=second)
                return GradientPair(first, second, "a toy", model=client.model, objectives=objectives)
        """,
    "mechanisms/toy_mechanism.py": """
        from dataclasses import dataclass

        from ldp_core.mechanisms._parts import Unbiased, uniform


        @dataclass(frozen=True)
        class ToyMechanism(Unbiased):
            delta: float = 1e-3

            name = "toy-mechanism"

            def _reports_of(self, gradient):
                return lambda count, generator: uniform(count, len(gradient), generator=generator)
        """,
    "distinguishers/toy_rule.py": """
        class ToyRule:
            name = "toy-rule"
            view = "white"
            bound = "pooled"
            access = "one number of the report"
            law = False
            abstains = False

            def objection(self, attack, clients):
                return "" if clients == 1 else "looks at one report"

            def sees_report(self, clients):
                return True

            def score(self, reports, pair):
                return reports[:, 0] - 0.5
        """,
    "datasets/toy_data.py": """
        from ldp_core.datasets._images import ImageData


        class ToyData:
            name = "toy-data"
            shape = (1, 28)
            place = ""
            download_bytes = 0

            def load(self, data_dir=None, download=False):
                import torch

                images = torch.linspace(0.0, 1.0, 100).reshape(100, 1, 1, 1).expand(100, 1, 28, 28).clone()
                labels = torch.arange(100) % 10
                return ImageData(self.name, images[:80], labels[:80], images[80:], labels[80:], 10, public=True)
        """,
}
"""File in the core -> its text."""
STUDY = {
    "ldp_core/studies/toy_study/__init__.py": "",
    "ldp_core/studies/toy_study/command.py": """
        from ldp_core.studies.toy_study.result import ToyConfig
        from ldp_core.terminal.study_command import StudyCommand

        COMMAND = StudyCommand(
            default=ToyConfig(), description="Toss some coins.", told={"coins": "tosses"},
            shared=("seed", "json", "html"), lines={"coins": "coin {done}"},
        )
        """,
    "ldp_core/studies/toy_study/result.py": """
        import random
        from dataclasses import dataclass, field
        from typing import ClassVar

        from ldp_core.study import Step


        @dataclass(frozen=True)
        class ToyConfig:
            COMMAND: ClassVar[str] = "toss"
            coins: int = 10
            seed: int = 0


        @dataclass(frozen=True)
        class ToyResult:
            SCHEMA: ClassVar[str] = "toy/1"
            config: ToyConfig
            heads: int
            completed: bool = True
            seconds: float = 0.0
            versions: dict[str, str] = field(default_factory=dict)


        def toss(config):
            coin, heads = random.Random(config.seed), 0
            for number in range(1, config.coins + 1):
                heads += coin.random() < 0.5
                yield Step("coins", number, config.coins, ToyResult(config, heads, number == config.coins))
        """,
    "ldp_core/studies/toy_study/report.py": """
        from ldp_core.presentation.report import Report


        def report(result, tell):
            return Report([tell("toy_found", heads=result.heads)], tell("toy_ran", coins=result.config.coins), [])
        """,
    "ldp_core/studies/toy_study/study.py": """
        from ldp_core.studies.reading import KeptStudy
        from ldp_core.studies.toy_study.result import ToyResult, toss


        class Toy(KeptStudy):
            name = "toy-study"
            result = ToyResult
            timed = "coins"
            holds = "completed"

            def run(self, request, cache, threads):
                return toss(request.config)
        """,
    "pages/toy_study/page.py": """
        import streamlit as st

        from ldp_core.studies.toy_study.result import ToyConfig
        from pages import jobs
        from pages.frame.language import words
        from pages.state import current_run
        from pages.state.current_run import Start
        from pages.widgets import stage, start

        t = words()
        manager = jobs.manager()
        st.title(t.TOY_TITLE)
        job, gone = current_run.find_job(manager, "toy-study", "toy")
        start.button(t, manager, Start(ToyConfig(12, 3), key="toy"), t.TOY_RUN, "run_toy")
        if job is not None:
            stage.run(t, manager, job)
        """,
    "pages/toy_study/study.py": """
        from pages.registry import StudyPage

        PAGE = StudyPage(key="toy", title="TOY_TITLE")
        """,
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
TITLE, RAN, FOUND = "How many heads fall?", "{coins} coins were tossed.", "{heads} heads fell in this run."
WORDS = f"""
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
    TOY_TITLE = "{TITLE}"
    TOY_RUN = "Toss"
    report.title_toy-study = "Coins"
    report.about_toy-study = "Coins were tossed."
    report.limits_toy-study = "That a coin is fair."
    report.a_coins = "coins"
    report.toy_ran = "{RAN}"
    report.toy_found = "{FOUND}"
    """
"""What is added to each language's file of words, where the study's own sentences are translated."""
TOLD = {
    "en": (TITLE, RAN, FOUND),
    "ja": ("表は何枚？", "コインを{coins}枚投げました。", "この実行では表が{heads}枚でした。"),
    "x-toy": ("Heads, hm?", "Toy: {coins}.", "{heads} toys."),
}
NAMES = {"en": "English", "ja": "日本語", "x-toy": "Toyish"}
STUDY_PAGE = """
import json, os, re, sys
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
    told += [re.sub("<[^>]*>", "", part.proto.body) for part in at.get("html")]
    document = results.html(job.result, words=t.REPORT, chart_words=t.FIGURES, language=language)
    found[language] = {"heads": job.result.heads, "links": links, "page": told, "document": document, "chosen": chosen}
jobs.manager().shutdown()
json.dump(found, sys.stdout)
"""
"""Opens the page of an audit with all toys, then that of the toy study in each language, and runs it there."""


def translated(text: str, language: str) -> str:
    for english, own in zip(TOLD["en"], TOLD[language], strict=True):
        assert text.count(english) == 1
        text = text.replace(english, own)
    return text


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program to which the toys were added."""
    root = tmp_path_factory.mktemp("one_more") / "program"
    for folder in ("ldp_core", "pages", ".streamlit"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "app.py", root / "app.py")
    for name, text in ENTRIES.items():
        (root / "ldp_core" / name).write_text(dedent(text))
    for folder, (kind, module, after, entry) in CATALOGUE.items():
        path = root / "ldp_core" / folder / "__init__.py"
        text = path.read_text()
        assert text.count(after) == 1
        first = text.index(f"from ldp_core.{folder}")
        line = f"from ldp_core.{folder}.{module} import {kind}\n"
        path.write_text(text[:first] + line + text[first:].replace(after, after + entry))
    for name, text in STUDY.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(dedent(text))
    registry = root / "ldp_core" / "studies" / "__init__.py"
    line, toys = REGISTRY
    assert registry.read_text().count(line) == 1
    registry.write_text(registry.read_text().replace(line, toys + line))
    for language in ("en", "ja"):
        with (root / "ldp_core" / "words" / f"{language}.toml").open("a") as file:
            file.write(translated(dedent(WORDS), language))
    _speak_one_more(root / "ldp_core" / "words")
    return root


def _speak_one_more(folder: Path) -> None:
    """Add a language: one file of words, and its name in the line that lists them."""
    text = translated((folder / "en.toml").read_text(), "x-toy")
    for english, toyish in (('"English"', '"Toyish"'), ('"en"', '"x-toy"'), ('SEPARATORS = ".,"', 'SEPARATORS = ",."')):
        assert text.count(english) == 1
        text = text.replace(english, toyish)
    (folder / "x-toy.toml").write_text(text)
    line = 'LANGUAGES = ("en", "ja")'
    listed = folder / "__init__.py"
    assert listed.read_text().count(line) == 1
    listed.write_text(listed.read_text().replace(line, 'LANGUAGES = ("en", "ja", "x-toy")'))


def run(copy: Path, code: str, *words: str) -> str:
    """Carry out code in the copy, with a cache of its own; return what it prints."""
    return printed(code, *words, folder=copy, LDP_CACHE_DIR=str(copy.parent / "cache"), PYTHONPATH=str(copy))


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
    return json.loads(run(copy, COMMANDS, json.dumps([line.split() for line in lines])))


def block(name: str) -> dict[str, str]:
    """Return a toy's block of words."""
    (lines,) = re.findall(rf"\[\w+\.{name}\]\n((?:.+\n)+)", dedent(WORDS))
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
    assert all(toy in out for toy in TOYS.values())
    report = json.loads((copy / "r.json").read_text())
    assert all(report["config"][name.removeprefix("--")] == toy for name, toy in TOYS.items())
    assert report["summary"]["theory"]["delta"] == 1e-3
    document = (copy / "r.html").read_text()
    assert block("toy-attack")["chart"] in document
    assert all(block(toy)["title"] in document for toy in ("toy-mechanism", "toy-rule"))
    assert block("toy-data")["chart"] in document
    assert "toy-attack" in again
    assert block("toy-attack")["strength"] in " ".join(help_text.split())
    assert all(toy in re.sub(r"-\s+", "-", help_text) for toy in TOYS.values())


def test_one_more_study_on_the_command_line_and_in_a_document(copy: Path) -> None:
    toss = "toss --coins 12 --seed 3 --json t.json --html t.html"
    out, again, help_text = commands(copy, toss, "show t.json --html s.html", "--help")
    found = json.loads((copy / "t.json").read_text())
    assert found["schema"] == "toy/1"
    assert "python -m ldp_core toss --coins 12 --seed 3" in out
    for told in (out, again, (copy / "t.html").read_text(), (copy / "s.html").read_text()):
        assert f"{found['heads']} heads fell in this run." in told
    assert "toss some coins" in help_text


@pytest.mark.nightly
def test_one_more_study_and_one_more_language_on_the_page(copy: Path) -> None:
    found = json.loads(run(copy, STUDY_PAGE.replace("__PATIENCE__", repr(PATIENCE))))
    assert set(found) == set(TOLD)
    for language, (title, ran, told) in TOLD.items():
        seen = found[language]
        assert title in seen["page"]
        assert title in seen["links"], "the menu names it"
        assert set(NAMES.values()) & set(seen["links"]) == set(NAMES.values()) - {NAMES[language]}
        assert told.format(heads=seen["heads"]) in seen["page"]
        assert told.format(heads=seen["heads"]) in seen["document"]
        assert ran.format(coins=12) in seen["document"]
    chosen = "\n".join(found["en"]["chosen"])
    assert all(block(toy)["title"] in chosen for toy in TOYS.values())
