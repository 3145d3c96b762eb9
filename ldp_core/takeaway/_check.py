"""The report of a check of somebody else's mechanism."""

import math

from ldp_core import claims
from ldp_core.claims import CheckResult, look_lower, plan_of
from ldp_core.figures import inline
from ldp_core.takeaway import _page
from ldp_core.takeaway._context import Context, count, exact, floor
from ldp_core.types import CLAIM_REJECTED

_COUNTS = ("first_as_first", "first_as_second", "second_as_first", "second_as_second")
_ANSWERS = {True: "clause_kept", False: "clause_broken", None: "clause_unasked"}


def parts(result: CheckResult, context: Context) -> list[str]:
    """Return the sections that follow the verdict."""
    config, words = result.config, context.words
    run = words["run_check"].format(
        reports=count(result.reports_used),
        most=count(config.reports),
        epsilon=exact(config.epsilon),
        delta=exact(config.delta),
    )
    stopped = "" if result.completed else words["stopped_check"]
    return [
        _page.section(words["run"], _page.paragraph(run), _page.paragraph(stopped)),
        _page.section(words["numbers"], _page.facts(_numbers(result, context))),
        _exam(result, context),
        _page.section(words["charts"], _charts(result, context)),
        context.limits("limits_check"),
        _looks(result, context),
        _assumed(result, context),
        _repeat(result, context),
    ]


def _numbers(result: CheckResult, context: Context) -> list[tuple[str, str]]:
    words, config, found = context.words, result.config, claims.detectable_epsilon(result)
    rows = [
        (words["a_subject"], config.subject),
        (words["claimed_check"], exact(config.epsilon)),
        (words["delta_check"], exact(config.delta)),
        (words["lower"], floor(result.epsilon_lower)),
        (words["would_catch"], words["unknown"] if found is None else f"{math.ceil(1_000 * found) / 1_000:.3f}"),
        (words["reports_used"], count(result.reports_used)),
        (words["looks"], count(len(result.looks))),
    ]
    if result.verdict == CLAIM_REJECTED and result.strongest is not None:
        names = _names(context, result.strongest.pair, result.strongest.rule)
        rows.append((words["rejected_by"], words["shown_by"].format(pair=names[0], rule=names[1])))
    return rows


def _exam(result: CheckResult, context: Context) -> str:
    words, rows = context.words, []
    for clause in result.clauses:
        asked = claims.CLAUSES[clause.name]
        title = words.get(f"clause_{clause.name}", asked.title)
        found = words.get(f"finding_{clause.name}_{clause.finding}", asked.findings[clause.finding])
        rows.append((title, f"{words[_ANSWERS[clause.passed]]}: {found.format(**clause.values)}"))
    return _page.section(words["exam"], _page.paragraph(words["exam_text"]), _page.facts(rows)) if rows else ""


def _charts(result: CheckResult, context: Context) -> str:
    words, confidence = context.words, exact(100 * (1 - result.config.significance))
    return _page.charts(
        [
            _page.figure(words["chart_check"], chart.svg, words["note_check"].format(confidence=confidence))
            for chart in inline.check_charts(result, context.chart_words)
        ]
    )


def _looks(result: CheckResult, context: Context) -> str:
    words = context.words
    head = [words[name] for name in ("pair", "rule", "learned_from", *_COUNTS, "at_least")]
    rows = [
        [
            *_names(context, look.pair, look.rule),
            count(look.trained_on) if look.trained_on else "–",
            *(count(getattr(look.counts, name)) for name in _COUNTS),
            floor(look_lower(result.config, look)),
        ]
        for look in result.looks
    ]
    return context.table_section("counts", words["looks_note"], head, rows)


def _assumed(result: CheckResult, context: Context) -> str:
    config, plan, words = result.config, plan_of(result.config), context.words
    rows = [
        (words["a_subject"], config.subject),
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_delta"], exact(config.delta)),
        (words["a_prior"], words["prior_coin"]),
        (words["a_confidence"], f"{exact(100 * (1 - config.significance))} %"),
        (words["a_corrected"], f"{plan.look_significance:.3g}"),
        (words["a_bound"], words["bound_own"]),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_clip_order"], words[f"order_{config.clip_order}"]),
        (words["a_dimension"], count(config.dimension)),
        (words["a_reports"], count(config.reports)),
        (words["a_sample"], count(plan.sample)),
        (words["a_pair_reports"], count(plan.trials)),
        (words["a_scale"], words["unstated"] if config.scale is None else exact(config.scale)),
        (words["a_report_norm"], words["unstated"] if config.report_norm is None else exact(config.report_norm)),
        (words["a_randomness"], words["randomness_ours" if result.seeded else "randomness_own"]),
    ]
    return context.assumed(
        rows, seed=config.seed, completed=result.completed, seconds=result.seconds, device=None,
        versions=result.versions,
    )  # fmt: skip


def _repeat(result: CheckResult, context: Context) -> str:
    words = context.words
    return _page.section(
        words["repeat"],
        _page.paragraph(words["repeat_check"]),
        _page.command(claims.command(result.config)),
        _page.paragraph(words["repeat_seeded" if result.seeded else "repeat_own"]),
    )


def _names(context: Context, pair: str, rule: str) -> tuple[str, str]:
    return context.chart_words[f"pair_{pair}"], context.chart_words[f"rule_{rule}"]
