"""The report of a check of somebody else's mechanism."""

from collections.abc import Mapping

from ldp_core.checking import claims
from ldp_core.checking.claims import CheckResult, PairFacts, first_plan, look_lower, plan_of
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context, floor
from ldp_core.presentation.figures import inline, pair_name
from ldp_core.presentation.report import count, exact
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from ldp_core.words import numbers

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
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["numbers"], context.facts(_numbers(result, context))),
        _exam(result, context),
        page.section(words["charts"], _charts(result, context)),
        _power(result, context),
        context.limits("limits_check"),
        _looks(result, context),
        _pairs(result, context),
        _assumed(result, context),
        _repeat(result, context),
    ]


def _numbers(result: CheckResult, context: Context) -> list[tuple[str, str]]:
    words, config = context.words, result.config
    rows = [
        (words["a_subject"], _subject(config.subject, words)),
        (words["claimed_check"], exact(config.epsilon)),
        (words["delta_check"], exact(config.delta)),
        (words["lower"], floor(result.epsilon_lower)),
        (words["reports_used"], count(result.reports_used)),
        (words["looks"], count(sum(look.trials > 0 for look in result.looks))),
    ]
    if result.verdict == CLAIM_REJECTED and result.strongest is not None:
        names = _names(context, result.strongest.pair, result.strongest.rule)
        rows.append((words["rejected_by"], words["shown_by"].format(pair=names[0], rule=names[1])))
    return rows


def _power(result: CheckResult, context: Context) -> str:
    """Return what a check that did not reject would have caught, and the reports that it takes to catch more."""
    words = context.words
    if result.verdict != CLAIM_NOT_REJECTED:
        return ""
    if result.version == 1 or not result.ended or claims.shows_inputs(result) is False:
        reason = words["power_first" if result.version == 1 else "power_unseen" if result.ended else "power_stopped"]
        return page.section(words["power"], page.paragraph(reason))
    epsilon, needed = claims.needed_reports(result)
    head = [words["kind"], words["caught_from"], words["needed"].format(epsilon=exact(epsilon))]
    rows = [
        [
            words[f"kind_{kind}"],
            words["beyond"] if found is None else numbers.ceiled(found, 3),
            words["unknown"] if needed[kind] is None else count(needed[kind] or 0),
        ]
        for kind, found in claims.detectable_epsilons(result).items()
    ]
    return context.table_section("power", words["power_text"], head, rows)


def _exam(result: CheckResult, context: Context) -> str:
    words, rows = context.words, []
    for clause in result.clauses:
        asked = claims.CLAUSES[clause.name]
        title = words.get(f"clause_{clause.name}", asked.title)
        found = words.get(f"finding_{clause.name}_{clause.finding}", asked.findings[clause.finding])
        rows.append((title, f"{words[_ANSWERS[clause.passed]]}: {found.format(**clause.values)}"))
    return page.section(words["exam"], page.paragraph(words["exam_text"]), context.facts(rows)) if rows else ""


def _charts(result: CheckResult, context: Context) -> str:
    words, confidence = context.words, exact(100 * (1 - result.config.significance))
    return page.charts(
        [
            page.figure(words["chart_check"], chart.svg, words["note_check"].format(confidence=confidence))
            for chart in inline.check_charts(result, context.chart_words)
        ]
    )


def _looks(result: CheckResult, context: Context) -> str:
    words, first = context.words, result.version == 1
    head = [words[name] for name in ("pair", "rule", "look_round", "learned_from", *_COUNTS, "silent", "at_least")]
    rows = [
        [
            *_names(context, look.pair, look.rule),
            "–" if first else str(max(1, look.round)),
            count(look.trained_on) if look.trained_on else "–",
            *(count(getattr(look.counts, name)) for name in _COUNTS),
            "–" if first else count(look.silent),
            floor(look_lower(result.config, look)),
        ]
        for look in result.looks
        if look.trials
    ]
    return context.table_section("counts", words["looks_note_first" if first else "looks_note"], head, rows)


def _pairs(result: CheckResult, context: Context) -> str:
    words = context.words
    rows = [
        (
            pair_name(context.chart_words, pair.name),
            words["pair_facts"].format(
                text=_pair_text(context, pair),
                first=f"{pair.first_length:.3g}",
                second=f"{pair.second_length:.3g}",
                angle=f"{pair.angle_degrees:.0f}",
                reports=count(pair.reports),
            ),
        )
        for pair in result.pairs
    ]
    return page.section(words["tried"], page.paragraph(words["tried_note"]), context.facts(rows)) if rows else ""


def _pair_text(context: Context, pair: PairFacts) -> str:
    """Return what a pair of inputs is, in words."""
    words, kind = context.words, pair.name.rpartition("-")[0]
    if pair.name in claims.PAIRS:
        return words.get(f"pair_text_{pair.name}", claims.PAIRS[pair.name])
    parent = pair_name(context.chart_words, pair.parent) if pair.parent else ""
    return words[f"pair_text_{kind}"].format(parent=parent)


def _assumed(result: CheckResult, context: Context) -> str:
    config, words, first = result.config, context.words, result.version == 1
    rows = [
        (words["a_subject"], _subject(config.subject, words)),
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_delta"], exact(config.delta)),
        (words["a_prior"], words["prior_coin"]),
        (words["a_confidence"], f"{exact(100 * (1 - config.significance))} %"),
        (words["a_corrected"], _significances(result)),
        (words["a_bound"], words["bound_own" if first else "joint_bound"]),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_clip_order"], words[f"order_{config.clip_order}"]),
        (words["a_dimension"], count(config.dimension)),
        (words["a_reports"], count(config.reports)),
        (words["a_sample"], count(plan_of(config).sample)),
        (words["a_trials"], count(_trials(result))),
        (words["a_scale"], words["unstated"] if config.scale is None else exact(config.scale)),
        (words["a_report_norm"], words["unstated"] if config.report_norm is None else exact(config.report_norm)),
        (words["a_randomness"], words["randomness_ours" if result.seeded else "randomness_own"]),
    ]
    if not first:
        rows.append((words["a_adaptive"], words["adaptive_yes" if config.adaptive else "adaptive_no"]))
    if config.own_pairs:
        rows += [(words["a_own_pairs"], count(config.own_pairs)), (words["a_inputs"], config.inputs_digest)]
    return context.assumed(rows, result)


def _trials(result: CheckResult) -> int:
    """Return the planned reports of the privacy test, all pairs together."""
    if result.version == 1:
        return first_plan(result.config).trials * len(claims.FIRST_PAIRS)
    return plan_of(result.config).trials


def _significances(result: CheckResult) -> str:
    """Return the chance of a false alarm that is left to a look: the same for all, or the smallest to the largest."""
    if result.version == 1:
        return f"{first_plan(result.config).look_significance:.3g}"
    shares = {f"{turn.significance:.3g}": None for turn in plan_of(result.config).rounds if turn.looks}
    return " – ".join(dict.fromkeys((next(iter(shares)), next(reversed(shares)))))


def _subject(name: str, words: Mapping[str, str]) -> str:
    """Return what was checked; ``responses`` stands for answers from a file."""
    return words["a_subject_files"] if name == "responses" else name


def _repeat(result: CheckResult, context: Context) -> str:
    words, again = context.words, page.command(claims.command(result.config))
    if not result.config.adaptive:  # answers from a file, which stay the same
        return page.section(words["repeat"], page.paragraph(words["repeat_files"]), again)
    own = words["repeat_seeded" if result.seeded else "repeat_own"]
    return page.section(words["repeat"], page.paragraph(words["repeat_check"]), again, page.paragraph(own))


def _names(context: Context, pair: str, rule: str) -> tuple[str, str]:
    return pair_name(context.chart_words, pair), context.chart_words[f"rule_{rule}"]
