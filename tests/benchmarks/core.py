"""Speed and memory of the core, as ratios to drawing the normals alone (the floor) and to the obvious loop.

python -m tests.benchmarks.core [FOLDER WITH MNIST] [--quick]
"""

import argparse
import itertools
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from ldp_core.adversaries import ADVERSARIES
from ldp_core.cache import Cache
from ldp_core.datasets import load_dataset
from ldp_core.distinguishers import DISTINGUISHERS, CosineSimilarity
from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.setup import client_state, craft_pair, ended, prepare
from ldp_core.game.sweep import CompareConfig
from ldp_core.game.trials import sampling_threads
from ldp_core.learning.models import ThreeLayerCnn, flat_parameters
from ldp_core.learning.server import ModelTrainer
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import ClientState, GradientPair
from ldp_core.statistics.amplification import clones
from ldp_core.statistics.estimates import epsilon_lower_bound, max_provable
from ldp_core.statistics.intervals import identification_interval
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.games import in_chunks
from ldp_core.studies.trust.run import player
from ldp_core.types import TrialCounts
from tests.benchmarks.naive_loop import one_report_at_a_time
from tests.game.alone import run_trials

DIMENSION, TRIALS, THREADS = 10_650, 10_000, 2


def main() -> None:
    """Print one line for each figure of the target list."""
    parser = argparse.ArgumentParser(description="Speed and memory of the core, as ratios taken in one run.")
    parser.add_argument("folder", type=Path, nargs="?", help="that holds MNIST/raw; without one, the built-in digits")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of the trials, once: to see that it runs")
    options = parser.parse_args()
    part = 50 if options.quick else 1
    print(f"torch {torch.__version__}, d = {DIMENSION}, K = {TRIALS // part}, {THREADS} threads")
    start()
    speed(part)
    cores(part)
    table_one(options.folder, part)
    black_box(part)
    bounds()
    projected(part)
    rounds(part)
    memory(part)


def times(number: int, part: int) -> range:
    """Repeat something so often, or once where only a part of the trials is run."""
    return range(number if part == 1 else 1)


def speed(part: int) -> None:
    trials, pair = TRIALS // part, flipped_pair(DIMENSION)
    floors, tests, full_ratios, loop_ratios = [], [], [], []
    floor(trials)
    white_box(pair, trials)
    for _ in times(9, part):
        floors.append(seconds(lambda: floor(trials)))
        tests.append(seconds(lambda: white_box(pair, trials)))
        full_ratios.append(tests[-1] / floors[-1])
    for _ in times(3, part):
        test = seconds(lambda: white_box(pair, trials))
        loop_ratios.append(seconds(lambda: loop(pair, trials)) / test)
    row("floor: K*d normals, 2 threads (s)", min(floors), "")
    row("white-box test, full reports (s)", min(tests), "")
    row("  ratio to the floor, median of 9 pairs", statistics.median(full_ratios), "<= 1.25")
    row("  obvious loop / test, median of 3 pairs", statistics.median(loop_ratios), ">= 8")


def start() -> None:
    """Print CPU seconds of fresh processes: a first result beside ``import torch``, and what needs no torch."""

    def median(*arguments: str) -> float:
        return statistics.median(cpu(*arguments) for _ in range(5))

    audit = ("-m", "ldp_core", "audit", "--attack", "dummy", "--epsilon", "1")
    bare, one_result = median("-c", "pass"), (*audit, "--trials", "1000", "--measurements", "1")
    cpu(*one_result)  # trains the model, which is kept
    row(
        "first result of 1,000 trials / import torch, CPU", median(*one_result) / median("-c", "import torch"), "<= 1.3"
    )
    for name, arguments, target in (
        ("--help", ("-m", "ldp_core", "--help"), "<= 0.35"),
        ("a refused argument", (*audit, "--trials", "0"), "<= 0.35"),
        ("import ldp_core", ("-c", "import ldp_core"), "<= 0.1"),
    ):
        row(f"{name}: CPU seconds beyond those of Python", median(*arguments) - bare, target)


def cpu(*arguments: str) -> float:
    """Return the CPU seconds of a Python process (POSIX)."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def cores(part: int) -> None:
    """Print how much of one thread's speed is left to each of several, for the floor and for the white box."""
    pair, available = flipped_pair(DIMENSION), sampling_threads()
    alone: dict[str, float] = {}
    for threads in (number for number in (1, 2, 4, 8, 16, 32) if number <= available):
        trials = TRIALS // part * threads
        for name, work in (
            ("floor", partial(floor, trials, threads)),
            ("white box", partial(white_box, pair, trials, threads=threads)),
        ):
            duration = min(seconds(work) for _ in times(3, part))
            share = alone.setdefault(name, duration) / duration
            row(
                f"  {threads} threads, {name}: speed of each / of one alone",
                share,
                {2: ">= 0.9", 4: ">= 0.7", 16: ">= 0.6"}.get(threads, ""),
            )


def table_one(data_dir: Path | None, part: int) -> None:
    """Time Table 1 of the Japanese paper: 5 attacks, 4 epsilons, 10 measurements, crafting included, model kept."""
    attacks = ("benign", "label-flip", "gradient-flip", "collusion", "dummy")
    trials, datasets = TRIALS // part, ("mnist" if data_dir else "digits",)
    config = CompareConfig(attacks, (0.5, 1.0, 2.0, 4.0), 1, datasets=datasets, num_trials=trials)
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))

        def table() -> float:
            """Return the seconds from the first pair to the last cell: data and model are there before."""
            start = 0.0
            for progress in compare(config, cache, Store(), data_dir=data_dir, threads=THREADS):
                start = start or (time.perf_counter() if progress.stage == "crafting" else 0.0)
            return time.perf_counter() - start

        table()
        floors, tables = [], []
        for _ in times(5, part):
            floors.append(seconds(lambda: floor(10 * trials)))
            tables.append(table())
        pairs = [craft_pair(cell, client_of(cache, config, data_dir), 0) for cell in config.cells()]
    ratios = [one / other for one, other in zip(tables, floors, strict=True)]
    row(f"Table 1 on {config.datasets[0]}: floor of 10*K*d normals (s)", min(floors), "")
    row(f"  5 attacks x 4 epsilons x 10 x {trials:,} trials (s)", min(tables), "")
    row("  ratio to the floor, median of 5 pairs", statistics.median(ratios), "<= 1.4")
    looped = sum(
        seconds(partial(loop, pair, trials // 10, cell.epsilon))
        for pair, cell in zip(pairs, config.cells(), strict=True)
    )
    row("  obvious loop (a hundredth, scaled) / Table 1", 100 * looped / statistics.median(tables), ">= 100")


def black_box(part: int) -> None:
    """Time one cell that looks at models against one that looks at reports; same pair, trials and threads."""
    data, trials = load_dataset("digits"), TRIALS // part
    model = ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1))
    client = ClientState(model, data.images, data.labels, data.train_images, data.train_labels, 10, 1.0)
    trainer = ModelTrainer(DIMENSION, 3.0 * flat_parameters(model).norm().item())
    for attack, rule in (("benign", "loss-change"), ("gradient-flip", "loss-fall"), ("dummy", "sign-sum")):
        pair = ADVERSARIES[attack].craft(client, torch.Generator().manual_seed(1))
        cell = Cell(LdpSgd(1.0), DISTINGUISHERS[rule], pair, 7, trainer)

        def black(cell: Cell = cell) -> None:
            list(run_cells([cell], trials, seed=1, threads=THREADS))

        black()
        ratios = []
        for _ in times(5, part):
            white = seconds(partial(white_box, pair, trials))
            ratios.append(seconds(black) / white)
        row(f"black box, {attack}, {rule} / white-box test", statistics.median(ratios), "<= 4")


def client_of(cache: Cache, config: CompareConfig, data_dir: Path | None) -> ClientState:
    ready = ended(prepare(lambda *_: None, config.datasets[0], config.training, cache, data_dir=data_dir))
    return client_state(ready.data, ready.model, config.clip_norm)


def bounds() -> None:
    for number in (10**2, 10**4, 10**8):
        counts = TrialCounts(number // 2 - number // 8, number // 8, number // 8, number // 2 - number // 8)
        slowest = 0.0
        for bound, anytime in itertools.product(("pooled", "clopper_pearson"), (False, True)):
            for call in (
                partial(epsilon_lower_bound, counts, bound, 0.05, anytime=anytime),
                partial(max_provable, number / 2, number / 2, bound, 0.05, anytime=anytime),
                partial(identification_interval, counts, 0.05, anytime=anytime),
            ):
                slowest = max(slowest, seconds(call))
        if number > 10**2:  # the first loads scipy
            row(f"slowest bound from four counts, n = {number:.0e} (ms)", 1000 * slowest, "< 50")


def projected(part: int) -> None:
    pair = flipped_pair(DIMENSION)
    trials = 10**8 // part
    duration = seconds(lambda: white_box(pair, trials, sampling="projected"))
    row(f"projected sampling, K = {trials:.0e}, 2 threads (s)", duration, "< 20" if part == 1 else "")


def rounds(part: int) -> None:
    """Time games about one report among those of n clients, in a list and in a sum."""
    pair, games = flipped_pair(DIMENSION), 100_000 // part
    row("bound by clones, n = 1e5 (s)", seconds(partial(clones, 8.0, 100_000, 1e-5)), "< 5")
    for view, others in (("shuffled", "uniform"), ("shuffled", "agree"), ("aggregated", "agree")):
        asked = TrustConfig("dummy", 4.0, 1, view=view, others=others, clients=1_000, games=games)
        name = f"{games:,} games, {view}, n = 1,000, others {others} (s)"
        row(name, seconds(partial(played, asked, pair)), "< 5" if part == 1 else "")
    few = TrustConfig("dummy", 4.0, 1, clients=20, games=games)
    full = replace(few, sampling="full", games=max(1, games // 200))
    ratio = seconds(partial(played, full, pair)) / full.games / (seconds(partial(played, few, pair)) / few.games)
    row("  every report built / projected, a game, n = 20", ratio, ">= 100")


def played(config: TrustConfig, pair: GradientPair) -> TrialCounts:
    play = player(config, pair)
    return sum(in_chunks(play, config.games, play.size, THREADS), TrialCounts())


def memory(part: int) -> None:
    idle = peak("import torch")
    for dimension, most in ((DIMENSION, 10_000), (DIMENSION, 1_000_000), (100_000, 10_000)):
        trials = most // part
        code = f"from tests.benchmarks import core; core.white_box(core.flipped_pair({dimension}), {trials})"
        row(f"memory above idle torch, d = {dimension}, K = {trials} (MB)", peak(code) - idle, "<= 150")


def floor(trials: int, threads: int = THREADS) -> None:
    """Draw trials * d normals on threads with a generator each, into a reused buffer of 8 MB."""
    rows = 2**21 // DIMENSION

    def draw(seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        buffer = torch.empty(rows * DIMENSION)
        for _ in range(math.ceil(trials / threads / rows)):
            buffer.normal_(generator=generator)

    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(draw, range(threads)))


def white_box(pair: GradientPair, trials: int, sampling: str = "full", threads: int = THREADS) -> TrialCounts:
    *_, counts = run_trials(LdpSgd(1.0), CosineSimilarity(), pair, trials, seed=1, threads=threads, sampling=sampling)
    return counts


def loop(pair: GradientPair, trials: int, epsilon: float = 1.0) -> None:
    torch.set_num_threads(1)
    one_report_at_a_time(pair.first, pair.second, epsilon, 1.0, trials, torch.Generator().manual_seed(1))


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
    main()
