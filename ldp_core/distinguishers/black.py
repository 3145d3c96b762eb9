"""Black boxes: rules that look at the server's model before and after a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates, Objective


class _OfTheModel:
    """What is so unless a rule says otherwise."""

    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    law: ClassVar[bool] = False
    abstains: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return "": it means something against every attack."""
        return ""

    def sees_report(self, clients: int) -> bool:
        """Return false: it looks at the model only."""
        return False


@dataclass(frozen=True, slots=True)
class LossFall(_OfTheModel):
    """Guess the first gradient if its function's value fell.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 4, with the first gradient's function for f(x1).
    """

    name: ClassVar[str] = "loss-fall"
    access: ClassVar[str] = "the model before and after the round, and the first image with its label (or the dummy)"

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return f1(before) - f1(after), shape (n,)."""
        (change,) = _changes(updates, pair, _objectives_of(pair)[0])
        return -change


@dataclass(frozen=True, slots=True)
class LossChange(_OfTheModel):
    """Guess the gradient whose image's loss changed more, up or down.

    To first order the change depends on ``|<report, u>|``, whose law is the same under both gradients: this rule has
    almost no power, whatever epsilon.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 6.
    """

    name: ClassVar[str] = "loss-change"
    access: ClassVar[str] = "the model before and after the round, and both images with their labels"

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is offered for two honest images only."""
        return "" if attack == "benign" else "compares the losses of two honest images, and this attack has only one"

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return |f1(after) - f1(before)| - |f2(after) - f2(before)|, shape (n,)."""
        first, second = _changes(updates, pair, *_objectives_of(pair))
        return first.abs() - second.abs()


@dataclass(frozen=True, slots=True)
class SignSum(_OfTheModel):
    """Guess the first gradient, whose values are all positive, if more parameters fell than rose.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 7, whose sign is corrected: the server subtracts.
    """

    name: ClassVar[str] = "sign-sum"
    access: ClassVar[str] = "the model before and after the round"

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is offered for the dummy only."""
        return "" if attack == "dummy" else "counts signs, which says something about a constant dummy gradient only"

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return the sum of sgn(before - after) over the parameters, shape (n,)."""
        return (updates.before - updates.after).sign_().sum(dim=1)


@dataclass(frozen=True, slots=True)
class SignedLoss(_OfTheModel):
    """Guess the gradient whose own function fell more, each change measured in units of its gradient's norm.

    Source: derived here: to first order it compares <update, u1> with <update, u2>, as the cosine does.
    """

    name: ClassVar[str] = "signed-loss"
    access: ClassVar[str] = "the model before and after the round, both functions, and the lengths of both gradients"

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return Df2 / ||grad f2|| - Df1 / ||grad f1||, shape (n,).

        The change of a function with zero gradient counts as the negative of the other's.
        """
        (first, second), geometry = _objectives_of(pair), pair.geometry
        if geometry.norm_second == 0.0 or second.is_negative_of(first):
            (change,) = _changes(updates, pair, first)
            return -2.0 / geometry.norm_first * change
        if geometry.norm_first == 0.0:
            (change,) = _changes(updates, pair, second)
            return 2.0 / geometry.norm_second * change
        first_change, second_change = _changes(updates, pair, first, second)
        return second_change / geometry.norm_second - first_change / geometry.norm_first


class _Inversion(_OfTheModel):
    """A rule that computes reports back from the model, and knows the exact law."""

    access: ClassVar[str] = (
        "the model before and after the round, the server's step length and ball, and both gradients"
    )
    law: ClassVar[bool] = True

    def sees_report(self, clients: int) -> bool:
        """Return whether it can compute the one report back: in a round with one client."""
        return clients == 1

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return <x, u1 - u2>, shape (n,), for x the report that would have made the update by itself.

        Inside of the server's ball the update is the step. On its sphere the model was scaled down by an unknown factor
        a: after = a * (before - s * x) with a public step s. Since x has length 1, b = 1 / a solves
        ||after||^2 b^2 - 2 <before, after> b + ||before||^2 - s^2 = 0; of two positive roots the larger one is at least
        1. With a sum of n reports it is about <sum of reports, u1 - u2> / sqrt(n).
        """
        before, after = updates.before.double(), updates.after.double()
        square, mixed = after.square().sum(dim=1), after @ before
        missing = before.square().sum() - updates.step_length**2
        scale = (mixed + (mixed.square() - square * missing).sqrt()) / square
        scale = scale.where(square.sqrt() > updates.radius * (1.0 - 1e-5), 1.0)
        difference = pair.direction_difference.double()
        return (before @ difference - scale * (after @ difference)) / updates.step_length


@dataclass(frozen=True, slots=True)
class UpdateInversion(_Inversion):
    """Compute the report back from the model before and after, then guess as the cosine distinguisher does.

    Source: derived here.
    """

    name: ClassVar[str] = "update-inversion"

    def objection(self, attack: str, clients: int) -> str:
        """Return why it needs a round with one client."""
        return "" if clients == 1 else "can compute one report back, not a sum of several"


@dataclass(frozen=True, slots=True)
class SumInversion(_Inversion):
    """Compute the sum of a round's reports back, nearly, then guess as the cosine distinguisher does.

    The sum of n nearly orthogonal vectors of length 1 is about sqrt(n) long, so that the step is about as long as one
    report's; with that for its length, the update is inverted as for one client. What shields is then the other
    clients' noise alone (see ``theory.crowd_identification``).

    Source: derived here.
    """

    name: ClassVar[str] = "sum-inversion"


def _objectives_of(pair: GradientPair) -> tuple[Objective, Objective]:
    """Return the functions behind a pair's gradients."""
    if pair.objectives is None:
        raise ValueError("a black-box distinguisher needs a pair with the functions behind its gradients, got none")
    return pair.objectives


def _changes(updates: ModelUpdates, pair: GradientPair, *objectives: Objective) -> list[Tensor]:
    """Return f(after) - f(before) for each function f, of shape (n,)."""
    from ldp_core.learning.objectives import objective_values

    assert pair.model is not None
    known = updates.values_before
    for objective in objectives:
        if id(objective) not in known:
            (known[id(objective)],) = objective_values([objective], pair.model, updates.before.unsqueeze(0))
    after = objective_values(objectives, pair.model, updates.after)
    return [value - known[id(objective)] for objective, value in zip(objectives, after, strict=True)]
