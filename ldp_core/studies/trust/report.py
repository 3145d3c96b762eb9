"""Whom one must trust: what was seen of one report, and what each view can show at all."""

from collections.abc import Sequence

from ldp_core.presentation.report import Numbers, Report, Section, Table, Teller, count, exact
from ldp_core.statistics import theory
from ldp_core.studies.trust.chart import ViewRow, ends, promise, rows_of, views_alt, views_chart, written
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.laws import is_amplified, promised_delta
from ldp_core.studies.trust.published_claims import CLIENTS, EPSILON, claims
from ldp_core.studies.trust.result import TrustResult, TrustSummary, summarize
from ldp_core.words import numbers, promises


def report(result: TrustResult, tell: Teller) -> Report:
    """Tell how often the attacker was right, beside the laws of every view and what is promised of this one."""
    config, summary = result.config, summarize(result)
    drawn = rows_of(config, summary)
    ran = tell(
        "run_trust",
        games=count(result.counts.num_trials),
        attack=tell.attack(config.attack),
        epsilon=exact(config.epsilon),
        view=tell(f"trust_view_{config.view}"),
        others=tell(f"trust_others_{config.others}"),
        clients=count(config.honest),
        dataset=tell.dataset(config.dataset),
    )
    charts = [tell.chart("trust", views_chart, views_alt, drawn, promise(config))] if drawn else []
    bounds = [(tell(f"trust_{name}"), f"{value:.3f}") for name, value in summary.amplified.items()]
    sections = [
        Section(tell("charts"), charts),
        Section(tell("numbers"), [Numbers(_numbers(summary, tell)), _laws(summary, tell)]),
        Section(tell("trust_claims"), [claimed(tell)], aside=True),
    ]
    if is_amplified(config):
        sections.insert(2, Section(tell("trust_bounds"), [tell("trust_bounds_note"), Numbers(bounds)]))
    unused = [name for name, usual in (("strength", 1.0), ("sybils", 0)) if getattr(config, name) == usual]
    sentences, advice = _sentences(config, summary, drawn, tell), _advice(config, summary, tell)
    return Report(sentences, ran, sections, summary.rejected, unused=unused, advice=advice)


def _sentences(config: TrustConfig, summary: TrustSummary, rows: Sequence[ViewRow], tell: Teller) -> list[str]:
    """Return what was measured, both ends of what the others may do, and what a client can do now."""
    share = summary.identification
    if share is None:
        return []
    right, lower, upper = (f"{end:.1f}" for end in share.of_100.values())
    shown = {"clients": count(config.honest), "right": right, "lower": lower, "upper": upper}
    sentences = [tell(f"trust_seen_{config.view}", **shown)]
    if config.sybils and config.view != "local":
        sentences.append(tell("trust_sybils", sybils=count(config.sybils), clients=count(config.clients)))
    sentences += [
        tell("trust_ends", view=tell(f"trust_view_{row.name}"), range=ends(row, tell.chart_words))
        for row in rows
        if row.name == config.view != "local"
    ]
    if config.view != "local" and not is_amplified(config):
        sentences.append(tell("trust_unamplified"))
    kept = [tell("trust_rejected" if summary.rejected else "trust_kept")]
    if summary.promise < config.epsilon:
        promised = {"promise": numbers.ceiled(summary.promise, 3), "delta": exact(config.delta)}
        kept.append(tell("trust_promised", **promised, epsilon=exact(config.epsilon)))
    return [*kept, promises.sentence(tell.words, summary.promise, promised_delta(config)), *sentences]


def _advice(config: TrustConfig, summary: TrustSummary, tell: Teller) -> list[str]:
    if summary.identification is None:
        return []
    then = "rejected" if summary.rejected else "local" if config.view == "local" else "mixed"
    return [tell(f"trust_next_{then}", alarms=1, of=count(round(1 / config.significance)))]


def _numbers(summary: TrustSummary, tell: Teller) -> list[tuple[str, str]]:
    """Return what was measured beside the exact law and what is promised, as names and texts."""
    share, expected, exactly = summary.identification, summary.expected_identification, summary.epsilon_expected
    return [
        (tell("trust_right"), "–" if share is None else _range(tell, *share.of_100.values())),
        (tell("trust_expected"), "–" if expected is None else f"{100 * expected:.2f}"),
        (tell("trust_lower"), numbers.floored(summary.epsilon_lower, 3)),
        (tell("trust_exact"), "–" if exactly is None else f"{exactly:.3f}"),
        (tell("trust_promise"), numbers.ceiled(summary.promise, 3)),
    ]


def _laws(summary: TrustSummary, tell: Teller) -> Table:
    """Return what the exact laws say of every view; no rows where they are not known."""
    head = [tell(f"trust_head_{name}") for name in ("view", "others", "right", "epsilon")]
    rows: list[tuple[str, ...]] = [
        (tell(f"trust_view_{sight.view}"), tell(f"trust_others_{sight.others}"), written(100.0 * sight.identification),
         f"{sight.epsilon:.3f}")
        for sight in summary.sights
        if sight.view != "local" or sight.others == "uniform"
    ]  # fmt: skip
    return Table(tell("chart_trust"), head, rows)


def claimed(tell: Teller) -> Table:
    """Return the paper's claims: the exact law, what we measured, and the command that repeats it."""
    head = [tell(f"trust_claim_{name}") for name in ("head", "right", "measured", "epsilon", "shown", "command")]
    rows: list[tuple[str, ...]] = [
        (tell(f"claim_{row.name}"), "–" if row.right is None else written(row.right),
         _range(tell, *row.measured),
         "–" if row.epsilon is None else f"{row.epsilon:.2f}", f"{row.shown:.3f}", row.command)
        for row in claims()
    ]  # fmt: skip
    return Table(tell("trust_claims"), head, rows, tell("trust_claims_note"))


def example() -> dict[str, str]:
    """Return what the claims' setting shows, for a sentence: both ends of each view, and the report alone."""
    return {row.name: written(row.right) for row in claims() if row.right is not None} | {
        "alone": numbers.limit_of_100(theory.worst_case_identification(EPSILON)),
        "clients": count(CLIENTS),
    }


def _range(tell: Teller, point: float, lower: float, upper: float) -> str:
    return tell("trust_interval", point=f"{point:.2f}", lower=f"{lower:.2f}", upper=f"{upper:.2f}")
