"""Whole checks of the built-in mechanisms, honest and faulty, and what their vendor answers to a challenge."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig, CheckResult
from ldp_core.checking.exam import check
from ldp_core.checking.subjects.builtin import builtin
from ldp_core.checking.subjects.calls import ARGUMENTS, stated
from ldp_core.checking.subjects.python import Limits, RemoteSubject, Workers, opened
from ldp_core.mechanisms import MECHANISMS
from ldp_core.mechanisms.faulty import FAULTY, PRIVACY_TEST
from ldp_core.types import CLAIM_REJECTED

BUDGETS = {
    "faulty-five-percent": 4_000_000,
    "faulty-gaussian-sensitivity": 4_000_000,
    "faulty-ten-percent": 1_000_000,
    "faulty-twenty-percent": 200_000,
    "faulty-no-norm-projection": 400_000,
    "faulty-memory": 400_000,
}
"""The most reports that a check may use, for liars that 100,000 do not always show at a significance of 1e-6."""


def config_of(
    name: str, seed: int, *, dimension: int = 8, reports: int | None = None, significance: float = 1e-6
) -> CheckConfig:
    """Return a check of a built-in mechanism at the claim epsilon = 1, with all that it states about itself."""
    reports = BUDGETS.get(name, 100_000) if reports is None else reports
    kind = {**MECHANISMS, **FAULTY}[name]
    claims = {"epsilon": 1.0} | stated(kind(1.0), dimension)
    options = {"dimension": dimension, "reports": reports, "significance": significance, "seed": seed}
    return CheckConfig(name, **(claims | options))  # type: ignore[arg-type]


def run_check(config: CheckConfig, stop: frozenset[str] = frozenset()) -> CheckResult:
    """Run a check of a built-in mechanism: to its end, or until one of these clauses or the test has shown a fault."""
    result = None
    for progress in check(config, builtin(config.subject, config)):
        result = progress.result
        if stop & shown_by(result):
            break
    return result


def load(
    target: str, config: CheckConfig, arrays: str = "auto", *, limits: Limits | None = None
) -> RemoteSubject | Workers:
    """Return the mechanism that ``package.module:Name`` names, made for a claim."""
    values = {name: getattr(config, name) for name in ARGUMENTS}
    return opened(target, values, ARGUMENTS, config.dimension, arrays, limits)


def shown_by(result: CheckResult) -> frozenset[str]:
    """Return the clauses that were not kept, and the privacy test if it rejected the claim."""
    found = {clause.name for clause in result.failed}
    return frozenset(found | ({PRIVACY_TEST} if result.verdict == CLAIM_REJECTED else set()))


def vendors_reports(challenge: Mapping[str, NDArray[Any]], name: str, epsilon: float) -> NDArray[np.float32]:
    """Return what the vendor of a built-in mechanism, really made for an epsilon, answers to a challenge."""
    mechanism = {**MECHANISMS, **FAULTY}[name](epsilon, float(challenge["clip_norm"]))
    gradients, order, generator = challenge["gradients"], challenge["order"], torch.Generator().manual_seed(7)
    reports = np.empty((len(order), gradients.shape[1]), np.float32)
    for index, gradient in enumerate(gradients):
        rows = np.flatnonzero(order == index)
        reports[rows] = mechanism.randomize(torch.from_numpy(gradient), len(rows), generator).numpy()
    return reports
