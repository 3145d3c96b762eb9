"""The papers beside this tool: what every study states of itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from ldp_core.studies.reading import KeptStudy, english
from ldp_core.studies.reproduce import command
from ldp_core.studies.reproduce.result import ReproduceConfig, ReproduceResult


class Reproduce(KeptStudy):
    """Every figure, table, formula and claim of the papers, beside what is found here."""

    name: ClassVar[str] = "reproduce"
    config: ClassVar[type] = ReproduceConfig
    result: ClassVar[type[Any]] = ReproduceResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: ReproduceResult) -> bool:
        return bool(result.items)

    def save_figures(self, result: Any, folder: Path, words: Mapping[str, str], epsilon: float | None) -> list[Path]:
        from ldp_core.presentation.figures import paper

        charts = self.report(result, english(epsilon)).charts
        formats = ("svg", "pdf")
        return [file for one in charts for file in paper.save_chart(one.describe, folder, one.name, formats, words)]
