"""Where a comparison keeps what it found: one SQLite file, one row per cell and measurement."""

import contextlib
import hashlib
import itertools
import json
import os
import secrets
import sqlite3
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ldp_core import _validate, record
from ldp_core.adversaries import has_wrong_label
from ldp_core.errors import StoreDamagedError, StoreError
from ldp_core.facts import DataFacts
from ldp_core.game.sweep import CompareConfig, CompareResult, test_of
from ldp_core.types import AuditConfig, AuditResult, Curve, MeasurementResult, PairGeometry, TrialCounts

_APPLICATION, _VERSION = 0x4C_44_50_31, 1
_WAIT_SECONDS = 60.0
_TOGETHER = 500
"""Cells that are asked for at once."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
COLUMNS = (
    "dataset", "test", "distinguisher", "clients", "attack", "epsilon", "measurement", "angle_degrees", "norm_first",
    "norm_second", "first_as_first", "first_as_second", "second_as_first", "second_as_second",
    "expected_identification", "seed",
)  # fmt: skip
_IRRELEVANT = ("bound", "significance", "num_measurements", "watch", "sampling")
"""Settings that do not change the counts of a measurement."""
_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY, dataset TEXT, test TEXT, distinguisher TEXT, clients INTEGER, attack TEXT, epsilon REAL,
    measurement INTEGER, angle_degrees REAL, norm_first REAL, norm_second REAL,
    first_as_first INTEGER, first_as_second INTEGER, second_as_first INTEGER, second_as_second INTEGER,
    expected_identification REAL, seed INTEGER, strength REAL, description TEXT, curve TEXT, config TEXT,
    device TEXT, versions TEXT, seconds REAL
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finished measurement of one cell; ``seconds`` is its share of the time of the pass that found it."""

    config: AuditConfig
    measurement: int
    result: MeasurementResult
    device: str
    versions: Mapping[str, str]
    seconds: float


class Store:
    """Keep findings in an SQLite file, or in memory.

    Every call is one transaction: a process that is killed leaves the rows of finished calls and nothing else, and
    several processes may use one file. No image, label or gradient is written; data sets are told apart by a digest
    that is salted with a secret of this file.

    Args:
        path: the file, which is created if it does not exist; None for memory only.
        waits: called when another program holds the file, before waiting a minute for it; after a minute in vain the
            next wait is one of a second.

    Raises:
        StoreError: if the file is not such a store or cannot be opened; ``StoreDamagedError`` if it is damaged.
    """

    def __init__(self, path: Path | None = None, waits: Callable[[], None] = lambda: None) -> None:
        self.path, self._waits, self._patience = path, waits, _WAIT_SECONDS
        self._memory = None if path else sqlite3.connect(":memory:", check_same_thread=False)
        if self._memory:
            weakref.finalize(self, self._memory.close)
        if path is not None:
            with self._explained(), contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with self._explained(), self._transaction() as database:
            application = database.execute("PRAGMA application_id").fetchone()[0]
            version = database.execute("PRAGMA user_version").fetchone()[0]
            filled = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
            if filled and application != _APPLICATION:
                raise StoreError(f"the store must be a file that compare made, got another database in {str(path)!r}")
            if filled and version != _VERSION:
                raise StoreError(f"the store must be of version {_VERSION}, got {str(path)!r} of version {version}")
            if not filled:  # else nothing is written, so that one on a full disk can be read
                database.execute(f"PRAGMA application_id = {_APPLICATION}")
                database.execute(f"PRAGMA user_version = {_VERSION}")
                for statement in _TABLES.split(";")[:-1]:
                    database.execute(statement)
        self.salt = self._setting("salt", secrets.token_hex(16))

    def digest(self, fingerprint: str) -> str:
        """Return the name under which this store knows a data set."""
        return hashlib.sha256(f"{self.salt} {fingerprint}".encode()).hexdigest()[:16]

    def seed_for(self, config: CompareConfig) -> int:
        """Return the seed of an earlier run with the same settings; remember ``config.seed`` if there was none."""
        request = json.dumps(asdict(config) | {"seed": None}, sort_keys=True)
        return int(self._setting(f"seed of {hashlib.sha256(request.encode()).hexdigest()}", str(config.seed)))

    def first_plan(self, config: CompareConfig) -> int:
        """Return how many measurements the first run with otherwise the same settings had; remember this one's."""
        request = json.dumps(asdict(config) | {"num_measurements": None}, sort_keys=True)
        name = f"plan of {hashlib.sha256(request.encode()).hexdigest()}"
        return int(self._setting(name, str(config.num_measurements)))

    def add(self, findings: Iterable[Finding], digest: str) -> None:
        """Keep findings, all or none; what is kept already stays, unless only the new one has a curve.

        Raises ``StoreError`` if they cannot be written; what was kept before stays.
        """
        rows = [_row(finding, digest) for finding in findings]
        if not rows:
            return
        marks, taken = (
            ", ".join(pattern.format(name) for name in rows[0]) for pattern in (":{0}", "{0} = excluded.{0}")
        )
        statement = (
            f"INSERT INTO cells ({', '.join(rows[0])}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {taken} "
            "WHERE excluded.curve IS NOT NULL AND cells.curve IS NULL"
        )
        with self._explained(), self._transaction() as database:
            database.executemany(statement, rows)

    def find(self, configs: Iterable[AuditConfig], digest: str) -> dict[tuple[AuditConfig, int], Finding]:
        """Return what is kept of these cells, by cell and measurement."""
        findings = {}
        wanted = {
            _key(config, measurement, digest): (config, measurement)
            for config in configs
            for measurement in range(config.num_measurements)
        }
        names = list(wanted)
        with self._explained(), self._transaction() as database:
            database.row_factory = sqlite3.Row
            for start in range(0, len(names), _TOGETHER):
                keys = names[start : start + _TOGETHER]
                marks = ", ".join("?" * len(keys))
                for row in database.execute(f"SELECT * FROM cells WHERE key IN ({marks})", keys):
                    config, measurement = wanted[row["key"]]
                    try:
                        findings[config, measurement] = _finding(row, config, measurement)
                    except (ValueError, KeyError, TypeError) as error:
                        reason = f"the store must hold what compare wrote, got a row where {error}"
                        raise StoreDamagedError(reason) from error
        return findings

    def _setting(self, name: str, value: str) -> str:
        """Return a kept setting; keep this one if there was none."""
        with self._explained(), self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (name, value))
            return str(database.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()[0])

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction that excludes other writers; commit it, or undo it on an error."""
        database = self._memory or sqlite3.connect(str(self.path), timeout=min(1.0, self._patience))
        try:
            self._begin(database)
            with database:
                self._check_whole(database)
                yield database
        finally:
            if self._memory is None:
                database.close()

    def _begin(self, database: sqlite3.Connection) -> None:
        """Begin the transaction, once other programs have ended theirs."""
        end = time.monotonic() + self._patience
        for attempt in itertools.count():
            try:
                database.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                if not attempt:
                    self._waits()
                if time.monotonic() >= end:
                    self._patience = 1.0
                    raise
            else:
                self._patience = _WAIT_SECONDS
                return

    def _check_whole(self, database: sqlite3.Connection) -> None:
        """Raise ``StoreDamagedError`` if the last page is cut short: SQLite would read zeros in place of the rest."""
        size = self.path.stat().st_size if self.path else 0
        if size % int(database.execute("PRAGMA page_size").fetchone()[0]):
            raise StoreDamagedError(f"the store must be a whole file, got one that is cut at {size:,} bytes")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)  # above 0xFF it says more, such as which file
            kind = StoreDamagedError if code & 0xFF in _DAMAGED else StoreError
            raise kind(f"the store must be a file that can be read and written, got {error}") from error


def assemble(
    config: CompareConfig,
    findings: Mapping[tuple[AuditConfig, int], Finding],
    facts: Mapping[str, DataFacts | None] = MappingProxyType({}),
) -> CompareResult:
    """Put findings together, each in its cell; a cell without any is empty.

    ``config``: what was asked for; ``findings``: the findings, by cell and measurement; ``facts``: data set -> the data
    and the training behind its cells, where they are known.
    """
    cells, numbers = [], []
    for cell in config.cells():
        numbers.append(tuple(number for number in range(cell.num_measurements) if (cell, number) in findings))
        kept = [findings[cell, number] for number in numbers[-1]]
        cells.append(
            AuditResult(
                config=cell,
                measurements=tuple(finding.result for finding in kept),
                completed=len(kept) == cell.num_measurements,
                seconds=sum(finding.seconds for finding in kept),
                device=kept[0].device if kept else "cpu",
                versions=kept[0].versions if kept else {},
                data=facts.get(cell.dataset),
            )
        )
    return CompareResult(config, tuple(cells), sum(cell.seconds for cell in cells), tuple(numbers))


def _key(config: AuditConfig, measurement: int, digest: str) -> str:
    """Name whatever determines the counts of a measurement."""
    relevant = {name: value for name, value in asdict(config).items() if name not in _IRRELEVANT}
    if test_of(config.distinguisher) == "white":
        del relevant["server_step"]
    if not has_wrong_label(config.attack):
        del relevant["wrong_label"]
    named = json.dumps(relevant | {"measurement": measurement, "data": digest}, sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()


def _row(finding: Finding, digest: str) -> dict[str, object]:
    config, result = finding.config, finding.result
    return {
        "key": _key(config, finding.measurement, digest),
        **columns(config, finding.measurement, result),
        "strength": config.strength,
        "description": result.pair.description,
        "curve": json.dumps(asdict(result.curve)) if result.curve else None,
        "config": json.dumps(asdict(config), sort_keys=True),
        "device": finding.device,
        "versions": json.dumps(dict(finding.versions), sort_keys=True),
        "seconds": finding.seconds,
    }


def columns(config: AuditConfig, measurement: int, result: MeasurementResult) -> dict[str, object]:
    """Return one measurement of one cell as the values of ``COLUMNS``."""
    values = asdict(config) | asdict(result.pair) | asdict(result.counts)
    values |= {"test": test_of(config.distinguisher), "measurement": measurement}
    values["expected_identification"] = result.expected_identification
    return {name: values[name] for name in COLUMNS}


def measurement_of(row: Any, curve: Any, law: Callable[[PairGeometry], float | None]) -> MeasurementResult:
    """Return a measurement of the values of ``COLUMNS`` and a description; raise an error if it is impossible.

    ``law``: returns the expected share of right guesses.
    """
    pair = PairGeometry(row["angle_degrees"], row["norm_first"], row["norm_second"], row["description"])
    counts = TrialCounts(*(row[name] for name in TrialCounts.__slots__))
    errors: Curve | None = record.of_json(Curve | None, curve, "curve")
    if errors and (errors.num_first > counts.num_first or errors.num_second > counts.num_second):
        raise ValueError("a curve must have at most the trials of its row")
    return MeasurementResult(pair, counts, law(pair), errors)


def _finding(row: sqlite3.Row, config: AuditConfig, measurement: int) -> Finding:
    """Return a row as it was added; raise ``ValueError``, ``KeyError`` or ``TypeError`` if it cannot have been."""
    curve = json.loads(row["curve"]) if row["curve"] else None
    result = measurement_of(row, curve, lambda _: row["expected_identification"])
    if result.counts.num_trials != config.num_trials:
        raise ValueError(f"trials must be {config.num_trials}, got {result.counts.num_trials}")
    seconds = _validate.number("seconds", row["seconds"], 0.0, 1e9)
    _validate.text("device", row["device"], 100)
    versions = {str(name): str(value) for name, value in dict(json.loads(row["versions"])).items()}
    return Finding(config, measurement, result, row["device"], versions, seconds)
