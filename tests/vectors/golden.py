"""Write what seeds count: `python -m tests.vectors.golden`. A line that changes is a seed that counts something else.

A new entry of a registry gets its lines by this command; those of the others must not change.
"""

import itertools
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ldp_core.adversaries import ATTACKS
from ldp_core.cache import Cache
from ldp_core.distinguishers import DISTINGUISHERS, LINEAR
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.game.sweep import CompareConfig, test_of
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
from ldp_core.types import SAMPLINGS, AuditConfig, AuditResult

FILE = Path(__file__).with_name("golden.jsonl")
SEED, EPSILON, CLIENTS = 7, 2.0, (1, 3)
TRIALS = {"white": 400, "projected": 70_000, "black": 60}
"""In two chunks of reports, in two of simulated trials, and as few as tell."""
STEP, LABEL = "unbiased", "random"
"""Of the paper that the first vectors followed; other values count something else."""
LONG, LONG_ATTACKS, LONG_EPSILONS = {"white": 4_200, "black": 400}, ("benign", "collusion", "dummy"), (0.5, 4.0)
"""More than coins are drawn for at a time, with two measurements and curves; and a second chunk of models."""
BLACK = tuple(name for name, rule in DISTINGUISHERS.items() if rule.view == "black")
FIELDS = ("attack", "mechanism", "distinguisher", "sampling", "clients", "epsilon", "num_trials")
Line = dict[str, Any]
Key = tuple[Any, ...]


def key(line: Line) -> Key:
    """Return what tells a line from all others."""
    return tuple(line[name] for name in FIELDS)


def configs() -> Iterator[AuditConfig]:
    """Yield every combination that fits."""
    for mechanism, rule, sampling, clients, attack in itertools.product(
        MECHANISMS, DISTINGUISHERS, SAMPLINGS, CLIENTS, ATTACKS
    ):
        trials = TRIALS[test_of(rule) if sampling == "full" else sampling]
        try:
            yield make_config(
                attack=attack, epsilon=EPSILON, seed=SEED, mechanism=mechanism, distinguisher=rule, sampling=sampling,
                clients=clients, training="none", num_trials=trials, num_measurements=1, server_step=STEP,
                wrong_label=LABEL,
            )  # fmt: skip
        except UnsupportedCombinationError:
            continue


def comparisons() -> Iterator[CompareConfig]:
    """Yield comparisons with the white-box and the black-box cells among ``configs``, and two of long runs."""
    paper_s: dict[str, Any] = {"server_steps": (STEP,), "wrong_label": LABEL}
    for mechanism, test in itertools.product(LDP_SGD_FAMILY, ("white", "black")):
        yield CompareConfig(
            ATTACKS, (EPSILON,), SEED, tests=(test,), white_rules=LINEAR, black_rules=BLACK, clients=CLIENTS,
            mechanism=mechanism, training="none", num_trials=TRIALS[test], num_measurements=1, **paper_s,
        )  # fmt: skip
    yield CompareConfig(
        LONG_ATTACKS, LONG_EPSILONS, SEED, white_rules=LINEAR, curves=True, training="none",
        num_trials=LONG["white"], num_measurements=2, **paper_s,
    )  # fmt: skip
    yield CompareConfig(
        LONG_ATTACKS, LONG_EPSILONS, SEED, tests=("black",), black_rules=BLACK, clients=CLIENTS, curves=True,
        training="none", num_trials=LONG["black"], num_measurements=2, **paper_s,
    )  # fmt: skip


def audited(config: AuditConfig, cache: Cache) -> Line:
    """Return the line that an audit gives."""
    *_, last = audit(config, cache, threads=2)
    return line_of(last.result)


def compared(config: CompareConfig, cache: Cache) -> list[Line]:
    """Return the lines that a comparison gives, with curves where it has some."""
    *_, last = compare(config, cache, Store(), threads=2)
    return [line_of(cell) for cell in last.result.cells]


def line_of(result: AuditResult) -> Line:
    """Return what was counted, measurement by measurement."""
    counts, curves = [], []
    for measurement in result.measurements:
        each = measurement.counts
        counts.append([each.first_as_first, each.first_as_second, each.second_as_first, each.second_as_second])
        if measurement.curve is not None:
            curves.append([list(measurement.curve.false_positives), list(measurement.curve.false_negatives)])
    found: Line = {name: getattr(result.config, name) for name in FIELDS} | {"counts": counts}
    return found | ({"curves": curves} if curves else {})


def lines() -> list[Line]:
    """Return all lines; an audit and a comparison must count the same in a cell."""
    found: dict[Key, Line] = {}
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        audits = [audited(config, cache) for config in configs()]
        for line in itertools.chain(audits, *(compared(config, cache) for config in comparisons())):
            if found.setdefault(key(line), line) != line:
                raise ValueError(f"an audit and a comparison must count alike, got {found[key(line)]} and {line}")
    return list(found.values())


if __name__ == "__main__":
    FILE.write_text("".join(json.dumps(line) + "\n" for line in lines()), encoding="utf-8")
