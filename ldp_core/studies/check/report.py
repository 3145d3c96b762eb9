"""What a check found."""

from collections.abc import Iterator
from functools import partial

from ldp_core.checking import claims
from ldp_core.checking.claims import CheckConfig, CheckResult, Clause, Look, PairFacts, look_lower, plan_of
from ldp_core.distinguishers.learned import kept_length
from ldp_core.mechanisms import HONEST
from ldp_core.presentation.figures import pair_name
from ldp_core.presentation.figures.check import check_alt, check_chart, evidence_alt, evidence_chart, evidence_of
from ldp_core.presentation.report import Chart, Numbers, Report, Rows, Section, Table, Teller, count, exact
from ldp_core.statistics.intervals import identification_interval
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, TrialCounts
from ldp_core.words import numbers, promises

_ANSWERS = {True: "kept", False: "broken", None: "unasked"}


def report(result: CheckResult, tell: Teller) -> Report:
    """Tell whether the claim was rejected, what the exam found, and what a check that did not reject would catch."""
    config = result.config
    ran = tell(
        "run_check",
        reports=count(result.reports_used),
        most=count(config.reports),
        epsilon=exact(config.epsilon),
        delta=exact(config.delta),
    )
    exam = [(tell(f"clause_{clause.name}"), answer(clause, tell)) for clause in result.clauses]
    sections = [
        Section(tell("numbers"), [Numbers(_numbers(result, tell))]),
        Section(tell("exam"), [tell("exam_text"), Numbers(exam)] if exam else []),
        Section(tell("charts"), charts(result, tell)),
        Section(tell("power"), _power(result, tell)),
        Section(tell("counts"), [looks(result, tell)]),
        Section(tell("tried"), [tell("tried_note"), tried(result, tell)] if result.pairs else []),
    ]
    name = state(result)
    sentences = (tell(f"check_headline_{name}"), *filter(None, _sentences(result, tell, name)))
    seed_note = tell("repeat_seeded" if result.seeded else "repeat_own")
    # a file's answers stay the same
    again = [tell("repeat_check"), seed_note] if config.adaptive else [tell("repeat_files")]
    command, assumed, follows = claims.command(config), _assumed(result, tell), _next(result, tell, name)
    advice = [tell(f"check_next_{follows}")] if follows else []
    return Report(
        sentences, ran, sections, assumed=assumed, command=command, again=again, advice=advice, stop_told=True
    )


def state(result: CheckResult) -> str:
    """Return which headline fits: "rejected", "broken", "kept", "unusable" or "none"."""
    if result.verdict == CLAIM_REJECTED:
        return "rejected"
    if result.verdict == CLAIM_NOT_REJECTED:
        return "broken" if result.failed else "kept"
    return "unusable" if result.failed else "none"


def subject(name: str, tell: Teller) -> str:
    """Return the name of what was checked, without what a terminal would obey; one that we do not know stays."""
    if f"faulty_{name}" in tell.words:
        return tell("check_faulty", name=tell(f"faulty_{name}"))
    if name in HONEST:
        return tell(f"mechanism_{name}")
    return tell("a_subject_files") if name == "responses" else claims.plain(name)


def repeatable(config: CheckConfig, tell: Teller) -> bool:
    """Return whether this program can check again by itself: one of its own mechanisms."""
    return config.subject in HONEST or f"faulty_{config.subject}" in tell.words


def answer(clause: Clause, tell: Teller) -> str:
    """Return what a question of the exam found."""
    finding = tell(f"finding_{clause.name}_{clause.finding}", **clause.values)
    return claims.plain(f"{tell(f'clause_{_ANSWERS[clause.passed]}')}: {finding}")


def pair_text(result: CheckResult, name: str, tell: Teller) -> str:
    """Return what a pair of updates is, in words."""
    if f"pair_text_{name}" in tell.words:
        return tell(f"pair_text_{name}")
    kind, _, number = name.rpartition("-")
    parent = next((pair.parent for pair in result.pairs if pair.name == name), "")
    named = pair_name(tell.chart_words, parent) if parent else ""
    return tell(f"pair_text_{kind}", number=number, parent=named)


def _numbers(result: CheckResult, tell: Teller) -> Rows:
    config = result.config
    rows = [
        (tell("a_subject"), subject(config.subject, tell)),
        (tell("claimed_check"), exact(config.epsilon)),
        (tell("delta_check"), exact(config.delta)),
        (tell("lower"), numbers.floored(result.epsilon_lower, 3)),
        (tell("a_confidence"), f"{exact(100 * (1 - config.significance))} %"),
        (tell("reports_used"), count(result.reports_used)),
        (tell("looks"), count(sum(look.trials > 0 for look in result.looks))),
    ]
    if result.verdict == CLAIM_REJECTED and result.strongest is not None:
        pair, rule = _names(result.strongest, tell)
        rows.append((tell("rejected_by"), tell("shown_by", pair=pair, rule=rule)))
    return rows


def _names(look: Look, tell: Teller) -> tuple[str, str]:
    return pair_name(tell.chart_words, look.pair), tell.chart_words[f"rule_{look.rule}"]


def charts(result: CheckResult, tell: Teller) -> list[Chart]:
    """Return what the rules show on each pair; none before the first report was judged."""
    if not any(look.trials for look in result.looks):
        return []
    note = tell("note_check", confidence=exact(100 * (1 - result.config.significance)))
    figures = [
        Chart("check", tell("chart_check"), partial(check_chart, result), check_alt(result, tell.chart_words), note)
    ]
    if len(evidence := evidence_of(result)) < 2:  # one point is no way
        return figures
    alt = evidence_alt(result, evidence, tell.chart_words)
    way = partial(evidence_chart, result.config, evidence)
    return [Chart("evidence", tell("chart_evidence"), way, alt, tell("note_evidence")), *figures]


def _power(result: CheckResult, tell: Teller) -> list[Table]:
    """Return what a whole check that did not reject would have caught, and the reports that it takes to catch more."""
    if result.verdict != CLAIM_NOT_REJECTED or not result.ended or claims.depends_on_inputs(result) is False:
        return []
    epsilon, needed = claims.needed_reports(result)
    head = [tell("kind"), tell("caught_from"), tell("needed", epsilon=exact(epsilon))]
    rows = [
        [
            tell(f"kind_{kind}"),
            tell("beyond") if threshold is None else numbers.ceiled(threshold, 3),
            tell("unknown") if needed[kind] is None else count(needed[kind] or 0),
        ]
        for kind, threshold in claims.detectable_epsilons(result).items()
    ]
    return [Table(tell("power"), head, rows, tell("power_text"))]


def looks(result: CheckResult, tell: Teller) -> Table:
    """Return all counts of the privacy test."""
    names = ("pair", "rule", "look_round", "learned_from", *TrialCounts.__slots__, "silent", "at_least")
    rows = [
        [
            *_names(look, tell),
            str(max(1, look.round)),
            count(look.trained_on) if look.trained_on else "–",
            *(count(getattr(look.counts, name)) for name in TrialCounts.__slots__),
            count(look.silent),
            numbers.floored(look_lower(result.config, look), 3),
        ]
        for look in result.looks
        if look.trials
    ]
    return Table(tell("counts"), [tell(name) for name in names], rows, tell("looks_note"))


def tried(result: CheckResult, tell: Teller) -> Table:
    """Return the pairs that reports were asked for of."""
    names = ("pair", "tried_what", "tried_lengths", "tried_angle", "tried_reports")
    rows = [_tried(pair, result, tell) for pair in result.pairs]
    return Table(tell("tried"), [tell(name) for name in names], rows)


def _tried(pair: PairFacts, result: CheckResult, tell: Teller) -> list[str]:
    lengths = tell.listed([f"{length:.3g}" for length in (pair.first_length, pair.second_length)])
    named, text = pair_name(tell.chart_words, pair.name), pair_text(result, pair.name, tell)
    return [named, text, lengths, f"{pair.angle_degrees:.0f}", count(pair.reports)]


def _assumed(result: CheckResult, tell: Teller) -> Rows:
    config, plan = result.config, plan_of(result.config)
    shares = {f"{turn.significance:.3g}": None for turn in plan.rounds if turn.looks}
    corrected = " – ".join(dict.fromkeys((next(iter(shares)), next(reversed(shares)))))
    unstated = tell("unstated")
    rows = [
        (tell("a_subject"), subject(config.subject, tell)),
        (tell("a_epsilon"), exact(config.epsilon)),
        (tell("a_delta"), exact(config.delta)),
        (tell("a_prior"), tell("prior_coin")),
        (tell("a_confidence"), f"{exact(100 * (1 - config.significance))} %"),
        (tell("a_corrected"), corrected),
        (tell("a_bound"), tell("joint_bound")),
        (tell("a_clip_norm"), exact(config.clip_norm)),
        (tell("a_clip_order"), tell(f"order_{config.clip_order}")),
        (tell("a_dimension"), count(config.dimension)),
        (tell("a_reports"), count(config.reports)),
        (tell("a_sample"), count(plan.sample)),
        (tell("a_trials"), count(plan.trials)),
        (tell("a_scale"), unstated if config.scale is None else exact(config.scale)),
        (tell("a_report_norm"), unstated if config.report_norm is None else exact(config.report_norm)),
        (tell("a_randomness"), tell("randomness_ours" if result.seeded else "randomness_own")),
        (tell("a_adaptive"), tell("adaptive_yes" if config.adaptive else "adaptive_no")),
    ]
    if config.own_pairs:
        rows += [(tell("a_own_pairs"), count(config.own_pairs)), (tell("a_inputs"), config.inputs_digest)]
    return rows


def _sentences(result: CheckResult, tell: Teller, name: str) -> Iterator[str]:
    config = result.config
    yield promises.sentence(tell.words, config.epsilon, config.delta)
    if result.notice:
        yield tell(f"check_notice_{result.notice}")
    if name == "rejected":
        yield from _rejected(result, tell)
    if result.failed:
        yield tell.plural("check_failed", len(result.failed))
    if (enough := claims.enough_to_judge(result)) is not None:
        yield tell("check_too_few", reports=count(enough))
    if name == "unusable":
        yield tell("check_unusable")
    yield from _named(result, tell)
    if name in ("broken", "kept") and result.completed:
        yield from _catches(result, tell)
        if result.unjudged:
            questions = tell.listed([tell(f"clause_{clause.name}") for clause in result.unjudged])
            yield tell("check_unjudged", questions=questions)
    length = next(
        (int(question.values.get("length", 0)) for question in result.clauses if question.name == "shape-and-type"), 0
    )
    if length > (kept := kept_length(length)):
        yield tell("check_folded", length=count(length), kept=count(kept))
    yield _meaning(result, tell, name)
    if not result.completed:
        missed = result.verdict == CLAIM_NOT_REJECTED
        done = {"done": count(result.reports_used), "total": count(config.reports)}
        yield tell("check_stopped" if missed else "check_stopped_nothing", **done)


def _rejected(result: CheckResult, tell: Teller) -> Iterator[str]:
    look, config = result.strongest, result.config
    assert look is not None
    yield tell(
        "check_rejected",
        rule=tell(f"check_rule_{look.rule}"),
        pair=pair_text(result, look.pair, tell),
        lower=numbers.at_least(look_lower(config, look), config.epsilon),
        epsilon=exact(config.epsilon),
    )
    if not config.whole:
        yield tell("check_early")
    if look.rule == "cosine" or not config.delta:
        yield _share(look, worst_case_identification(config.epsilon, config.delta), config.significance, tell)


def _share(look: Look, allowed: float, significance: float, tell: Teller) -> str:
    """Return how often a rule was right beside what the claim allows; "" where it was not right more often."""
    share = identification_interval(look.counts, significance)
    if share is None or share[0] <= allowed:
        return ""
    shown = numbers.percents(tell("percent"), (*share, allowed), ((0, 3), (0, 1), (0, 2), (1, 3)), 3)
    values = dict(zip(("point", "lower", "upper", "promise"), shown, strict=True))
    counts = {"guesses": count(look.counts.num_trials), "reports": count(look.trials)}
    return tell("check_share_spoken" if look.silent else "check_share", **values, **counts)


def _named(result: CheckResult, tell: Teller) -> Iterator[str]:
    """Yield that nearly every report named its update, and how many would decide, if it is so."""
    naming = claims.named_inputs(result)
    if naming is None:
        return
    yield tell(
        "check_named",
        pair=pair_text(result, naming.pair, tell),
        right=count(naming.right),
        reports=count(naming.reports),
        epsilon=exact(result.config.epsilon),
        allowed=count(round(naming.allowed)),
    )
    if naming.decides is not None:
        yield tell("check_named_decides", reports=count(naming.decides))


def _catches(result: CheckResult, tell: Teller) -> Iterator[str]:
    """Yield what a whole check would have caught by kind of leak, and the reports that it takes to catch more."""
    if claims.depends_on_inputs(result) is False:
        yield tell("check_catches_unseen")
        return
    epsilons = claims.detectable_epsilons(result)
    caught = [
        tell("check_catches_item", epsilon=exact(float(numbers.ceiled(value, 2))), leak=tell(f"kind_{kind}"))
        for kind, value in epsilons.items()
        if value is not None
    ]
    unknown = [tell(f"kind_{kind}") for kind, value in epsilons.items() if value is None]
    yield tell("check_catches", items=tell.listed(caught)) if caught else tell("check_catches_nothing")
    if caught and unknown:
        yield tell("check_catches_unknown", leaks=tell.listed(unknown))
    epsilon, needed = claims.needed_reports(result)
    reports = [
        tell("check_catches_reports", reports=count(number), leak=tell(f"kind_{kind}"))
        for kind, number in needed.items()
        if number is not None
    ]
    if reports:
        yield tell("check_catches_needed", epsilon=f"{epsilon:g}", items=tell.listed(reports))
    yield tell("check_catches_rest")


def _meaning(result: CheckResult, tell: Teller, name: str) -> str:
    """Return what to do about a finding; of our own mechanisms, what is known about them."""
    alarms, of = numbers.seldom(result.config.significance)
    checked, detected = result.config.subject, name != "kept"
    if name == "none":
        return ""
    if f"fault_{checked}" in tell.words:
        return tell("check_found_fault" if detected else "check_missed_fault", fault=tell(f"fault_{checked}"))
    if not detected:
        return ""
    return tell("check_blamed" if checked in HONEST else "check_todo", alarms=count(alarms), alarms_of=count(of))


def _next(result: CheckResult, tell: Teller, name: str) -> str:
    """Return what to do now: "none", "kept", "ours", or "" where ``_meaning`` says it."""
    ours = repeatable(result.config, tell)
    if name == "none" or (name == "kept" and not ours):
        return name
    missed = f"fault_{result.config.subject}" in tell.words and name == "kept"
    blamed = result.config.subject in HONEST and name != "kept"
    return "ours" if ours and not (missed or blamed) else ""
