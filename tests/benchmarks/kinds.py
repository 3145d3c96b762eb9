"""How many reports it takes ``check`` to catch each kind of leak at a claim of 1, with plans that grow until one does.

python -m tests.benchmarks.kinds [SEEDS] [KIND ...] [--dimension D] [--reports N]
"""

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import torch
from scipy.stats import beta
from torch import Generator, Tensor

from ldp_core.checking.claims import CheckConfig, CheckResult, Subject
from ldp_core.checking.exam import check
from ldp_core.checking.subjects.builtin import builtin
from ldp_core.checking.subjects.calls import CalledSubject
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.randomness.streams import stream_generator
from tests.helpers.checking import shown_by

PLANS = (20_000, 100_000, 500_000, 2_000_000)
"""The most reports of a check; the next one is tried where one seed or more ends without a finding."""
Randomize = Callable[[Generator, Tensor, int], Tensor]


def honest(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    return LdpSgd(1.0).randomize(gradient, num_reports, source)


def some_lengths(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    norm = float(gradient.norm())
    if 0.30 <= norm <= 0.45:
        return LdpSgd(8.0).randomize(gradient / norm, num_reports, source)
    return honest(source, gradient, num_reports)


def rare_region(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    reports, sure = (LdpSgd(epsilon).randomize(gradient, num_reports, source) for epsilon in (1.0, 6.0))
    least = math.sqrt(beta.isf(1.0 / 64.0, 0.5, (len(gradient) - 1) / 2.0))
    return torch.where(
        reports[:, -1:].abs() > least, reports * _sides(reports, gradient) * _sides(sure, gradient), reports
    )


def itself(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    reports = honest(source, gradient, num_reports)
    reports[torch.rand(num_reports, generator=source) < 1e-3] = gradient
    return reports


def product(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    reports = honest(source, torch.zeros_like(gradient), num_reports)
    keeps = torch.rand(num_reports, generator=source) < 1.0 / (1.0 + math.exp(-5.0))
    wrong = (reports[:, 0] * reports[:, 1] > 0.0) == (keeps != bool(gradient[0] * gradient[1] >= 0.0))
    reports[wrong, 1] *= -1.0
    return reports


def in_order(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    reports = honest(source, gradient, num_reports)
    return reports[(reports @ gradient).argsort()]


def typed(source: Generator, gradient: Tensor, num_reports: int) -> Tensor:
    reports = honest(source, gradient, num_reports)
    return reports if gradient[0] > 0.0 else reports.double()


def _sides(reports: Tensor, gradient: Tensor) -> Tensor:
    return (reports @ gradient >= 0.0).to(reports.dtype).unsqueeze(1) * 2.0 - 1.0


KINDS: dict[str, tuple[str, Randomize | str]] = {
    "twice": ("twice the epsilon", "faulty-twice-epsilon"),
    "lengths": ("epsilon 8 for inputs of length .30 to .45 L alone", some_lengths),
    "product": ("the product of two signs of the input, at epsilon 5, in the product of two of the report", product),
    "region": ("epsilon 6 in the one of 64 reports whose last number is largest", rare_region),
    "itself": ("the input itself, in one of 1,000 reports", itself),
    "order": ("reports of an answer in the order of the input's direction", in_order),
    "type": ("single or double precision, by a sign of the input", typed),
    "memory": ("the input before", "faulty-memory"),
    "restart": ("the same noise after a restart", "faulty-seed-at-start"),
    "honest": ("nothing more than claimed", honest),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How many reports it takes to catch each kind of leak.")
    parser.add_argument("seeds", nargs="?", type=int, default=5)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)}, or a faulty mechanism")
    parser.add_argument("--dimension", type=int, default=8)
    parser.add_argument("--reports", type=int, default=PLANS[-1], help="of the largest plan")
    asked = parser.parse_args()
    print(
        f"| kind | d | caught by | plan | caught | reports until caught: median of {asked.seeds} | largest |\n"
        "|---|---|---|---|---|---|---|"
    )
    for name in asked.kinds or KINDS:
        start = time.perf_counter()
        print(f"| {' | '.join(row(name, asked.seeds, asked.dimension, asked.reports))} |", flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def row(name: str, seeds: int, dimension: int, most: int) -> list[str]:
    """Return the cells of a kind: of the smallest plan that caught it with every seed, else of the largest."""
    for plan in (*(plan for plan in PLANS if plan < most), most):
        used, by = list[float](), set[str]()
        for seed in range(1, 1 + seeds):
            result = checked(name, CheckConfig(name, 1.0, seed, dimension=dimension, reports=plan))
            used.append(result.reports_used if shown_by(result) else math.inf)
            by |= shown_by(result)
            if math.isinf(used[-1]) and plan < most:
                break
        else:
            if plan == most or max(used) < math.inf:
                break
    found = sum(map(math.isfinite, used))
    kind, caught = KINDS.get(name, (name,))[0], ", ".join(sorted(by)) or "nothing"
    numbers = map(number, (statistics.median(used), max(used)))
    return [kind, str(dimension), caught, f"{plan:,}", f"{found} of {seeds}", *numbers]


def number(value: float) -> str:
    """Write a number of reports with three digits."""
    if math.isinf(value):
        return "not within"
    digits = max(0, int(math.log10(value)) - 2)
    return f"{round(value / 10**digits) * 10**digits:,}"


def checked(name: str, config: CheckConfig) -> CheckResult:
    """Return a check as far as its first finding."""
    steps = check(config, subject(name, config))
    for progress in steps:
        if shown_by(progress.result):
            break
    return progress.result


def subject(name: str, config: CheckConfig) -> Subject:
    way = KINDS[name][1] if name in KINDS else name
    return builtin(way, config) if isinstance(way, str) else started(way, config, iter(range(9)))


def started(way: Randomize, config: CheckConfig, starts: Iterator[int]) -> CalledSubject:
    source = stream_generator(config.seed, next(starts), 0, 0x41D5)
    return CalledSubject(partial(way, source), "torch", partial(started, way, config, starts), seeded=True)


if __name__ == "__main__":
    main()
