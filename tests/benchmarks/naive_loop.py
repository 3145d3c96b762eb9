"""The obvious way to run the test, one report at a time, as the papers print it: yardstick and oracle."""

import math

import torch
from torch import Generator, Tensor


def one_report_at_a_time(
    first: Tensor, second: Tensor, epsilon: float, clip_norm: float, trials: int, generator: Generator
) -> tuple[int, int, int, int]:
    """Return first_as_first, first_as_second, second_as_first, second_as_second."""
    counts = [0, 0, 0, 0]
    same_side = math.exp(epsilon) / (1 + math.exp(epsilon))
    for _ in range(trials):
        truth = int(torch.rand((), generator=generator) < 0.5)
        gradient = (first, second)[truth]
        clipped = gradient * min(1.0, clip_norm / gradient.norm().item())
        unit = clipped / clipped.norm()
        keep = torch.rand((), generator=generator) < 0.5 + clipped.norm() / (2 * clip_norm)
        projected = clip_norm * unit if keep else -clip_norm * unit
        direction = torch.randn(len(first), generator=generator)
        direction = direction / direction.norm()
        sign = torch.sign(torch.dot(projected, direction))
        stay = torch.rand((), generator=generator) < same_side
        report = sign * direction if stay else -sign * direction
        to_first = torch.nn.functional.cosine_similarity(report, first, dim=0)
        to_second = torch.nn.functional.cosine_similarity(report, second, dim=0)
        counts[2 * truth + int(to_first < to_second)] += 1
    return counts[0], counts[1], counts[2], counts[3]
