"""Games about rounds whose every report is built, and shown through whoever stands in between.

A view takes the reports of m rounds, shape (m, n, d), the tested client's first, and returns what the attacker sees:
the reference for every law.
"""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from ldp_core.learning.server import HonestClients
from ldp_core.mechanisms import LDP_SGD_FAMILY
from ldp_core.private import GradientPair
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics.plane_sum import PlaneSum
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.games import MOST_REAL, ORDER, OTHERS, REPORTS, Counting, Player, Sum, Summing
from ldp_core.studies.trust.laws import sum_law

View = Callable[[Tensor, Generator], Tensor]
"""Whoever stands in between: takes m rounds of n reports, and returns what is seen: shape (m, k, d), k at most n."""


def shuffled(reports: Tensor, generator: Generator) -> Tensor:
    """Show all reports of each round in an order that says nothing: every order is equally likely."""
    keys = torch.rand(reports.shape[:2], generator=generator, dtype=torch.float64)
    order = keys.argsort(dim=1).to(reports.device)
    return torch.take_along_dim(reports, order.unsqueeze(2), dim=1)


SHOWN: dict[str, View] = {
    "local": lambda reports, _: reports[:, :1],
    "shuffled": shuffled,
    "aggregated": lambda reports, _: reports.sum(dim=1, keepdim=True),
}
"""By the names in ``views.VIEWS``."""
_FULL_VALUES = 2**22


class Building(Player):
    """Full games: every report of every round is built, and shown through a view.

    Args:
        others: the real other clients; None where they are uniform or agree.
        view: who stands in between; the configuration's honest one without it.
    """

    def __init__(
        self, config: TrustConfig, pair: GradientPair, others: HonestClients | None, view: View | None = None
    ) -> None:
        super().__init__(config, pair, others)
        self.view = view or SHOWN[config.view]
        self.block = max(1, _FULL_VALUES // (config.honest * pair.dimension))
        self.size = max(self.block, min(512, 16 * self.block))
        self.gradients = self._gradients()
        self.scores: NDArray[np.float64] | None = None
        self.turned: list[tuple[int, float, float]] = []
        law = sum_law(config, self.geometry)
        self.plane = law if isinstance(law, PlaneSum) else None
        if config.rule == "best" and not config.sums:
            if self.law is None:
                raise ValueError(
                    f"the pair must be opposite for the best rule with {config.mechanism}, got another one"
                )
            self.scores = self.law.scores()
            if others is not None:
                self.scores = Counting(config, pair, others).scores
        elif config.mechanism in LDP_SGD_FAMILY:
            self.turned = Summing(config, pair, others).turned
        self.sum = Sum(config, self.geometry, self.turned)

    def guess(self, rng: np.random.Generator, chunk: int, games: int, num_first: int) -> NDArray[np.bool_]:
        """Build the reports of blocks of rounds, show them, and guess."""
        device, dtype = self.pair.first.device, self.pair.first.dtype
        reports_from = stream_generator(self.config.seed, 0, chunk, REPORTS, str(device))
        order_from = stream_generator(self.config.seed, 0, chunk, ORDER)
        guesses, clients = np.empty(games, dtype=bool), self.config.reports
        for start in range(0, games, self.block):
            rounds = min(self.block, games - start)
            leading = min(max(num_first - start, 0), rounds)
            reports = torch.empty(rounds, clients, self.pair.dimension, dtype=dtype, device=device)
            if leading:
                reports[:leading, 0] = self.mechanism.randomize(self.pair.first, leading, reports_from)
            if rounds > leading:
                reports[leading:, 0] = self.mechanism.randomize(self.pair.second, rounds - leading, reports_from)
            for other in range(clients - 1):
                gradient = self.gradients[other % len(self.gradients)]
                reports[:, other + 1] = self.mechanism.randomize(gradient, rounds, reports_from)
            guesses[start : start + rounds] = self.look(self.view(reports, order_from))
        return guesses

    def look(self, seen: Tensor) -> NDArray[np.bool_]:
        """Guess from what is seen of m rounds, shape (m, k, d)."""
        if self.plane is not None:
            first, second = self.pair.first_direction.double(), self.pair.second_direction.double()
            axes = torch.stack((first, torch.nn.functional.normalize(second - (second @ first) * first, dim=0)), dim=1)
            sums = seen.double().sum(dim=1) @ axes * math.sqrt(self.pair.dimension)
            guessed: NDArray[np.bool_] = self.plane.guess(*sums.T.numpy(force=True)) >= 0.0
            return guessed
        if self.scores is None:
            along = seen.double().sum(dim=1) @ self.pair.direction_difference.double()
            length = self.pair.direction_difference.double().norm()
            return self.sum.guess((along / length * math.sqrt(self.pair.dimension)).numpy(force=True))
        inner = [(seen @ unit).numpy(force=True) for unit in (self.pair.first_direction, self.pair.second_direction)]
        least = np.zeros(1)
        if hasattr(self.mechanism, "cap"):
            norm = cast(Any, self.mechanism).report_norm(self.pair.dimension)
            least = np.array([self.mechanism.cap(self.pair.dimension).height * float(norm)])
        outside = [(products < least).astype(np.int64) for products in inner]
        guesses: NDArray[np.bool_] = self.scores[(2 * outside[0] + outside[1])].sum(axis=1) >= 0.0
        return guesses

    def _gradients(self) -> list[Tensor]:
        """Return the other clients' gradients: one for all, or at most ``MOST_REAL`` different ones."""
        config, pair = self.config, self.pair
        if config.reports == 1:
            return []
        if config.others == "agree":
            return [pair.first]
        if self.others is not None:
            rows = zip(self.others.directions, self.others.norms, strict=True)
            return [direction * min(norm, 1e30) for direction, norm in rows]
        generator = stream_generator(config.seed, 0, 0, OTHERS)
        count = min(config.reports - 1, MOST_REAL)
        drawn = torch.empty(count, pair.dimension, dtype=torch.float64).normal_(generator=generator)
        plane = torch.stack((pair.first_direction, pair.second_direction)).double().cpu()
        basis = torch.linalg.svd(plane, full_matrices=False)
        kept = basis.Vh[basis.S > 1e-6]
        drawn -= (drawn @ kept.T) @ kept
        drawn *= config.clip_norm / drawn.norm(dim=1, keepdim=True)
        return list(drawn.to(pair.first.dtype).to(pair.first.device))
