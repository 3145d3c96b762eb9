"""Attacks by epsilons by rules by data sets: what every study states of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ldp_core import workload
from ldp_core.game.sweep import TESTS, CompareConfig, CompareResult, test_of
from ldp_core.studies.compare import command, exports
from ldp_core.studies.compare.report import save_charts
from ldp_core.studies.reading import ToldStudy, check_agrees, counts_of, english


class Compare(ToldStudy):
    """Attacks by epsilons by rules by data sets."""

    config = CompareConfig
    timed = "cells"
    schemas = (exports.SCHEMA,)

    def has_data(self, result: CompareResult) -> bool:
        return any(cell.measurements for cell in result.cells)

    def progress(self, step: Any) -> tuple[str, float, float]:
        """Count combinations; a measurement counts as its share of one, and so does what is done of the pass."""
        if step.stage not in ("crafting", "trials"):
            return super().progress(step)
        config = step.result.config
        share = step.done / step.total if step.total else 0.0
        batch = step.cells_total / (config.num_measurements * len(config.tests) * len(config.datasets))
        whole = min(step.cells_done + (share * batch if share < 1.0 else 0.0), step.cells_total)
        return "cells", whole / config.num_measurements, step.cells_total / config.num_measurements

    def work(self, step: Any) -> float:
        share = step.done / step.total if step.stage == "trials" and step.total else 0.0
        return _share_done(step.result, share if share < 1.0 else 0.0)

    def values(self, config: CompareConfig, dimension: Callable[[str], int]) -> float:
        return sum(_pass_values(config, dimension).values()) * config.num_trials * config.num_measurements

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[CompareResult, tuple[str, ...]]:
        result, notes = exports.read(content)
        self.check_head(result, report)
        counts = [cell["summary"]["counts"] for cell in report["cells"]]
        check_agrees("cells", counts, [counts_of(cell) for cell in result.cells])
        thresholds = {len(item.curve.false_positives) for _, _, item in result.measured() if item.curve is not None}
        if len(thresholds) > 1:
            raise ValueError("all curves must have the same number of thresholds")
        return result, notes

    def to_json(self, result: CompareResult, notes: Sequence[str] = ()) -> str:
        return exports.to_json(result, tuple(notes))

    def text(self, result: CompareResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result, tuple(notes))

    def save_figures(
        self, result: CompareResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        return save_charts(result, folder, replace(english(epsilon), chart_words=words))


def _share_done(result: CompareResult, in_work: float) -> float:
    """Return which share of a comparison's work is done, from 0 to 1: a black-box pass takes longer than a white one.

    ``result``: what was found so far; ``in_work``: share of the pass in work that is done.
    """
    most, weights = result.config.num_measurements, _pass_values(result.config, workload.usual_dimension)
    measured: dict[tuple[str, str], list[int]] = {key: [] for key in weights}
    for cell in result.cells:
        measured[cell.config.dataset, test_of(cell.config.distinguisher)].append(len(cell.measurements))
    passes = {key: sum(counts) / len(counts) for key, counts in measured.items()}
    done = sum(weights[key] * passes[key] for key in weights)
    left = [key for key in weights if passes[key] < most]
    if left:  # data sets come one after another, their passes in turns
        done += in_work * weights[min((key for key in left if key[0] == left[0][0]), key=passes.__getitem__)]
    return min(1.0, done / (sum(weights.values()) * most))


def _pass_values(config: CompareConfig, dimension: Callable[[str], int]) -> dict[tuple[str, str], float]:
    """Return as how many random values a trial of each pass counts, by data set and by what the attacker sees."""
    cells = config.cells()
    values = {}
    for dataset in config.datasets:
        for test in TESTS:
            here = [cell for cell in cells if cell.dataset == dataset and test_of(cell.distinguisher) == test]
            if here:
                values[dataset, test] = workload.pass_values(here, dimension)
    return values
