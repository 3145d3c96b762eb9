"""The result of a test as strict JSON and back, and what all reports say of the command that repeats a run."""

import shlex
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ldp_core import facts
from ldp_core.game.summary import AuditSummary, summarize
from ldp_core.record import check_names, of_fields, read_report, reading, strict_json
from ldp_core.statistics import promise
from ldp_core.types import (
    AuditConfig,
    AuditResult,
    MeasurementResult,
    PairGeometry,
    TrialCounts,
)

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

    Raises ``ValueError`` if it is not such a report or holds an impossible value.
    """
    with reading():
        report = read_report(text, SCHEMA)
        config: AuditConfig = of_fields(AuditConfig, report["config"], "config")
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
        completed = counted == config.num_trials * config.num_measurements
        data = facts.read(report["data"], config.dataset, config.training)
        origin = (float(report["seconds"]), report["device"], report["versions"])
        result = AuditResult(config, measurements, completed, *origin, data)
        check_names(report, to_dict(result), "a report")
        return result


def repeat(command: str, datasets: Collection[str], data_dir: Path | None = None) -> str:
    """Return how a run is repeated: the command on a line of its own, which can be pasted into a shell.

    ``datasets``: that it needs; ``data_dir``: where they lie, where that is known and may be shown; a result does not
    hold it.
    """
    if data_dir is not None:
        return f"Repeat:\n{command} --data-dir {shlex.quote(str(data_dir))}"
    return f"Repeat{'' if set(datasets) == {'digits'} else ', with the same --data-dir if there was one'}:\n{command}"


def summary_dict(summary: AuditSummary) -> dict[str, Any]:
    """Return a summary as plain values."""
    share = summary.identification
    return {
        "counts": asdict(summary.counts),
        "bound": summary.bound,
        "bound_significance": summary.significance,
        "identification": share._asdict() if share else {"point": None, "lower": None, "upper": None},
        "epsilon": asdict(summary.epsilon),
        "theory": {
            "identification": summary.theory_identification,
            "epsilon": summary.theory_epsilon,
            "delta": summary.theory_delta,
        },
        "expected_identification": summary.expected_identification,
    }
