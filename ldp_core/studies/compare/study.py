"""Attacks by epsilons by rules by data sets: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core import workload
from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.studies.compare import command, exports, shared_cells
from ldp_core.studies.compare.workload import compare_share, compare_values
from ldp_core.studies.reading import check_agrees, check_known, counts_of
from ldp_core.study import Request, Study, data_of

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Compare(Study):
    """Attacks by epsilons by rules by data sets."""

    name: ClassVar[str] = "compare"
    config: ClassVar[type] = CompareConfig
    timed: ClassVar[str] = "cells"
    schemas: ClassVar[tuple[str, ...]] = (exports.SCHEMA,)
    commands: ClassVar[tuple[Any, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        from ldp_core.studies.compare.run import compare

        where = yield from data_of(request, self.datasets(request.config))
        cells = shared_cells.of(cache).opened()
        yield from compare(request.config, cache, cells, threads=threads, halted=request.unwanted, **where)

    def found(self, result: CompareResult) -> bool:
        return any(cell.measurements for cell in result.cells)

    def place(self, step: Any) -> tuple[str, float, float]:
        """Count combinations; a measurement counts as its share of one, and so does what is done of the pass."""
        if step.stage not in ("crafting", "trials"):
            return super().place(step)
        config = step.result.config
        share = step.done / step.total if step.total else 0.0
        batch = step.cells_total / (config.num_measurements * len(config.tests) * len(config.datasets))
        whole = min(step.cells_done + (share * batch if share < 1.0 else 0.0), step.cells_total)
        return "cells", whole / config.num_measurements, step.cells_total / config.num_measurements

    def work(self, step: Any) -> float:
        share = step.done / step.total if step.stage == "trials" and step.total else 0.0
        return compare_share(step.result, share if share < 1.0 else 0.0)

    def check_size(self, config: CompareConfig) -> None:
        workload.check(self.name, compare_values(config, workload.most_dimension), "own" in config.datasets)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[CompareResult, tuple[str, ...]]:
        result, notes = exports.read(content)
        check_known(dataset=result.config.datasets, mechanism=(result.config.mechanism,))
        counts = [cell["summary"]["counts"] for cell in report["cells"]]
        check_agrees("cells", counts, [counts_of(cell) for cell in result.cells])
        check_agrees("completed", report["completed"], result.completed)
        check_agrees("seed", report["seed"], result.config.seed)
        thresholds = {len(item.curve.false_positives) for _, _, item in result.measured() if item.curve is not None}
        if len(thresholds) > 1:
            raise ValueError("all curves must have the same number of thresholds")
        return result, notes

    def to_json(self, result: CompareResult, notes: Sequence[str] = ()) -> str:
        return exports.to_json(result, tuple(notes))

    def text(self, result: CompareResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result, tuple(notes))

    def sentences(self, result: CompareResult) -> Sequence[str]:
        return command.verdicts(result)

    def code(self, result: CompareResult) -> int:
        return int(bool(exports.rejected_cells(result)))

    def save_figures(
        self, result: CompareResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.presentation.figures import paper

        return paper.save(result, folder, words=words)

    def parts(self, result: Any, context: Context) -> list[str]:
        from ldp_core.studies.compare import document

        return document.parts(result, context)
