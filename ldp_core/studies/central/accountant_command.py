"""The command ``accountant``: what DP-SGD promises."""

import argparse
import math
from typing import Any

from ldp_core import _validate
from ldp_core.record import strict_json
from ldp_core.statistics import accountant
from ldp_core.statistics.accountant import Sampled
from ldp_core.terminal import NOT_REJECTED, check_writable, conclude, deliver, say
from ldp_core.terminal.numbers import number, whole
from ldp_core.terminal.study_command import add_command, add_shared
from ldp_core.words import numbers

NAME = "accountant"
SCHEMA = "ldp-accountant/1"
_RATES = tuple(round(0.01 * place, 2) for place in range(101))
EPILOG = """\
Neighbours differ in one record that is added or removed; each step samples every record with the rate, by itself
(Poisson). epsilon is an upper end that holds, or null above 1,000; epsilon_lower is what the true one is at
least. The JSON also has the whole trade-off curve: least_missed[i] is the least share of "in" taken for "out" where a
share false_alarms[i] of "out" is taken for "in"; least_false_alarms is the other direction."""


def run(options: argparse.Namespace) -> int:
    """Print epsilon of a noise, or the noise of an epsilon."""
    check_writable("--json", options.json)
    if (options.noise is None) == (options.epsilon is None):
        raise ValueError(
            "--noise or --epsilon must be given, one of them, got " + ("none" if options.noise is None else "both")
        )
    rate = accountant.check_rate(options.sampling_rate)
    _validate.integer("steps", options.steps, *accountant.STEPS_RANGE)
    _validate.number("delta", options.delta, *accountant.DELTA_RANGE)
    if options.records is not None:
        _validate.integer("records", options.records, 1)
    if options.noise is None:
        _validate.number("epsilon", options.epsilon, *accountant.WANTED_RANGE)
    else:
        Sampled(rate, options.noise, options.steps)
    say("computing: seconds, but longer with many steps and little noise ...")
    noise = options.noise
    if noise is None:
        noise = accountant.noise_for(rate, options.steps, options.epsilon, options.delta)
    report = report_of(Sampled(rate, noise, options.steps), options.delta)
    if options.records is not None and options.delta * options.records >= 1.0:
        report["warning"] = f"delta must be below 1/records to protect a record, got {options.delta:g}"
    return conclude(NOT_REJECTED, lambda: deliver(options.json, text_of(report), lambda: strict_json(report)))


def report_of(mechanism: Sampled, delta: float) -> dict[str, Any]:
    """Return what the command prints as JSON; an epsilon above 1,000, or that no grid tells, is None."""
    lower, upper = accountant.enclosure(mechanism, delta)
    curve = accountant.certified(mechanism, delta)
    return {
        "schema": SCHEMA,
        "sampling_rate": mechanism.sampling_rate,
        "noise": mechanism.noise,
        "steps": mechanism.steps,
        "delta": delta,
        "epsilon": upper if math.isfinite(upper) else None,
        "epsilon_lower": min(lower, accountant.MOST_EPSILON),
        "identification": curve.identification,
        "curve": {
            "false_alarms": list(_RATES),
            "least_missed": [round(float(curve.tradeoff(rate)), 9) for rate in _RATES],
            "least_false_alarms": [round(float(curve.inverse(rate)), 9) for rate in _RATES],
        },
    }


def text_of(report: dict[str, Any]) -> str:
    """Return the result as a few lines."""
    if report["epsilon"] is None:
        epsilon = f"at least {numbers.floored(report['epsilon_lower'], 4)}, and no upper end is known,"
    else:
        epsilon = f"at most {numbers.ceiled(report['epsilon'], 4)}"
    right = numbers.ceiled(100 * report["identification"], 1)
    lines = [
        f"epsilon is {epsilon} at delta {report['delta']:g} (noise {report['noise']:g}, sampling rate "
        f"{report['sampling_rate']:g}, {report['steps']:,} steps, add or remove one record)",
        f"the best attacker, who sees every step, is right at most {right} times of 100",
    ]
    return "\n".join([*lines, report["warning"]] if "warning" in report else lines)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    description = "Compute what a server promises that trains with DP-SGD: the subsampled Gaussian mechanism."
    parser = add_command(commands, NAME, run, description, EPILOG)
    add = parser.add_argument
    add(
        "--sampling-rate", type=number, required=True, help="chance of each record to be in a batch, above 0, at most 1"
    )
    add("--noise", type=number, help="standard deviation of the noise in clipping norms, 0.1 to 1,000")
    add("--epsilon", type=number, help="wanted epsilon, 0.01 to 30; then the least noise is printed")
    add("--steps", type=whole, required=True, help="steps, 1 to 1,000,000")
    add("--delta", type=number, default=1e-5, help="chance that the promise fails, 1e-9 to 0.5")
    add("--records", type=whole, help="records of the data set; a delta of 1/records or more brings a warning")
    add_shared(parser, "json")
