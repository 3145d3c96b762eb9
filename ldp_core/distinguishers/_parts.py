"""What rules share that see the report, and those that see the server's model before and after a round. No torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldp_core.randomness.blocks import in_doubt

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates, Objective


_DOUBTFUL = 5e-7
"""Inner products of unit vectors below it are computed again in float64; float32 errs by some 1e-8."""


def alone(clients: int) -> str:
    """Return why a rule that looks at one report is for a round with one client."""
    return "" if clients == 1 else "looks at one report, so other clients change nothing"


def inner(reports: Tensor, direction: Tensor) -> Tensor:
    """Return the inner products, with the right sign also where float32 cannot tell it."""
    values = reports @ direction
    close = in_doubt(values, _DOUBTFUL)
    if len(close):
        values[close] = (reports[close].double() @ direction.double()).to(values.dtype)
    return values


def inverted(updates: ModelUpdates, pair: GradientPair) -> Tensor:
    """Return <x, u1 - u2>, shape (n,), for x the report that would have made the update by itself.

    Inside of the server's ball the update is the step. On its sphere the model was scaled down by an unknown factor a:
    after = a * (before - s * x) with a public step s. Since x has length 1, b = 1 / a solves
    ||after||^2 b^2 - 2 <before, after> b + ||before||^2 - s^2 = 0; of two positive roots the larger one is at least 1.
    """
    before, after = updates.before.double(), updates.after.double()
    square, mixed = after.square().sum(dim=1), after @ before
    missing = before.square().sum() - updates.step_length**2
    scale = (mixed + (mixed.square() - square * missing).sqrt()) / square
    scale = scale.where(square.sqrt() > updates.radius * (1.0 - 1e-5), 1.0)
    difference = pair.direction_difference.double()
    return (before @ difference - scale * (after @ difference)) / updates.step_length


def objectives_of(pair: GradientPair) -> tuple[Objective, Objective]:
    """Return the functions behind a pair's gradients."""
    if pair.objectives is None:
        raise ValueError("a black-box distinguisher needs a pair with the functions behind its gradients, got none")
    return pair.objectives


def changes(updates: ModelUpdates, pair: GradientPair, *objectives: Objective) -> list[Tensor]:
    """Return f(after) - f(before) for each function f, of shape (n,)."""
    from ldp_core.learning.objectives import objective_values

    assert pair.model is not None
    known = updates.values_before
    for objective in objectives:
        if id(objective) not in known:
            (known[id(objective)],) = objective_values([objective], pair.model, updates.before.unsqueeze(0))
    after = objective_values(objectives, pair.model, updates.after)
    return [value - known[id(objective)] for objective, value in zip(objectives, after, strict=True)]
