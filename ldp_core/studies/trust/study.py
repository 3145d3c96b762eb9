"""Whom must you trust: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import KeptStudy, check_agrees, check_known
from ldp_core.studies.trust import command
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustResult
from ldp_core.studies.trust.workload import check_size
from ldp_core.study import Request, data_of

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Trust(KeptStudy):
    """One client's report, seen alone, in a shuffled list, or in a sum."""

    name: ClassVar[str] = "trust"
    config: ClassVar[type] = TrustConfig
    timed: ClassVar[str] = "trials"
    result: ClassVar[type[Any]] = TrustResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.trust.run import trust

        where = yield from data_of(request, self.datasets(request.config))
        yield from trust(request.config, cache, threads=threads, halted=request.unwanted, **where)

    def found(self, result: TrustResult) -> bool:
        return bool(result.counts.num_trials)

    def check_size(self, config: TrustConfig) -> None:
        check_size(config)

    def check_stated(self, result: TrustResult, report: Mapping[str, Any]) -> None:
        check_known(attack=(result.config.attack,))
        check_agrees("seed", report["seed"], result.config.seed)
