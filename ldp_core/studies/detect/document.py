"""The document of a run of detectors."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ldp_core.adversaries import ATTACKS
from ldp_core.detectors import DETECTORS
from ldp_core.game.summary import Interval
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.documents.words import WORDS
from ldp_core.presentation.report import count, exact
from ldp_core.studies.detect import result as detect
from ldp_core.studies.detect.chart import Tried, tried_alt, tried_chart
from ldp_core.studies.detect.result import ADAPTIVE, DetectResult

HONEST = "benign"
"""The attack whose updates are ordinary ones: what is refused of it is a false alarm."""


def finding(result: DetectResult, words: Mapping[str, str]) -> list[str]:
    """Return who was refused and who was not, and that epsilon stays what it is; none before an attack is done."""
    if not result.rows:
        return []
    adaptive = [row for row in result.rows if row.attack in ADAPTIVE]
    honest = [row for row in result.rows if row.attack == HONEST]
    plain = [row for row in result.rows if row.attack in ATTACKS and row.attack != HONEST]
    found = []
    if plain:
        pairs, passed = sum(row.pairs for row in plain), sum(row.passed for row in plain)
        found.append(words["detect_plain"].format(refused=count(pairs - passed), pairs=count(pairs)))
    if honest:
        pairs, passed = sum(row.pairs for row in honest), sum(row.passed for row in honest)
        found.append(words["detect_false"].format(refused=count(pairs - passed), pairs=count(pairs)))
    refused, updates = result.joint
    if updates:
        share = f"{100 * refused / updates:.0f}"
        found.append(words["detect_joint"].format(share=share, refused=count(refused), updates=count(updates)))
    if adaptive:
        pairs, passed = sum(row.pairs for row in adaptive), sum(row.passed for row in adaptive)
        found.append(words["detect_adaptive"].format(passed=count(passed), pairs=count(pairs)))
    rights = [(row, right) for row in result.rows if (right := row.right(result.config.significance)) is not None]
    if rights:
        row, right = max(rights, key=lambda one: one[1].point)
        found.append(
            words["detect_best"].format(
                attack=words[f"detect_{row.attack}"],
                right=f"{100 * right.point:.1f}",
                lower=f"{100 * right.lower:.1f}",
                upper=f"{100 * right.upper:.1f}",
                promise=f"{100 * result.promise:.1f}",
            )
        )
    return [*found, words["detect_hygiene"].format(epsilon=exact(result.config.epsilon))]


def setting(result: DetectResult, words: Mapping[str, str], dataset: str) -> str:
    """Return what was run, and how often each detector may err; ``dataset`` is the name to show."""
    config = result.config
    rate = f"{100 * config.false_alarm:g}"
    return words["run_detect"].format(pairs=count(config.pairs), passes=result.passes, rate=rate, dataset=dataset)


def tables(
    result: DetectResult, words: Mapping[str, str]
) -> tuple[list[str], list[list[str]], list[str], list[list[str]]]:
    """Return head and rows of what each detector refused of 100, and of what is left of each attack."""
    level = result.config.significance
    head = [words["detect_head_what"], *(words[f"detector_{name}"] for name in DETECTORS)]
    named = [(words["detect_honest"].format(passes=row.passes), row.refused) for row in result.honest]
    named += [(words[f"detect_{row.attack}"], row.refused) for row in result.rows]
    body = []
    for name, refused in named:
        shares = {one.detector: f"{100 * one.refused / one.looked:.0f}" for one in refused if one.looked}
        body.append([name, *(shares.get(detector, "–") for detector in DETECTORS)])
    left_head = [words[f"detect_head_{name}"] for name in ("attack", "refused", "right", "without")]
    left = []
    for row in result.rows:
        share, right, all_ = row.share_refused(level), row.right(level), row.unguarded
        left.append(
            [
                words[f"detect_{row.attack}"],
                "–" if share is None else words["detect_share"].format(
                    refused=row.pairs - row.passed, pairs=row.pairs,
                    lower=f"{100 * share.lower:.0f}", upper=f"{100 * share.upper:.0f}"),
                words["detect_nothing"] if right is None else words["trust_interval"].format(
                    point=f"{100 * right.point:.1f}", lower=f"{100 * right.lower:.1f}",
                    upper=f"{100 * right.upper:.1f}"),
                f"{100 * all_.num_right / all_.num_trials:.1f}" if all_.num_trials else "–",
            ]
        )  # fmt: skip
    return head, body, left_head, left


def tried(result: DetectResult, words: Mapping[str, str]) -> list[Tried]:
    """Return what became of each attack of which a pair could be made, with its name in the language of ``words``."""
    level, found = result.config.significance, []
    for row in result.rows:
        share, right = row.share_refused(level), row.right(level)
        if share is not None:
            kind = "honest" if row.attack == HONEST else "adaptive" if row.attack in ADAPTIVE else "plain"
            name, guessed = words[f"detect_{row.attack}"], None if right is None else _of_100(right)
            found.append(Tried(name, kind, row.pairs, row.pairs - row.passed, _of_100(share), guessed))
    return found


def _of_100(share: Interval) -> tuple[float, float, float]:
    return 100 * share.point, 100 * share.lower, 100 * share.upper


def save(result: DetectResult, folder: Path, words: Mapping[str, str]) -> list[Path]:
    """Save the figure for print; none before an attack is done."""
    from ldp_core.presentation.figures import ENGLISH, paper

    drawn = tried(result, WORDS)
    chart = partial(tried_chart, drawn, 100 * result.promise)
    return paper.save_chart(chart, folder, "detectors", words=words or ENGLISH) if drawn else []


def parts(result: DetectResult, context: Context) -> list[str]:
    """Return the sections that follow the finding."""
    from ldp_core.presentation.figures import inline

    config, words = result.config, context.words
    drawn, promise = tried(result, words), 100 * result.promise
    figures = []
    if drawn:
        alt = tried_alt(drawn, promise, context.chart_words)
        chart = inline.chart("detectors", partial(tried_chart, drawn, promise), alt, context.chart_words)
        figures.append(page.figure(words["chart_detect"], chart.svg, words["note_chart_detect"]))
    head, body, left_head, left = tables(result, words)
    run = setting(result, words, context.dataset(config.dataset))
    settings = [
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["detect_a_rate"], f"{100 * config.false_alarm:g}"),
        (words["detect_a_images"], count(config.images)),
        (words["a_measurements"], count(config.pairs)),
    ]
    stopped = "" if result.completed else words["stopped_study"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(figures)) if figures else "",
        context.table_section("detect_left", words["detect_left_note"], left_head, left),
        context.table_section("numbers", words["detect_note"], head, body),
        context.limits("limits_detect"),
        context.assumed(settings, result),
        context.repeat(detect.command(config), (config.dataset,)),
    ]  # fmt: skip
