"""What an audit of DP-SGD found."""

import numpy as np

from ldp_core.presentation.report import Report, Section, Table, Teller, count, exact
from ldp_core.record import shortest
from ldp_core.studies.central.chart import claim_alt, claim_chart, claim_plane
from ldp_core.studies.central.result import SIGNIFICANCE, CentralResult, ceilings, claimed, expected_point_bound
from ldp_core.studies.central.table import reached
from ldp_core.types import CLAIM_REJECTED
from ldp_core.words import numbers

_OF_TRAINING = ("model", "dataset", "records", "clip_norm", "learning_rate")


def report(result: CentralResult, tell: Teller) -> Report:
    """Tell what the adversary reached below the claimed curve."""
    config, counts, charts = result.config, result.counts, []
    ran = tell(
        "run_central_law" if config.law else "run_central",
        adversary=tell(f"adversary_{config.adversary}"),
        games=count(config.games),
        others=count(config.threshold_games),
        model=tell(f"model_{config.model}"),
        records=count(config.records),
        steps=count(config.steps),
        rate=exact(config.sampling_rate),
        dataset=tell.dataset(config.dataset),
    )
    if counts.num_trials:
        known = reached(config.model, config.epsilon)
        shown = claim_plane(config, {config.adversary: counts}, tell.words, known)
        charts = [tell.chart("central", claim_chart, claim_alt, shown)]
    head = ["", tell("central_guessed_in"), tell("central_guessed_out")]
    rows = [
        [tell("central_in"), count(counts.first_as_first), count(counts.first_as_second)],
        [tell("central_out"), count(counts.second_as_first), count(counts.second_as_second)],
    ]
    table = Table(tell("counts"), head, rows if counts.num_trials else [])
    noise = tell.listed([exact(claimed(config).noise), exact(config.noise_factor)])
    assumed = [(tell("a_central_noise"), noise), (tell("a_central_rule"), tell(f"look_{config.distinguisher}"))]
    unused = ["distinguisher", "noise_factor", *(() if config.adversary == "gradient" else ("direction",))]
    return Report(
        _sentences(result, tell),
        ran,
        [Section(tell("charts"), charts), Section(tell("counts"), [table])],
        result.verdict == CLAIM_REJECTED,
        assumed=assumed,
        unused=[*unused, *(_OF_TRAINING if config.law else ())],
        advice=_advice(result, tell),
    )


def _sentences(result: CentralResult, tell: Teller) -> list[str]:
    config, interval = result.config, result.identification
    if interval is None:
        return [tell("finding_central_none")]
    claim = claimed(config)
    ceiling, last = ceilings(claim.sampling_rate, claim.noise, claim.steps)
    name = "finding_central_rejected" if result.verdict == CLAIM_REJECTED else "finding_central_kept"
    lines = [
        tell(name, epsilon=shortest(config.epsilon), delta=np.format_float_positional(config.delta, trim="-")),
        tell("finding_central_right",
            right=_share(interval[0]), low=_share(interval[1]), high=_share(interval[2]), ceiling=_share(ceiling),
            last=_share(last),
        ),
        tell("finding_central_bounds",
            point=_down(result.clopper_pearson), curve=_down(result.curve), gdp=_down(result.gdp)
        ),
        tell("finding_central_most",
            expected=_down(
                expected_point_bound(claim.sampling_rate, claim.noise, claim.steps, config.delta, config.games)
            )
        ),
    ]  # fmt: skip
    if config.epsilon <= 1.0 and not config.law:
        lines.append(tell("finding_central_small"))
    if config.warnings:
        lines.append(tell("finding_central_delta"))
    return lines


def _advice(result: CentralResult, tell: Teller) -> list[str]:
    if result.identification is None:
        return []
    verdict = "rejected" if result.verdict == CLAIM_REJECTED else "kept"
    return [tell(f"central_next_{verdict}", alarms=1, of=round(1 / SIGNIFICANCE))]


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def _down(value: float) -> str:
    return numbers.floored(value, 2)
