"""The page a client takes away, and a saved result that is opened again: whole, harmless, and believed no further."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core import record, reports, results
from ldp_core.checking import claims
from ldp_core.game.summary import expected_identification, summarize
from ldp_core.presentation.documents.context import WORDS
from ldp_core.studies.compare import exports
from ldp_core.studies.trajectory import result as trajectory
from ldp_core.studies.utility import result as utility_results
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts
from tests.cli.commands import Refused, Run
from tests.helpers.claimed import KEPT, OPEN, checked
from tests.helpers.comparisons import comparison

PNG = b"\x89PNG\r\n\x1a\nnot really"


def audit(counts: tuple[int, int, int, int] = (731, 269, 270, 730), **options: Any) -> AuditResult:
    given: dict[str, Any] = {"attack": "label-flip", "epsilon": 1.0, "bound": "pooled", "seed": 5, "num_trials": 2_000}
    config = AuditConfig(**(given | {"num_measurements": 1} | options))
    pair = PairGeometry(150.0, 0.9, 1.2, "an image with its label, and with another")
    measurement = MeasurementResult(pair, TrialCounts(*counts), expected_identification(config, pair))
    completed = sum(counts) == config.num_trials * config.num_measurements
    return AuditResult(config, (measurement,), completed, 1.25, "cpu", {"python": "3.11.7", "torch": "2.13.0"})


def utility() -> utility_results.UtilityResult:
    config = utility_results.UtilityConfig((0.5, 4.0), 7, clients=30, rounds=2)
    shares = {None: (0.1, 0.5, 0.875), 0.5: (0.1, 0.125, 0.25), 4.0: (0.1, 0.375, 0.75)}
    curves = tuple(utility_results.UtilityCurve(epsilon, (shares[epsilon],)) for epsilon in (None, *config.epsilons))
    return utility_results.UtilityResult(config, curves, True, 2.5, {"python": "3.11.7"})


def path() -> trajectory.TrainingPathResult:
    config = trajectory.TrainingPathConfig(("benign", "dummy"), 7, passes=(0, 2), num_measurements=2)
    levels = tuple(
        trajectory.TrainingLevel(
            passes,
            0.1 + passes / 10,
            {
                name: tuple(PairGeometry(60.0 + 20 * passes + number, 0.5, 0.7, "two images") for number in (0, 1))
                for name in config.attacks
            },
            dict.fromkeys(config.attacks, 0),
        )
        for passes in config.passes
    )
    return trajectory.TrainingPathResult(config, levels, None, True, 0.5, {"python": "3.11.7"})


def small_comparison() -> Any:
    return comparison(
        attacks=("benign", "dummy"), tests=("white", "black"), epsilons=(1.0, 4.0), curves=True, num_trials=400,
        num_measurements=2, datasets=("mnist", "digits"), clients=(1, 2),
    )  # fmt: skip


WRITERS: dict[str, tuple[Callable[[], Any], Callable[[Any], str]]] = {
    "audit": (audit, reports.to_json),
    "compare": (small_comparison, lambda result: exports.to_json(result, ("benign: a pair of two zero gradients",))),
    "utility": (utility, record.to_json),
    "path": (path, record.to_json),
    "check": (lambda: checked(0.9, KEPT, OPEN), claims.to_json),
}


@pytest.fixture(scope="module", params=WRITERS)
def made(request: pytest.FixtureRequest) -> tuple[str, Any, str]:
    """Return the kind of a result, the result, and its page."""
    result = WRITERS[request.param][0]()
    return request.param, result, page_of(result)


class Page(HTMLParser):
    """Collects tags with their attributes, complains about tags that are not closed, and keeps the visible text."""

    VOID = ("meta", "img", "br")

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(document)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data

    def named(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]


def reaches_out(document: str) -> list[str]:
    """Return what a browser could run, fetch or show that is not letters and lines."""
    page, found = Page(document), []
    for tag, attributes in page.tags:
        if tag in ("script", "iframe", "object", "embed", "link", "base", "form", "image", "foreignobject", "a"):
            found.append(tag)
        for name, value in attributes.items():
            if name.startswith("on") or (name == "http-equiv" and value != "Content-Security-Policy"):
                found.append(f"{tag} {name}")
            if re.search(r"https?:|javascript:|//", value, re.IGNORECASE) and name != "aria-label":
                found.append(f"{tag} {name}={value}")
            if name in ("src", "href", "xlink:href") and not value.startswith("#"):
                found.append(f"{tag} {name}={value[:10]}")
            if "url(" in value and "url(#" not in value:
                found.append(f"{tag} {name}={value}")
    style = "".join(re.findall(r"<style>(.*?)</style>", document, re.DOTALL))
    return found + re.findall(r"url\(|@import|https?:", style)


def page_of(result: Any, **more: Any) -> str:
    return results.html(result, ["What was found."], **more)


def told_in_one_line(error: results.UnreadableError) -> None:
    assert len(str(error)) <= 300
    assert str(error).isprintable()


def leaves(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to everything that a report holds."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way] * bool(way) + [inner for name, part in parts for inner in leaves(part, (*way, name))]


@pytest.mark.few(3)
def test_the_page_is_whole_and_reaches_for_nothing(made: tuple[str, Any, str]) -> None:
    kind, result, document = made
    page = Page(document)
    assert reaches_out(document) == []
    assert "data:" not in re.sub(r"<meta[^>]*>", "", document)
    policy = next(tag["content"] for tag in page.named("meta") if "http-equiv" in tag)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    for name in ("limits", "assumed", "repeat", "a_seed", "a_versions", "inside_none"):
        assert WORDS[name] in page.text
    assert "`" not in page.text
    assert not result.completed or WORDS["completed_no"] not in page.text, "also not of a setting that is off"
    charts = page.named("svg")
    assert charts
    assert all(chart["role"] == "img" and len(chart["aria-label"]) > 20 for chart in charts)
    ids = re.findall(r'\bid="([^"]+)"', document)
    assert len(ids) == len(set(ids)) > 0
    assert set(re.findall(r'href="#([^"]+)"', document)) | set(re.findall(r"url\(#([^)]+)\)", document)) <= set(ids)
    assert kind == "compare" or document == page_of(result), "the charts of that one are drawn again below"


def test_the_check_sees_what_reaches_out() -> None:
    head, tail = "<html><body>", "</body></html>"
    for liar in (
        "<script></script>", '<img src="data:image/png;base64,AA">', '<img src="http://a.test/x.png">',
        '<p onclick="x()"></p>', '<a href="https://a.test">x</a>', "<style>@import 'x';</style>",
        '<p style="background: url(http://a.test)"></p>', '<svg><use xlink:href="//a.test#x"></use></svg>',
    ):  # fmt: skip
        assert reaches_out(head + liar + tail) != [], liar
    assert reaches_out(f'{head}<svg><use xlink:href="#a"/></svg><p>http://plain.test</p>{tail}') == []


def test_the_page_s_numbers_are_the_result_s() -> None:
    result, text = audit(), Page(page_of(audit())).text
    summary = summarize(result)
    share = summary.identification
    shown = f"about {100 * share.point:.2f} (range {100 * share.lower:.2f} to {100 * share.upper:.2f})"
    assert shown in text
    assert shown not in Page(page_of(audit((752, 248, 250, 750)))).text
    for number in ("731", "269", "270", "730", "73", f"{100 * (summary.expected_identification or 0):.2f}"):
        assert number in text
    stated = float(re.search(rf"{WORDS['lower']}(\d+\.\d+)", text).group(1))  # type: ignore[union-attr]
    assert stated <= summary.epsilon.lower < stated + 0.001
    assert record.command(result.config) in text
    assert "87.5" in Page(results.html(utility())).text
    assert "from 10 to 30 of 100 labels right" in Page(results.html(path())).text


def test_images_are_in_the_page_only_if_they_are_handed_over() -> None:
    result = audit()
    bare, with_images = page_of(result), page_of(result, images=[(PNG, PNG)])
    encoded = "iVBORw0KGgpub3QgcmVhbGx5"
    assert encoded not in bare
    assert with_images.count(f"data:image/png;base64,{encoded}") == 2
    assert WORDS["inside_none"] not in with_images
    own = page_of(replace(result, config=replace(result.config, dataset="own")), images=[(PNG, PNG)])
    assert WORDS["inside_own"] in own


def test_words_from_a_result_are_letters_and_no_more() -> None:
    hostile = '<img src=x onerror="alert(1)"> **bold** ![x](http://a.test/y.png)'
    result = replace(audit(), versions={"python": hostile})
    document = results.html(result, [hostile], notes=[hostile])
    assert reaches_out(document) == []
    assert hostile in Page(document).text
    document = results.html(comparison(attacks=("dummy",), epsilons=(1.0,)), [hostile], notes=[hostile])
    assert reaches_out(document) == []
    clause = claims.Clause("shape-and-type", False, "broken", {"problem": hostile})
    document = results.html(checked(0.9, clause, subject=hostile))
    assert reaches_out(document) == []
    assert Page(document).text.count(hostile) == 3


def changed(kind: str, change: Callable[[Any], Any]) -> bytes:
    report = json.loads(WRITERS[kind][1](WRITERS[kind][0]()))
    change(report)
    return json.dumps(report).encode()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("audit", lambda r: r["measurements"][0]["counts"].update(first_as_first=732, first_as_second=268)),
        ("audit", lambda r: r["versions"].update(python="x" * 5_000)),
        ("audit", lambda r: r.update(device="\x1b[31mcpu")),
        ("compare", lambda r: r["config"].update(epsilons=[0.01 + n / 1e5 for n in range(30_000)])),
        ("compare", lambda r: r["rows"].append(r["rows"][0])),
        ("compare", lambda r: next(row["curve"] for row in r["rows"] if row["curve"])["false_negatives"].pop()),
        ("check", lambda r: r["looks"][0]["counts"].update(first_as_first=1)),
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_is_refused(kind: str, change: Callable[[Any], Any]) -> None:
    with pytest.raises(results.UnreadableError) as error:
        results.read(changed(kind, change))
    assert error.value.reason == "content"
    told_in_one_line(error.value)


@given(st.binary(max_size=40) | st.sampled_from([b"[" * 100_000, b'{"schema": NaN}', b'{"schema": "ldp-audit/1"}']))
def test_what_is_no_saved_result_at_all_is_refused_in_one_line(content: bytes) -> None:
    with pytest.raises(results.UnreadableError) as error:
        results.read(content)
    told_in_one_line(error.value)


def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    with pytest.raises(results.UnreadableError) as error:
        results.read(b" " * (results.MOST_BYTES + 1))
    assert error.value.reason == "large"


def test_what_the_client_states_stands_in_the_document_as_letters(tmp_path: Path, run: Run, refused: Refused) -> None:
    saved, document = tmp_path / "saved.json", tmp_path / "page.html"
    saved.write_text(reports.to_json(audit()))
    words = ["show", str(saved), "--stated", "ACME <script>app</script> 2.1, 3 May"]
    assert run(*words, "--html", document)[0] == 0
    assert "not measured: ACME &lt;script&gt;app&lt;/script&gt; 2.1, 3 May" in document.read_text()
    assert "Stated by" not in results.html(audit())
    code, _, err = run(*words)
    assert (code, "--html" in err) == (2, True)
    assert refused(*words[:-1], "x" * 301, "--html", document)
