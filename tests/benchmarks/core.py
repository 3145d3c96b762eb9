"""Speed and memory of the core, as ratios taken in one run. Prints a table; asserts nothing.

    python -m tests.benchmarks.core

The yardsticks: drawing the normals that the reports need (the floor), and the obvious loop that
randomizes one report at a time.
"""

import itertools
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import torch

from ldp_core.distinguishers import CosineSimilarity
from ldp_core.estimates import epsilon_lower_bound, identification_interval, max_provable
from ldp_core.mechanisms import LdpSgd
from ldp_core.trials import chunk_size, run_trials
from ldp_core.types import GradientPair, TrialCounts
from tests.helpers.naive_loop import one_report_at_a_time

DIMENSION, TRIALS, THREADS = 10_650, 10_000, 2


def main() -> None:
    """Print one line for each figure of the target list."""
    speed()
    bounds()
    projected()
    memory()


def speed() -> None:
    pair = flipped_pair(DIMENSION)
    floors, tests, full_ratios, loop_ratios = [], [], [], []
    floor(TRIALS)
    white_box(pair, TRIALS)
    for _ in range(9):
        floors.append(seconds(lambda: floor(TRIALS)))
        tests.append(seconds(lambda: white_box(pair, TRIALS)))
        full_ratios.append(tests[-1] / floors[-1])
    for _ in range(3):
        test = seconds(lambda: white_box(pair, TRIALS))
        loop_ratios.append(seconds(lambda: loop(pair, TRIALS)) / test)
    row("floor: K*d normals, 2 threads (s)", min(floors), "")
    row("white-box test, full reports (s)", min(tests), "")
    row("  ratio to the floor, median of 9 pairs", statistics.median(full_ratios), "<= 1.25")
    row("  obvious loop / test, median of 3 pairs", statistics.median(loop_ratios), ">= 8")


def bounds() -> None:
    for number in (10**4, 10**8):
        counts = TrialCounts(number // 2 - number // 8, number // 8, number // 8, number // 2 - number // 8)
        slowest = 0.0
        for bound, anytime in itertools.product(("pooled", "clopper_pearson"), (False, True)):
            for call in (
                partial(epsilon_lower_bound, counts, bound, 0.05, anytime=anytime),
                partial(max_provable, number / 2, number / 2, bound, 0.05, anytime=anytime),
                partial(identification_interval, counts, 0.05, anytime=anytime),
            ):
                slowest = max(slowest, seconds(call))
        row(f"slowest bound from four counts, n = {number:.0e} (ms)", 1000 * slowest, "< 50")


def projected() -> None:
    pair = flipped_pair(DIMENSION)
    duration = seconds(lambda: white_box(pair, 10**8, sampling="projected"))
    row("projected sampling, K = 1e8, 2 threads (s)", duration, "< 20")


def memory() -> None:
    idle = peak("import torch")
    for dimension, trials in ((DIMENSION, 10_000), (DIMENSION, 1_000_000), (100_000, 10_000)):
        code = f"from tests.benchmarks import core; core.white_box(core.flipped_pair({dimension}), {trials})"
        row(f"memory above idle torch, d = {dimension}, K = {trials} (MB)", peak(code) - idle, "<= 150")


def floor(trials: int) -> None:
    """Draw trials * d normals on two threads with a generator each, into a reused buffer of one chunk."""
    rows = chunk_size(DIMENSION)

    def draw(seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        buffer = torch.empty(rows * DIMENSION)
        for _ in range(math.ceil(trials / THREADS / rows)):
            buffer.normal_(generator=generator)

    with ThreadPoolExecutor(THREADS, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(draw, range(THREADS)))


def white_box(pair: GradientPair, trials: int, sampling: str = "full") -> TrialCounts:
    *_, counts = run_trials(LdpSgd(1.0), CosineSimilarity(), pair, trials, seed=1, threads=THREADS, sampling=sampling)
    return counts


def loop(pair: GradientPair, trials: int) -> None:
    torch.set_num_threads(1)
    one_report_at_a_time(pair.first, pair.second, 1.0, 1.0, trials, torch.Generator().manual_seed(1))


def flipped_pair(dimension: int) -> GradientPair:
    gradient = torch.full((dimension,), 1.0 / math.sqrt(dimension))
    return GradientPair(gradient, -gradient)


def peak(code: str) -> float:
    """Return the peak resident memory, in MB, of a fresh Python process that runs the code (Linux)."""
    script = f"{code}\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return int(finished.stdout) / 1024


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(name: str, value: float, target: str) -> None:
    print(f"{name:<58} {value:>9.3f}  {target}", flush=True)


if __name__ == "__main__":
    print(f"torch {torch.__version__}, d = {DIMENSION}, K = {TRIALS}, {THREADS} threads")
    main()
