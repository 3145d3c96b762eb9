"""How fast pictures are rebuilt and named, as seconds and as ratios taken in one run. Prints a table; asserts nothing.

python -m tests.benchmarks.rebuilding [FOLDER WITH MNIST] [--quick]
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ldp_core.cache import Cache
from ldp_core.game.setup import one_thread_per_operation
from ldp_core.learning.gradients import gradients_of
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.learning.sent import span_of
from ldp_core.mechanisms import LdpSgd
from ldp_core.reconstructions.identify import by_reports
from ldp_core.reconstructions.inversion import RATE, VARIATION, Inversion
from ldp_core.reconstructions.peel import Peel
from ldp_core.studies.reconstruction.strip import Scene

STEPS = 300


def main() -> None:
    """Print one line for each figure."""
    parser = argparse.ArgumentParser(description="How fast pictures are rebuilt and named.")
    parser.add_argument("folder", type=Path, nargs="?", help="that holds MNIST/raw; without one, the built-in digits")
    parser.add_argument("--quick", action="store_true", help="a thirtieth of the steps, once: to see that it runs")
    options = parser.parse_args()
    folder, steps = options.folder, STEPS // 30 if options.quick else STEPS
    start = time.perf_counter()
    scene = Scene.of("digits" if folder is None else "mnist", "none", Cache(), folder)
    line("the page's model, data and fits, once (s)", time.perf_counter() - start, "< 6 with the next")
    line("the page's first picture (s)", seconds(lambda: scene.seat(0, 0)), "")
    line("a new picture (s)", middle(lambda turn: scene.seat(turn + 1, 0)), "< 1")
    sitter = scene.seat(0, 0)
    line("a move of epsilon (s)", middle(lambda turn: scene.rebuild(sitter, 1.0 + turn)), "< 0.2")
    with one_thread_per_operation():
        line("identification among 1,000 from n = 1,000 reports, all of it (s)", seconds(lambda: named(scene)), "< 3")
        update = gradients_of(scene.model, scene.data.images[:1], scene.data.labels[:1])
        peel = middle(lambda turn: Peel().rebuild(scene.knowledge, update, 0.0, 1, torch.Generator()))
        line("peel, one picture (s)", peel, "< 2")
        for restarts in (1, 2, 4, 8):
            inversion(scene, update, restarts, steps)


def named(scene: Scene) -> None:
    """Compute what 1,000 candidates would send, and name the one behind 1,000 reports."""
    images, labels = scene.data.train_images[:1_000], scene.data.train_labels[:1_000]
    span = span_of(gradients_of(scene.model, images, labels))
    by_reports(LdpSgd(1.0, 1.0), span, 0, 10_650, (1_000,), torch.Generator().manual_seed(0))


def inversion(scene: Scene, update: Tensor, restarts: int, steps: int) -> None:
    """Compare restarts that move as one batch with one autograd loop after the other."""
    label = scene.data.labels[:1]
    ratios = []
    for _ in range(3 if steps == STEPS else 1):
        together = seconds(
            lambda: Inversion(steps, restarts).rebuild(scene.knowledge, update, 0.0, 1, torch.Generator())
        )
        alone = seconds(lambda: [plain_loop(scene.model, update[0], label, steps) for _ in range(restarts)])
        ratios.append(alone / together)
    target = "> 3" if restarts >= 4 else ""
    line(f"inversion, {steps} steps, {restarts} restarts: plain loop over ours", statistics.median(ratios), target)


def plain_loop(model: ThreeLayerCnn, update: Tensor, label: Tensor, steps: int) -> Tensor:
    """Invert one update from one start, as a first attempt would."""
    parameters = list(model.parameters())
    image = torch.rand(1, 1, 28, 28).requires_grad_()
    mean = torch.zeros_like(image)
    for _ in range(steps):
        loss = cross_entropy(model(image), label)
        sent = torch.cat([part.reshape(-1) for part in torch.autograd.grad(loss, parameters, create_graph=True)])
        rough = (image[..., 1:, :] - image[..., :-1, :]).abs().mean() + (image[..., 1:] - image[..., :-1]).abs().mean()
        missed = 1.0 - (sent @ update) / (sent.norm() * update.norm()) + VARIATION * rough
        (slope,) = torch.autograd.grad(missed, [image])
        mean = mean.lerp(slope, 0.1)
        image = (image.detach() - RATE * mean.sign()).clamp(0.0, 1.0).requires_grad_()
    return image.detach()


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def middle(action: Callable[[int], object]) -> float:
    return statistics.median(seconds(lambda turn=turn: action(turn)) for turn in range(7))  # type: ignore[misc]


def line(name: str, value: float, target: str) -> None:
    print(f"{name:<72} {value:>9.2f}  {target}", flush=True)


if __name__ == "__main__":
    main()
