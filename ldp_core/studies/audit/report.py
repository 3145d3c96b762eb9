"""What a test of one attack says: the verdict, what was counted, and what the formula predicts."""

from dataclasses import replace

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import AuditSummary, summarize
from ldp_core.mechanisms import HONEST
from ldp_core.presentation.figures.single import epsilon_alt, epsilon_chart, identification_alt, identification_chart
from ldp_core.presentation.report import Chart, Numbers, Report, Section, Table, Teller, count, exact
from ldp_core.studies.reading import assumed_of_game
from ldp_core.types import CLAIM_REJECTED, AuditResult, TrialCounts
from ldp_core.words import numbers, promises


def report(result: AuditResult, tell: Teller) -> Report:
    """Tell whether the claim stands, and how often the attacker was right."""
    config, summary = result.config, summarize(result)
    ran = tell(
        "run_audit",
        trials=count(summary.counts.num_trials),
        pairs=tell.plural("pairs", len(result.measurements)),
        attack=tell.attack(config.attack),
        sees=tell(f"sees_{DISTINGUISHERS[config.distinguisher].view}"),
        rule=tell(f"rule_{config.distinguisher}"),
        epsilon=exact(config.epsilon),
        dataset=tell.dataset(config.dataset),
    )
    lower = numbers.at_least(summary.epsilon.lower, config.epsilon, 3)
    verdict = tell(
        f"audit_{summary.state}",
        claimed=exact(config.epsilon),
        lower=lower,
        confidence=f"{100 * (1 - config.significance):.6g}",
    )
    sentences = [verdict, promises.sentence(tell.words, summary.theory_epsilon, summary.theory_delta)]
    if summary.straddles:
        alarms, of = numbers.seldom(config.significance)
        sentences.append(tell("audit_straddles", lower=lower, alarms=count(alarms), alarms_of=count(of)))
    sentences += [tell("demonstration")] if summary.state == "above" and config.mechanism not in HONEST else []
    sentences += [tell("audit_simulated")] if config.sampling == "projected" else []
    sentences += [] if result.completed else [tell("stopped")]
    sections = [
        Section(tell("numbers"), [Numbers(_numbers(result, summary, tell))]),
        Section(tell("charts"), _charts(result, tell)),
        Section(tell("counts"), [_counts(result, summary, tell)], aside=True),
    ]
    rule, spent = config.distinguisher, numbers.seldom(summary.significance)
    own = [
        (tell("a_bound"), tell(f"bound_{summary.bound}")),
        (tell("a_spent"), tell("audit_spent", spent=count(spent[0]), of=count(spent[1]))),
    ]
    rules = {DISTINGUISHERS[rule].view: [rule]}
    assumed, unused = assumed_of_game(config, tell, [config.attack], rules, [config.server_step], own)
    rejected = summary.verdict == CLAIM_REJECTED
    return Report(sentences, ran, sections, rejected, assumed=assumed, unused=unused, stop_told=True)


def _numbers(result: AuditResult, summary: AuditSummary, tell: Teller) -> list[tuple[str, str]]:
    share, epsilon, counts = summary.identification, summary.epsilon, summary.counts
    rows = []
    if share is not None:
        limits = {"point": share.point, "lower": share.lower, "upper": share.upper}
        shown = {name: tell.of_hundred(value) for name, value in limits.items()}
        rows.append((tell("right"), tell("range", **shown)))
    rows += [
        (tell("allowed"), tell.of_hundred(summary.theory_identification, at_most=True)),
        (tell("coin"), "50"),
        (tell("law"), tell.of_hundred(summary.expected_identification)),
    ]
    if DISTINGUISHERS[result.config.distinguisher].abstains:
        missed = counts.false_negative_rate
        rows += [
            (tell("spoken_second"), tell.of_hundred(None if missed is None else 1.0 - missed)),
            (tell("spoken_first"), tell.of_hundred(counts.false_positive_rate)),
        ]
    point = tell("no_estimate") if epsilon.point is None else f"{epsilon.point:.3f}"
    if epsilon.point_infinite:
        point += tell("audit_infinite", count=count(epsilon.point_infinite), total=count(len(result.measurements)))
    return [
        *rows,
        (tell("claimed"), exact(summary.theory_epsilon)),
        *([(tell("a_delta"), exact(summary.theory_delta))] if summary.theory_delta else []),
        (tell("lower"), numbers.floored(epsilon.lower, 3)),
        (tell("point"), point),
        (tell("provable"), numbers.floored(epsilon.max_provable, 3)),
    ]


def _charts(result: AuditResult, tell: Teller) -> list[Chart]:
    if not result.counts.num_trials:
        return []
    drawn = [
        tell.chart("identification", identification_chart, identification_alt, result),
        tell.chart("epsilon", epsilon_chart, epsilon_alt, result),
    ]
    confidence = exact(100 * (1 - result.config.significance))
    return [replace(chart, note=chart.note.format(confidence=confidence)) for chart in drawn]


def _counts(result: AuditResult, summary: AuditSummary, tell: Teller) -> Table:
    """Return what was counted of each pair; without rows before there is anything."""
    head = [
        tell(name) for name in ("pair", "angle", "first_norm", "second_norm", *TrialCounts.__slots__, "right", "law")
    ]
    lines = [
        (
            (str(number), f"{pair.angle_degrees:.1f}°", f"{pair.norm_first:.4g}", f"{pair.norm_second:.4g}"),
            measurement.counts,
            measurement.expected_identification,
        )
        for number, measurement in enumerate(result.measurements, start=1)
        for pair in [measurement.pair]
    ]
    lines.append(((tell("all"), "", "", ""), summary.counts, summary.expected_identification))
    rows = [
        (
            *place,
            *(count(getattr(counts, name)) for name in TrialCounts.__slots__),
            tell.of_hundred(counts.num_right / counts.num_trials),
            tell.of_hundred(law),
        )
        for place, counts, law in lines
        if counts.num_trials
    ]
    return Table(tell("counts"), head, rows, tell("law_chance") if _by_chance(summary) else "")


def _by_chance(summary: AuditSummary) -> bool:
    """Return whether chance can explain how far the counted share is from the predicted one."""
    share, law = summary.identification, summary.expected_identification
    return share is not None and law is not None and law != share.point and share.lower <= law <= share.upper
