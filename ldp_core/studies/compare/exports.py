"""A comparison as CSV, and as strict JSON and back."""

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from ldp_core import _validate, facts
from ldp_core.game.summary import expected_identification, summarize
from ldp_core.game.sweep import CompareConfig, CompareResult, test_of
from ldp_core.record import check_names, of_fields, read_report, reading, strict_json
from ldp_core.reports import summary_dict
from ldp_core.statistics import promise
from ldp_core.studies.compare.store import COLUMNS as MEASURED
from ldp_core.studies.compare.store import Finding, assemble, columns, measurement_of
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, USUAL_STEP, AuditConfig, AuditResult

SCHEMA = "ldp-compare/1"
_OF_CELLS = (
    *("cell_identification", "cell_identification_lower", "cell_identification_upper"),
    *("cell_epsilon_point", "cell_epsilon_lower", "cell_epsilon_upper", "cell_max_provable", "bound"),
    *("training_images", "held_out_images", "data_sha256", "passes", "held_out_accuracy"),
)
COLUMNS = (
    *MEASURED,
    *("strength", "trials", "measurements", "mechanism", "clip_norm", "radius", "training", "confidence"),
    *(*_OF_CELLS, "server_step", "wrong_label"),
)
"""Columns of a CSV file, whatever the settings.

Those of one measurement (``store.COLUMNS``); the settings; what all finished measurements of the row's cell say
together, at ``confidence`` for this cell alone, by ``bound``; and the data and the training (``facts.DataFacts``).
"""
MOST_COMBINATIONS = 100_000
"""How many combinations of attacks, epsilons, rules and so on a comparison that is read may ask for."""


def rows(result: CompareResult) -> list[dict[str, object]]:
    """Return one row per cell and measurement, with the columns ``COLUMNS``; None where there is no value."""
    of_cells = {cell.config: _of_cell(cell) for cell in result.cells}
    return [columns(*measured) | _settings(measured[0]) | of_cells[measured[0]] for measured in result.measured()]


def to_csv(result: CompareResult) -> str:
    """Return the rows as CSV with a header, always with the same columns; empty where there is no value."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(rows(result))
    return text.getvalue()


def _settings(config: AuditConfig) -> dict[str, object]:
    names = ("strength", "server_step", "wrong_label", "mechanism", "clip_norm", "radius", "training")
    confidence = round(1.0 - config.significance, 12)
    numbers = {"trials": config.num_trials, "measurements": config.num_measurements, "confidence": confidence}
    return {name: getattr(config, name) for name in names} | numbers


def _of_cell(cell: AuditResult) -> dict[str, object]:
    """Return what all finished measurements of a cell say together, and on which data they rest."""
    summary, data = summarize(cell), cell.data
    share, epsilon = summary.identification, summary.epsilon
    shares = (share.point, share.lower, share.upper) if share else (None,) * 3
    epsilons = epsilon.point, epsilon.lower, epsilon.upper, epsilon.max_provable
    known = (data.num_training, data.num_held_out, data.digest, data.passes, data.accuracy) if data else (None,) * 5
    return dict(zip(_OF_CELLS, (*shares, *epsilons, summary.bound, *known), strict=True))


def to_dict(result: CompareResult, notes: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a comparison as plain values: what was asked, what was counted, and what follows from it."""
    rejected = [cell.config for cell, _ in rejected_cells(result)]
    return {
        "schema": SCHEMA,
        "config": asdict(result.config),
        "rows": [
            columns(config, number, measurement)
            | {
                "strength": config.strength,
                "server_step": config.server_step,
                "description": measurement.pair.description,
                "curve": asdict(measurement.curve) if measurement.curve else None,
            }
            for config, number, measurement in result.measured()
        ],
        "cells": [_cell(cell, rejected) for cell in result.cells],
        "data": {name: data.to_dict() if (data := result.data(name)) else None for name in result.config.datasets},
        "verdict": CLAIM_REJECTED if rejected else CLAIM_NOT_REJECTED,
        "skipped": [
            {"attack": attack, "distinguisher": rule, "clients": clients, "reason": why}
            for attack, rule, clients, why in dict.fromkeys(
                (config.attack, config.distinguisher, config.clients, why) for config, why in result.config.skipped()
            )
        ],
        "notes": list(notes),
        "completed": result.completed,
        "seconds": result.seconds,
        "seed": result.config.seed,
        "device": result.device,
        "versions": dict(result.versions),
    }


_NAMES = (
    *("schema", "config", "rows", "cells", "data", "verdict", "skipped", "notes", "completed", "seconds", "seed"),
    *("device", "versions"),
)
"""Of an export: what ``to_dict`` writes."""


def to_json(result: CompareResult, notes: tuple[str, ...] = ()) -> str:
    """Return a comparison as one strict JSON object, indented."""
    return strict_json(to_dict(result, notes))


def read(text: str | bytes) -> tuple[CompareResult, tuple[str, ...]]:
    """Read a comparison back, and its notes; whatever can be derived is derived again, not believed.

    Raises ``ValueError`` if it is not such an export or holds an impossible value.
    """
    with reading("an export must be what compare wrote"):
        export = read_report(text, SCHEMA)
        check_names(export, _NAMES, "an export")
        config = config_from(export["config"])
        cells = {_name(asdict(cell)): cell for cell in config.cells()}
        seconds = float(export["seconds"])
        origin = (export["device"], export["versions"], seconds / max(1, len(export["rows"])))
        findings: dict[tuple[AuditConfig, int], Finding] = {}
        for row in export["rows"]:
            cell = cells[_name(row)]
            measurement = measurement_of(row, row["curve"], partial(expected_identification, cell))
            number = _validate.integer("measurement", row["measurement"], 0, cell.num_measurements - 1)
            if measurement.counts.num_trials != cell.num_trials or (cell, number) in findings:
                raise ValueError(f"a row must be one whole measurement of {cell.num_trials} trials, and none twice")
            findings[cell, number] = Finding(cell, number, measurement, *origin)
        data = _data(export["data"], config)
        return replace(assemble(config, findings, data), seconds=seconds), _notes(export["notes"])


def rejected_cells(result: CompareResult) -> list[tuple[AuditResult, float]]:
    """Return the cells whose bound exceeds the claim, with it, at the run's significance for all cells together.

    Each cell gets an equal share of the significance, so that the chance of any false rejection among all is at most
    the whole (Bonferroni).
    """
    share = result.config.significance / len(result.cells)
    rejections = []
    for cell in result.cells:
        shared = replace(cell, config=replace(cell.config, significance=max(share, 1e-9)))
        summary = summarize(shared)
        if summary.verdict == CLAIM_REJECTED:
            rejections.append((cell, summary.epsilon.lower))
    return rejections


def config_from(values: Mapping[str, Any]) -> CompareConfig:
    """Return the configuration of an export's plain values, where lists stand for tuples."""
    combinations = math.prod(len(value) for value in values.values() if isinstance(value, list))
    if combinations > MOST_COMBINATIONS:
        raise ValueError(f"a comparison must have at most {MOST_COMBINATIONS:,} combinations, got {combinations:,}")
    config: CompareConfig = of_fields(CompareConfig, values, "config")
    return config


def _cell(cell: AuditResult, rejected: list[AuditConfig]) -> dict[str, Any]:
    """Return a cell's numbers at the run's significance, and its verdict at the share of it that all cells leave."""
    names = ("dataset", "distinguisher", "clients", "server_step", "attack", "strength", "epsilon")
    summary = summarize(cell)
    return {name: getattr(cell.config, name) for name in names} | {
        "measurements": len(cell.measurements),
        "summary": summary_dict(summary),
        **promise.to_dict(summary.theory_epsilon, summary.theory_delta),
        "verdict": CLAIM_REJECTED if cell.config in rejected else CLAIM_NOT_REJECTED,
    }


def _name(values: Mapping[str, Any]) -> tuple[object, ...]:
    names = ("dataset", "distinguisher", "clients", "attack", "strength", "epsilon", "seed")
    white = test_of(values["distinguisher"]) == "white"
    step = USUAL_STEP if white else values["server_step"]
    return step, *(values[name] for name in names)


def _data(values: Any, config: CompareConfig) -> dict[str, facts.DataFacts | None]:
    """Read the facts of each data set."""
    if not isinstance(values, dict) or set(values) != set(config.datasets):
        raise ValueError(f"data must have an entry for each data set and no other, got {str(values)[:80]!r}")
    return {name: facts.read(value, name, config.training) for name, value in values.items()}


def _notes(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise ValueError(f"notes must be a list, got {str(values)[:40]!r}")
    for note in values:
        _validate.text("note", note, 1_000)
    return tuple(values)
