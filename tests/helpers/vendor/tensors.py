"""Randomizers of somebody else that take tensors."""

import torch


def torch_only(gradient: torch.Tensor, num_reports: int) -> torch.Tensor:
    return gradient.clone().repeat(num_reports, 1)


def torch_by_deed(gradient, num_reports):  # type: ignore[no-untyped-def]
    return torch.stack([gradient.detach()] * num_reports).to(torch.bfloat16)


class Server:
    """A server's mean beside its randomizer: the constant follows from it."""

    def randomize(self, gradient: torch.Tensor, num_reports: int) -> torch.Tensor:
        return torch.ones(num_reports, len(gradient))

    def aggregate(self, reports: torch.Tensor) -> torch.Tensor:
        return 3.5 * reports.mean(dim=0)

    def report_norm(self, dimension: int) -> float:
        return float(dimension) ** 0.5
