"""The cells that comparisons share: in a file, and in memory while that cannot be written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from ldp_core.cache import Cache
from ldp_core.errors import StoreDamagedError, StoreError
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies.compare.store import Finding, Store
from ldp_core.types import AuditConfig

STORE = "compare.sqlite"
_T = TypeVar("_T")


class Cells(Store):
    """The cells of a cache, as a store.

    What waits in memory is written with the cache's next file. A damaged file is set aside, and a new one begun.
    """

    def __init__(self, cache: Cache) -> None:
        super().__init__()
        self._cache = cache
        self._file: Store | None = None
        self._waiting: list[tuple[list[Finding], str]] = []
        cache.join("The cells that comparisons share", self._write)

    def opened(self) -> Cells:
        """Look at the file anew, which another server may have replaced."""
        self._file = None
        return self

    def digest(self, fingerprint: str) -> str:
        """Return the data's own name: it is salted where it goes into the file."""
        return fingerprint

    def first_plan(self, config: CompareConfig) -> int:
        first = super().first_plan(config)
        with suppress(StoreError):
            first = self._act(lambda file: file.first_plan(replace(config, num_measurements=first)))
        return first

    def add(self, findings: Iterable[Finding], digest: str) -> None:
        self._waiting.append((list(findings), digest))
        self._cache.catch_up()

    def find(self, configs: Iterable[AuditConfig], digest: str) -> dict[tuple[AuditConfig, int], Finding]:
        wanted, shared_findings, memory = list(configs), dict[tuple[AuditConfig, int], Finding](), Store()
        with suppress(StoreError):  # what cannot be read is counted anew
            shared_findings = self._act(lambda file: file.find(wanted, file.digest(digest)))
        for findings, name in self._waiting:
            memory.add(findings, name)
        return shared_findings | memory.find(wanted, digest)

    def _write(self) -> str:
        """Write what waits; return why that fails, else ""."""
        try:
            while self._waiting:
                self._act(self._write_first)
        except StoreError as error:
            return getattr(error.__cause__, "strerror", None) or str(error.__cause__ or error)
        return ""

    def _write_first(self, file: Store) -> None:
        findings, name = self._waiting[0]
        file.add(findings, file.digest(name))
        del self._waiting[0]

    def _act(self, act: Callable[[Store], _T]) -> _T:
        """Act on the file, or on a new one if it is damaged; raises ``StoreError``."""
        try:
            return act(self._there())
        except StoreDamagedError:
            self._cache.set_aside("results", STORE)
            return act(self.opened()._there())

    def _there(self) -> Store:
        path = self._cache.path("results", STORE)
        if self._file is None or not os.path.exists(path):  # pathlib's may raise
            self._file = Store(path)
        return self._file


@lru_cache(maxsize=4)
def of(cache: Cache) -> Cells:
    """Return the cells of a cache."""
    return Cells(cache)
