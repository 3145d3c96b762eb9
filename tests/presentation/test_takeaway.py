"""The page a client takes away, and a saved result that is opened again: whole, harmless, and believed no further."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ldp_core import reports, results
from ldp_core.adversaries import ATTACKS
from ldp_core.checking import claims
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import expected_identification, summarize
from ldp_core.mechanisms import MECHANISMS
from ldp_core.presentation.documents.words import WORDS
from ldp_core.presentation.figures import ENGLISH, inline, pair_name
from ldp_core.studies.compare import exports
from ldp_core.studies.trajectory import result as trajectory
from ldp_core.studies.utility import result as utility_results
from ldp_core.types import (
    BOUNDS,
    SAMPLINGS,
    TRAININGS,
    AuditConfig,
    AuditResult,
    MeasurementResult,
    PairGeometry,
    TrialCounts,
)  # fmt: skip
from ldp_core.words.plurals import Plural
from tests.helpers.claimed import BROKEN, KEPT, OPEN, checked, first_checked, measured
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
    curves = tuple(utility_results.UtilityCurve(epsilon, shares[epsilon]) for epsilon in (None, *config.epsilons))
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
    "utility": (utility, utility_results.to_json),
    "path": (path, trajectory.to_json),
    "check": (lambda: checked(0.9, KEPT, OPEN), claims.to_json),
    "check of the first version": (lambda: first_checked(0.9, KEPT, OPEN), claims.to_json),
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


def test_the_page_is_whole_and_reaches_for_nothing(made: tuple[str, Any, str]) -> None:
    kind, result, document = made
    page = Page(document)
    assert reaches_out(document) == []
    assert "data:" not in re.sub(r"<meta[^>]*>", "", document)
    assert page.named("html") == [{"lang": "en"}]
    policy = next(tag["content"] for tag in page.named("meta") if "http-equiv" in tag)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert (
        page.text.index(WORDS[f"title_{kind.split()[0]}"])
        < page.text.index("What was found.")
        < page.text.index(WORDS["run"])
    )
    for name in ("limits", "assumed", "repeat", "a_seed", "a_versions", "inside_none"):
        assert WORDS[name] in page.text
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


def test_no_two_ids_are_equal_and_every_reference_is_met(made: tuple[str, Any, str]) -> None:
    document = made[2]
    ids = re.findall(r'\bid="([^"]+)"', document)
    assert len(ids) == len(set(ids)) > 0
    assert set(re.findall(r'href="#([^"]+)"', document)) | set(re.findall(r"url\(#([^)]+)\)", document)) <= set(ids)


def test_every_chart_says_what_it_shows(made: tuple[str, Any, str]) -> None:
    charts = Page(made[2]).named("svg")
    assert charts
    assert all(chart["role"] == "img" and len(chart["aria-label"]) > 20 for chart in charts)


def test_the_page_s_numbers_are_the_result_s() -> None:
    result, text = audit(), Page(page_of(audit())).text
    summary = summarize(result)
    share = summary.identification
    assert share is not None
    shown = f"about {100 * share.point:.1f} (range {100 * share.lower:.1f} to {100 * share.upper:.1f})"
    assert shown in text
    assert shown not in Page(page_of(audit((752, 248, 250, 750)))).text
    for number in ("731", "269", "270", "730", "73", f"{100 * (summary.expected_identification or 0):.2f}"):
        assert number in text
    stated = float(re.search(rf"{WORDS['lower']}(\d+\.\d+)", text).group(1))  # type: ignore[union-attr]
    assert stated <= summary.epsilon.lower < stated + 0.001
    assert reports.command(result.config) in text
    for assumed in (WORDS["delta_zero"], WORDS["prior_coin"], "95 %", WORDS["bound_pooled"], "torch 2.13.0", "cpu"):
        assert assumed in text


def test_a_comparison_s_table_has_every_cell_and_marks_the_broken_ones() -> None:
    result = comparison(attacks=("dummy",), epsilons=(1.0, 4.0), mechanism="overclaiming", num_trials=2_000)
    honest = Page(page_of(small_comparison())).text
    assert honest.count("report, cosine") == 2 * 2 * 2
    assert not re.search(r"broken\d", honest)
    counts = TrialCounts(900, 100, 100, 900)
    cells = [
        replace(cell, measurements=tuple(replace(item, counts=counts) for item in cell.measurements))
        if cell.config.epsilon == 1.0
        else cell
        for cell in result.cells
    ]
    wrong = replace(result, cells=tuple(cells))
    rejected = exports.rejected_cells(wrong)
    assert [cell.config.epsilon for cell, _ in rejected] == [1.0]
    assert len(re.findall(r"broken\d", Page(page_of(wrong)).text)) == 1


def test_studies_speak_for_themselves() -> None:
    told = Page(results.html(utility())).text
    assert "87.5" in told
    assert "1" in told
    assert "from 10 to 30 of 100 labels right" in Page(results.html(path())).text


def test_a_check_s_page_has_its_verdict_its_exam_and_all_its_counts() -> None:
    result = checked(1.4, KEPT, BROKEN, OPEN, pair="near-equal", delta=1e-5, own_pairs=2, inputs_digest="5" * 64)
    document = results.html(result)
    text = Page(document).text
    assert claims.verdict_sentence(result) in text
    for clause, answer in ((KEPT, "no fault found"), (BROKEN, "FAULT FOUND"), (OPEN, "not answered")):
        assert f"{claims.CLAUSES[clause.name].title}{answer}: {clause.sentence}" in text
    for look in result.looks:
        counts = look.counts
        numbers = (counts.first_as_first, counts.first_as_second, counts.second_as_first, counts.second_as_second)
        cells = [str(look.round), f"{look.trained_on:,}", *(f"{number:,}" for number in (*numbers, look.silent))]
        assert "".join(f"<td>{cell}</td>" for cell in cells) in document
    looks, tried = document.split(WORDS["tried"])
    assert looks.count('<th scope="row">nearly equal</th>') == sum(look.pair == "near-equal" for look in result.looks)
    for pair in result.pairs:
        facts = f"{pair.angle_degrees:.0f}° apart, {pair.reports:,} reports"
        assert f'<th scope="row">{pair_name(ENGLISH, pair.name)}</th>' in tried
        assert facts in tried
        assert pair.name not in claims.PAIRS or f"{claims.PAIRS[pair.name]}. Lengths" in tried
    for stated in ("a pair of your own. Lengths 0.4 L", "“dummy and opposite”, changed a little in this check"):
        assert stated in tried
    for assumed in (
        *("vendor.sdk:Randomizer", "1e-05", "95 %", claims.command(result.config), WORDS["repeat_seeded"]),
        *("5" * 64, WORDS["adaptive_yes"], f"{claims.plan_of(result.config).trials:,}", WORDS["joint_bound"]),
    ):
        assert assumed in text
    stated = float(re.search(rf"{WORDS['lower']}(\d+\.\d+)", text).group(1))  # type: ignore[union-attr]
    assert stated <= result.epsilon_lower < stated + 0.001
    assert WORDS["power"] not in text


def test_a_check_s_page_says_what_it_would_have_caught_only_if_it_came_to_its_end() -> None:
    result = checked(0.9, measured(8), dimension=8)
    found, (epsilon, needed) = claims.detectable_epsilons(result), claims.needed_reports(result)
    document = results.html(result)
    assert WORDS["needed"].format(epsilon=f"{epsilon:g}") in document
    for kind in claims.LEAKS:
        least, reports = found[kind], needed[kind]
        assert least is not None
        row = f"<td>{math.ceil(1_000 * least) / 1_000:.3f}</td><td>{reports:,}</td>"
        assert f'<th scope="row">{WORDS[f"kind_{kind}"]}</th>{row}' in document
    other = results.html(checked(0.9, measured(9), dimension=8))  # reports that are no inputs: known for one kind
    assert f"<td>{WORDS['beyond']}</td><td>{WORDS['unknown']}</td>" in other
    stopped = Page(results.html(replace(result, completed=False))).text
    assert WORDS["power_stopped"] in stopped
    assert WORDS["stopped_check"] in stopped
    assert WORDS["kind_side"] not in stopped
    assert WORDS["repeat_own"] in Page(results.html(replace(result, seeded=False))).text
    empty = results.html(replace(result, looks=(), pairs=(), clauses=(), completed=False, reports_used=0))
    assert "<svg" not in empty
    assert WORDS["exam_text"] not in empty
    assert WORDS["tried"] not in empty


def test_a_check_of_the_first_version_has_its_page_and_says_that_it_is_one() -> None:
    result = first_checked(0.9, KEPT)
    document = results.html(results.read(claims.to_json(result).encode()).result)
    text = Page(document).text
    assert WORDS["power_first"] in text
    assert WORDS["looks_note_first"] in text
    assert WORDS["tried"] not in text
    assert WORDS["bound_own"] in text
    assert document.count("<td>–</td>") >= 2 * len(result.looks)
    assert f"{claims.first_plan(result.config).look_significance:.3g}" in text
    by_files = results.html(checked(0.9, KEPT, adaptive=False, pair_set=1))
    assert WORDS["adaptive_no"] in by_files


def test_images_are_in_the_page_only_if_they_are_handed_over() -> None:
    result = audit()
    bare, with_images = page_of(result), page_of(result, images=[(PNG, PNG)])
    encoded = "iVBORw0KGgpub3QgcmVhbGx5"
    assert encoded not in bare
    assert with_images.count(f"data:image/png;base64,{encoded}") == 2
    assert WORDS["inside_none"] not in with_images
    assert WORDS["inside_data"].format(dataset="digits") in with_images
    own = page_of(replace(result, config=replace(result.config, dataset="own")), images=[(PNG, PNG)])
    assert WORDS["inside_own"] in own


def _foreign(text: Any) -> Any:
    """Write every word in other letters; what stands in braces or in angle brackets stays."""
    if isinstance(text, Plural):
        return replace(text, forms=tuple(_foreign(form) for form in text.forms))
    return re.sub(r"(\{(?:[^{}]|\{[^}]*\})*\}|<[^>]*>)|[A-Za-z]+", lambda found: found[1] or "語", text)


def test_another_language_replaces_every_word() -> None:
    words, charts = ({name: _foreign(text) for name, text in mapping.items()} for mapping in (WORDS, ENGLISH))
    check = checked(1.4, KEPT, BROKEN, OPEN, subject="件")
    for clause in check.clauses:
        words |= {f"clause_{clause.name}": "問", f"finding_{clause.name}_{clause.finding}": "答"}
    words |= {f"pair_text_{name}": "対" for name in claims.PAIRS}
    for result in (audit(), audit(distinguisher="loss-fall", clients=2), small_comparison(), utility(), path(), check):
        document = results.html(result, ["文"], words=words, chart_words=charts, language="ja")
        text = Page(re.sub(r"<pre>.*?</pre>|[0-9a-f]{64}", "", document)).text
        left = set(re.findall(r"[A-Za-z]{4,}", text)) - {"python", "torch", "cosine", "loss", "change", "fall", "sign"}
        assert left <= {"inversion", "update"}, left
        assert '<html lang="ja">' in document


def test_every_word_is_used_and_every_name_has_one() -> None:
    core = Path(results.__file__).parent
    source = "".join(
        file.read_text() for file in (*core.glob("presentation/documents/[!w]*.py"), *core.glob("studies/*/*.py"))
    )
    source += (Path(results.__file__)).read_text()
    made = {re.sub(r"\{[^}]*\}", "[^_]+", name) for name in re.findall(r'f"([a-z]\w*_\{[^" ]*)"', source)}
    made |= {
        f"{begin}_.+"
        for begin in ("title", "about", "bound", "claim", "trust_feldman", "chart_capacity", "recon_knows")
    }
    """What is asked for by names that are put together; those of several words with an underscore stand here."""

    def used(name: str) -> bool:
        return f'"{name}"' in source or any(re.fullmatch(pattern, name) for pattern in made)

    assert [name for name in WORDS if not used(name)] == []
    assert not any(used(name) for name in ("plane_of_nothing", "detect_head_of_nothing", "nothing_at_all"))
    for family, names in (
        ("rule_", (*DISTINGUISHERS, "paper")), ("mechanism_", MECHANISMS), ("training_", TRAININGS),
        ("bound_", (*BOUNDS, "own")), ("sampling_", SAMPLINGS),
    ):  # fmt: skip
        assert {name for name in WORDS if name.startswith(family)} == {f"{family}{name}" for name in names}
    assert all(f"data_{name}" in ENGLISH for name in DATASETS)
    assert all(f"name_{name}" in ENGLISH for name in ATTACKS)
    for chart in inline.compare_charts(small_comparison(), 1.0):
        assert f"chart_{chart.name}" in WORDS
        assert f"note_{chart.name.partition('-')[0]}" in WORDS


def test_no_word_promises_too_much() -> None:
    whole = " ".join(form for text in WORDS.values() for form in (text.forms if isinstance(text, Plural) else [text]))
    whole = whole.lower()
    for word in ("safe", "secure", "anonymous", "guarantee", "verified", "lies", "fakes", "corrupt", "100 of 100"):
        assert not re.search(rf"\b{word}", whole), word


def test_words_from_a_result_are_letters_and_no_more() -> None:
    hostile = '<img src=x onerror="alert(1)"> **bold** ![x](http://a.test/y.png)'
    result = replace(audit(), versions={"python": hostile})
    document = results.html(result, [hostile], notes=[hostile])
    assert reaches_out(document) == []
    assert hostile in Page(document).text
    document = results.html(small_comparison(), [hostile], notes=[hostile])
    assert reaches_out(document) == []
    clause = claims.Clause("shape-and-type", False, "broken", {"problem": hostile})
    document = results.html(checked(0.9, clause, subject=hostile))
    assert reaches_out(document) == []
    assert Page(document).text.count(hostile) == 3


# Opened again.


def test_what_is_opened_is_what_was_saved(made: tuple[str, Any, str]) -> None:
    kind, result, page = made
    text = WRITERS[kind][1](result)
    found = results.read(text.encode())
    assert found.kind == kind.split()[0]
    write = WRITERS[kind][1] if kind != "compare" else lambda again: exports.to_json(again, found.notes)
    assert write(found.result) == text
    document = results.html(found.result, ["What was found."], notes=found.notes, opened=True)
    assert WORDS["opened"] in document
    assert re.findall(r"<svg.*?</svg>", document, re.DOTALL) == re.findall(r"<svg.*?</svg>", page, re.DOTALL)


def changed(kind: str, change: Callable[[Any], Any]) -> bytes:
    report = json.loads(WRITERS[kind][1](WRITERS[kind][0]()))
    change(report)
    return json.dumps(report).encode()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("audit", lambda r: r["measurements"][0]["counts"].update(first_as_first=732, first_as_second=268)),
        ("audit", lambda r: r["measurements"][0]["counts"].update(first_as_first=-1)),
        ("audit", lambda r: r["measurements"][0]["counts"].update(first_as_first=10**400)),
        ("audit", lambda r: r["measurements"][0].update(expected_identification=0.731)),
        ("audit", lambda r: r.update(completed=False)),
        ("audit", lambda r: r["config"].update(attack="x" * 50)),
        ("audit", lambda r: r["config"].update(dataset="nowhere")),
        ("audit", lambda r: r["config"].update(mechanism="honest")),
        ("audit", lambda r: r["config"].update(epsilon="<b>")),
        ("audit", lambda r: r["versions"].update(python="x" * 5_000)),
        ("audit", lambda r: r["versions"].update(python={"a": 1})),
        ("audit", lambda r: r.update(device="\x1b[31mcpu")),
        ("audit", lambda r: r.pop("summary")),
        ("compare", lambda r: r["config"].update(epsilons=[0.01 + n / 1e5 for n in range(30_000)])),
        ("compare", lambda r: r["config"].update(datasets=["digits", "nowhere"])),
        ("compare", lambda r: r["rows"][0].update(first_as_first=r["rows"][0]["first_as_first"] + 1)),
        ("compare", lambda r: r["rows"].append(r["rows"][0])),
        ("compare", lambda r: r["rows"].pop()),
        ("compare", lambda r: r["cells"].pop()),
        ("compare", lambda r: r.update(notes="x")),
        ("compare", lambda r: r.update(notes=["x" * 5_000])),
        ("compare", lambda r: r.update(completed=False)),
        ("compare", lambda r: next(row["curve"] for row in r["rows"] if row["curve"])["false_negatives"].pop()),
        ("utility", lambda r: r["config"].update(dataset="nowhere")),
        ("utility", lambda r: r["curves"][0].update(accuracy=[0.1, 0.2])),
        ("utility", lambda r: r["config"].update(surprise=1)),
        ("path", lambda r: r["levels"][0]["pairs"].pop("benign")),
        ("path", lambda r: r["config"].update(attacks=["benign", "unheard-of"])),
        ("check", lambda r: r.update(claimed_epsilon=2.0)),
        ("check", lambda r: r["looks"][0]["counts"].update(first_as_first=1)),
        ("check", lambda r: r["clauses"][0].update(passed=False)),
        ("check", lambda r: r["config"].update(subject="x" * 5_000)),
    ],
)  # fmt: skip
def test_a_file_that_contradicts_itself_is_refused(kind: str, change: Callable[[Any], Any]) -> None:
    with pytest.raises(results.UnreadableError) as error:
        results.read(changed(kind, change))
    assert error.value.reason == "content"
    assert len(str(error.value)) <= 300
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "json"), (b"\xff\xfe\xff", "json"), (b"[" * 100_000, "json"), (b'{"schema": NaN}', "json"),
        (b"9" * 10_000, "json"), (b"[]", "schema"), (b'"ldp-audit/1"', "schema"), (b'{"schema": {}}', "schema"),
        (b'{"schema": "ldp-audit/2"}', "schema"), (b'{"schema": "ldp-audit/1"}', "content"),
        (b'{"schema": "ldp-compare/1", "config": 3}', "content"), (b" " * (results.MOST_BYTES + 1), "large"),
    ],
)  # fmt: skip
def test_no_saved_result_at_all(content: bytes, reason: str) -> None:
    with pytest.raises(results.UnreadableError) as error:
        results.read(content)
    assert error.value.reason == reason


def test_an_unchanged_file_is_read_by_the_same_check() -> None:
    for kind in WRITERS:
        assert results.read(changed(kind, lambda report: None)).kind == kind.split()[0]


def test_a_verdict_that_was_edited_is_not_believed() -> None:
    content = changed("audit", lambda report: report.update(verdict="claim_rejected", state="above"))
    assert summarize(results.read(content).result).verdict == "claim_not_rejected"
