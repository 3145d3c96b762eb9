"""Results as strict JSON and back, as a short text, and as the command that repeats them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ldp_core import _validate, facts
from ldp_core.adversaries import has_wrong_label
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import AuditSummary, summarize
from ldp_core.record import check_names, refuse_constant, shortest, strict_json
from ldp_core.statistics import promise
from ldp_core.types import (
    EARLIER,
    TRAINING_WORDS,
    AuditConfig,
    AuditResult,
    MeasurementResult,
    PairGeometry,
    TrialCounts,
)
from ldp_core.words import document, numbers, promises

SCHEMA = "ldp-audit/1"


def to_dict(result: AuditResult) -> dict[str, Any]:
    """Return a result as plain values: what was asked, what was counted, and what follows from it.

    ``audit --help`` describes the fields. No value is infinite or NaN; what has no value is None.
    """
    summary = summarize(result)
    return {
        "schema": SCHEMA,
        "config": asdict(result.config),
        "data": result.data.to_dict() if result.data else None,
        "measurements": [
            {
                "pair": asdict(measurement.pair),
                "counts": asdict(measurement.counts),
                "expected_identification": measurement.expected_identification,
            }
            for measurement in result.measurements
        ],
        "summary": summary_dict(summary),
        "verdict": summary.verdict,
        **promise.to_dict(summary.theory_epsilon, summary.theory_delta),
        "state": summary.state,
        "completed": result.completed,
        "seconds": result.seconds,
        "seed": result.config.seed,
        "device": result.device,
        "versions": dict(result.versions),
    }


def to_json(result: AuditResult) -> str:
    """Return a result as one strict JSON object, indented."""
    return strict_json(to_dict(result))


def from_json(text: str | bytes) -> AuditResult:
    """Read a result back; whatever can be derived is derived again, not believed.

    Raises:
        ValueError: if it is not such a report or holds an impossible value.
    """
    try:
        report = json.loads(text, parse_constant=refuse_constant)
        if report["schema"] != SCHEMA:
            raise ValueError(f"schema must be {SCHEMA}, got {report['schema']!r}")
        given = report["config"]
        check_names(given, (field.name for field in fields(AuditConfig)), "config")
        config = AuditConfig(**_earlier(given) | given)
        if not isinstance(report["measurements"], list) or len(report["measurements"]) > config.num_measurements:
            raise ValueError(f"measurements must be a list of at most {config.num_measurements}")
        measurements = tuple(
            MeasurementResult(
                PairGeometry(**entry["pair"]), TrialCounts(**entry["counts"]), entry["expected_identification"]
            )
            for entry in report["measurements"]
        )
        if any(measurement.counts.num_trials > config.num_trials for measurement in measurements):
            raise ValueError(f"a measurement must have at most the {config.num_trials} planned trials")
        counted = sum(measurement.counts.num_trials for measurement in measurements)
        planned = config.num_trials * config.num_measurements
        if counted > planned:
            raise ValueError(f"the trials must be at most the {planned} planned, got {counted}")
        seconds = _validate.number("seconds", report["seconds"], 0.0, 1e9)
        device, versions = where_from(report)
        data = facts.read(report.get("data"), config.dataset, config.training)
        result = AuditResult(config, measurements, counted == planned, seconds, device, versions, data)
        check_names(report, to_dict(result), "a report")
        return result
    except ValueError as error:
        reason = "it is not JSON" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
        raise ValueError(f"a report must be what this tool wrote, got one that is not: {reason}") from error
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"a report must be what this tool wrote, got one that is not: {type(error).__name__} {error}"
        ) from error


def _earlier(given: Mapping[str, Any]) -> dict[str, str]:
    """Return what a configuration meant that does not say it, where it counts; see ``EARLIER``."""
    black = DISTINGUISHERS[given["distinguisher"]].view == "black"
    counts = {"server_step": black, "wrong_label": has_wrong_label(given["attack"])}
    return {name: value for name, value in EARLIER.items() if counts[name]}


def command(config: AuditConfig, device: str = "cpu") -> str:
    """Return the command line that repeats a run (with ``--data-dir`` to be added for MNIST from a folder)."""
    options: dict[str, object] = {
        "attack": config.attack,
        "epsilon": shortest(config.epsilon),
        "trials": config.num_trials,
        "measurements": config.num_measurements,
        "dataset": config.dataset,
        "training": config.training,
        "distinguisher": config.distinguisher,
        "clip-norm": shortest(config.clip_norm),
        "confidence": f"{1.0 - config.significance:.12g}",
        "seed": config.seed,
    }
    default = AuditConfig(attack="dummy", epsilon=1.0, bound="pooled", seed=0)
    if config.mechanism != default.mechanism:
        options["mechanism"] = config.mechanism
    if config.sampling != default.sampling:
        options["sampling"] = config.sampling
    if config.strength != default.strength:
        options["strength"] = shortest(config.strength)
    if config.clients != default.clients:
        options["clients"] = config.clients
    if config.radius is not None:
        options["radius"] = shortest(config.radius)
    if config.server_step != default.server_step and DISTINGUISHERS[config.distinguisher].view == "black":
        options["server-step"] = step_text(config.server_step)
    if config.wrong_label != default.wrong_label and has_wrong_label(config.attack):
        options["wrong-label"] = config.wrong_label
    if device != "cpu":
        options["device"] = device
    options["bound"] = config.bound.replace("_", "-")
    words = [f"--{name} {value}" for name, value in options.items()]
    if config.watch:
        words.append("--watch")
    return "python -m ldp_core audit " + " ".join(words)


def step_text(step: float | str) -> str:
    """Write a server's step as its option reads it."""
    return step if isinstance(step, str) else shortest(step)


def repeat(command: str, datasets: Collection[str], data_dir: Path | None = None) -> str:
    """Return how a run is repeated: the command on a line of its own, which can be pasted into a shell.

    ``datasets``: that it needs; ``data_dir``: where they lie, where that is known and may be shown; a result does not
    hold it.
    """
    if data_dir is not None:
        return f"Repeat:\n{command} --data-dir {shlex.quote(str(data_dir))}"
    return f"Repeat{'' if set(datasets) == {'digits'} else ', with the same --data-dir if there was one'}:\n{command}"


def to_text(result: AuditResult, data_dir: Path | None = None) -> str:
    """Return a short summary for a terminal; ``data_dir`` as for ``repeat``."""
    config, summary = result.config, summarize(result)
    counts, epsilon = summary.counts, summary.epsilon
    confidence = f"{100 * (1 - config.significance):.6g} %"
    share, rates = summary.identification, "none yet"
    if share:
        rates = f"{share.point:.4f} (range {share.lower:.4f} to {share.upper:.4f})"
    point = "none finite" if epsilon.point is None else f"{epsilon.point:.3f}"
    if epsilon.point_infinite:
        point += f", {epsilon.point_infinite} measurement(s) without a finite estimate"
    expected = summary.expected_identification
    lines = [
        f"Attack {config.attack}, distinguisher {config.distinguisher}, mechanism {config.mechanism}, "
        f"claimed epsilon {config.epsilon:g}" + (f", delta {summary.theory_delta:g}" if summary.theory_delta else ""),
        f"Data {config.dataset}, training {config.training} ({TRAINING_WORDS[config.training]}), "
        f"clipping norm {config.clip_norm:g}, {counts.num_trials} trials in {len(result.measurements)} measurement(s)"
        + ("" if result.completed else " (stopped early)"),
        f"Right guesses:    {rates}",
        f"  the promise:    at most {numbers.ceiled(summary.theory_identification, 4)}",
        "  exact law:      " + ("unknown" if expected is None else f"{expected:.4f} of honest LDP-SGD for these pairs"),
        f"Empirical epsilon: at least {numbers.floored(epsilon.lower, 3)} at confidence {confidence} ({summary.bound})",
        f"  point estimate: {point} (biased upwards; never read it alone)",
        f"  most these trials can show: {numbers.ceiled(epsilon.max_provable, 3)}",
        verdict_sentence(result),
        strength_sentence(summary.theory_epsilon, delta=summary.theory_delta),
        f"Seed {config.seed}, {result.seconds:.1f} s on {result.device}. "
        + repeat(command(config, result.device), (config.dataset,), data_dir),
    ]
    if DISTINGUISHERS[config.distinguisher].view == "black":
        ball = "three norms of the model sent" if config.radius is None else f"{config.radius:g}"
        lines.insert(
            2,
            f"Black box: sees the model before and after a round of {config.clients} client(s), radius {ball}, "
            f"server's step {step_text(config.server_step)} (of one report alone, in norms of the model sent)",
        )
    if result.data:
        lines.insert(2, result.data.sentence(config.dataset, config.training))
    if config.sampling == "projected":
        lines.insert(2, "Simulation of our own mechanism: inner products drawn from their exact law, no reports built")
    return "\n".join(lines)


def verdict_sentence(result: AuditResult) -> str:
    """Return what a run says about the claim, in one sentence."""
    config, summary = result.config, summarize(result)
    confidence = f"{100 * (1 - config.significance):.6g} %"
    sentence = _SENTENCES[summary.state]
    return sentence.format(
        claimed=config.epsilon, lower=numbers.at_least(summary.epsilon.lower, config.epsilon, 3), confidence=confidence
    )


def strength_sentence(*epsilons: float, delta: float = 0.0) -> str:
    """Return what promises are worth by themselves, in English for a terminal; see ``statistics.promise``."""
    return promises.sentence_of_many(document("en"), epsilons, delta).replace("**", "")


_SENTENCES = {
    "above": "Claim rejected: the mechanism leaks at least {lower}, more than the claimed {claimed:g}, "
    "at confidence {confidence}.",
    "too_few": "Claim not rejected: these trials are too few to show {claimed:g} at all.",
    "coin": "Claim not rejected: this attack learned nothing that these trials can measure.",
    "at": "Claim not rejected: this attack may have got as far as the claim allows, and no "
    "further. That does not prove the claim.",
    "below": "Claim not rejected: this attack stayed below the claim. A better attack may do better.",
}


def summary_dict(summary: AuditSummary) -> dict[str, Any]:
    """Return a summary as plain values."""
    share = summary.identification
    return {
        "counts": asdict(summary.counts),
        "bound": summary.bound,
        "bound_significance": summary.significance,
        "identification": asdict(share) if share else {"point": None, "lower": None, "upper": None},
        "epsilon": asdict(summary.epsilon),
        "theory": {
            "identification": summary.theory_identification,
            "epsilon": summary.theory_epsilon,
            "delta": summary.theory_delta,
        },
        "expected_identification": summary.expected_identification,
    }


def where_from(report: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the kind of device and the versions that a report names; raise ``ValueError`` if they are no names."""
    _validate.name("device", report["device"])
    return str(report["device"]), read_versions(report)


def read_versions(report: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions that a report names; raise ``ValueError`` if they are not short texts."""
    for item in report["versions"].items():
        for text in item:
            _validate.text("versions", text, 200)
    return dict(report["versions"])
