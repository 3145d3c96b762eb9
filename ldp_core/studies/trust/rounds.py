"""What an attacker is shown of whole rounds, built report by report: the reference for every law.

A view takes the reports of m rounds, shape (m, n, d), the tested client's first, and returns what the attacker sees.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Generator, Tensor


class View(Protocol):
    """Whoever stands between the clients and the attacker."""

    def __call__(self, reports: Tensor, generator: Generator) -> Tensor:
        """Return what is seen of m rounds of n reports: shape (m, k, d), k at most n."""
        ...


def local(reports: Tensor, generator: Generator) -> Tensor:
    """Show the tested client's report: there is nobody in between."""
    return reports[:, :1]


def shuffled(reports: Tensor, generator: Generator) -> Tensor:
    """Show all reports of each round in an order that says nothing: every order is equally likely."""
    keys = torch.rand(reports.shape[:2], generator=generator, dtype=torch.float64)
    order = keys.argsort(dim=1).to(reports.device)
    return torch.take_along_dim(reports, order.unsqueeze(2), dim=1)


def aggregated(reports: Tensor, generator: Generator) -> Tensor:
    """Show the sum of each round's reports alone."""
    return reports.sum(dim=1, keepdim=True)


SHOWN: dict[str, View] = {"local": local, "shuffled": shuffled, "aggregated": aggregated}
"""By the names in ``views.VIEWS``."""
