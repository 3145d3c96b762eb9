"""Which training explains Table 1 of [J]? A map over what the papers leave open, from the exact law: no trials.

    python -m tests.benchmarks.table1 [FOLDER WITH MNIST] [--quick]

A right guess has the chance 1/2 + A tanh(epsilon / 2) with A = mean over pairs of angle / (2 pi) * (n1 + n2) / (2 L),
so one number A for each attack gives its four cells. Each line of the map is one setting: how pixels are scaled,
whether softmax is applied twice (PyTorch's cross-entropy has one; the papers' table of layers ends with another),
optimizer and learning rate, batch, passes, and which images the pairs are of. Label flip is computed twice: to another
label drawn uniformly, and to the label that the model finds likeliest among the wrong ones. Prints; asserts nothing.
"""

import argparse
import itertools
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from scipy.stats import norm
from torch import Generator, Tensor, nn
from torch.func import functional_call, grad, vmap
from torch.nn.functional import cross_entropy

from ldp_core.datasets import ImageData, load_dataset
from ldp_core.learning.models import ThreeLayerCnn, accuracy, flat_parameters
from ldp_core.learning.server import ModelTrainer
from ldp_core.mechanisms import LdpSgd
from ldp_core.statistics import published
from tests.conftest import SHARED

EPSILONS = (0.5, 1.0, 2.0, 4.0)
ROWS = {"benign": "benign", "label uniform": "label-flip", "label likely": "label-flip", "flip": "gradient-flip"}
"""Columns of the map -> attack in the published table."""
PAIRS, SHOWN, WORKERS = 200, (1, 2, 4, 8), 2
LONG = (*SHOWN, 20)
"""Passes after which pairs are measured; the long row for Adam at its usual rate and one softmax."""
SIGNIFICANCE = 0.05
"""Chance that a setting which gives a published row counts as not explaining it."""
SCALES: dict[str, tuple[float, float]] = {"0..1": (0.0, 1.0), "mean 0": (0.1307, 0.3081), "0..255": (0.0, 1.0 / 255.0)}
"""Subtracted from a pixel in [0, 1], and what it is divided by; "mean 0" is PyTorch's example for MNIST."""
_RATES = (("adam", 1e-3), ("sgd", 0.1), ("adam", 1e-4), ("sgd", 0.001))


@dataclass(frozen=True)
class Recipe:
    """One training: see the module."""

    scale: str
    softmaxes: int
    optimizer: str
    rate: float
    batch: int


@dataclass(frozen=True)
class Line:
    """One line of the map: a training after some passes, and A with its standard deviation over pairs per column."""

    recipe: Recipe
    passes: int
    images: str
    accuracy: float
    strengths: dict[str, tuple[float, float]]

    def shares(self, column: str) -> list[float]:
        """Return the chance of a right guess at each epsilon."""
        return [0.5 + self.strengths[column][0] * math.tanh(epsilon / 2.0) for epsilon in EPSILONS]

    def worst(self, column: str) -> float:
        """Return the largest difference from the published row, in points of 100, with its sign."""
        printed = published.IDENTIFICATION[ROWS[column]].values()
        return max((100.0 * (a - b) for a, b in zip(self.shares(column), printed, strict=True)), key=abs)

    def explains(self, column: str) -> bool:
        """Say whether ten pairs of this setting and the paper's trials can give the published row by chance.

        A row's four cells share their pairs, so each cell's difference is allowed the two-sided normal quantile at
        ``SIGNIFICANCE``, times the deviation of ten pairs' mean and of 100,000 trials, plus the rounding of the share.
        """
        allowed, spread = norm.ppf(1.0 - SIGNIFICANCE / 2.0), self.strengths[column][1] / math.sqrt(10.0)
        trials = published.NUM_MEASUREMENTS * published.NUM_TRIALS
        for epsilon, ours in zip(EPSILONS, self.shares(column), strict=True):
            share = published.IDENTIFICATION[ROWS[column]][epsilon]
            error = math.hypot(spread * math.tanh(epsilon / 2.0), math.sqrt(share * (1.0 - share) / trials))
            if abs(ours - share) > allowed * error + published.ROUNDING:
                return False
        return True


def recipes() -> list[Recipe]:
    """Return the grid; batch, a high rate, momentum and LDP-SGD are varied from one point of it."""
    both, found = (1, 2), list[Recipe]()
    for (optimizer, rate), scale, softmaxes in itertools.product(_RATES, SCALES, both):
        found.append(Recipe(scale, softmaxes, optimizer, rate, 64))
    for scale, softmaxes, rate in (("0..1", 1, 1e-3), ("0..255", 2, 1e-4)):
        found += [Recipe(scale, softmaxes, "adam", rate, batch) for batch in (16, 256)]
    found += [Recipe("0..1", 1, "adam", 1e-2, 64), Recipe("0..1", 1, "momentum", 1e-2, 64)]
    return [*found, Recipe("0..1", 1, "ldp-sgd", 4.0, 0)]


def lines(recipe: Recipe, data: ImageData, shown: tuple[int, ...] = SHOWN) -> Iterator[Line]:
    """Train as a recipe says, and measure the pairs after some passes; a training that diverges ends there."""
    shift, unit = SCALES[recipe.scale]
    parts = {
        "train": ((data.train_images - shift) / unit, data.train_labels),
        "held out": ((data.images - shift) / unit, data.labels),
    }
    model = ThreeLayerCnn(1, data.images.shape[-1], data.num_classes, Generator().manual_seed(1))
    if recipe.softmaxes == 2:
        model.layers.append(nn.Softmax(dim=1))
    one_pass = _trainer(recipe, model, *parts["train"])
    for passes in range(1, max(shown) + 1):
        one_pass()
        if not torch.isfinite(flat_parameters(model)).all():
            return
        if passes in shown:
            reached = accuracy(model, *parts["held out"])
            for images, (pixels, labels) in parts.items():
                yield Line(recipe, passes, images, reached, strengths(model, pixels, labels))


def _trainer(recipe: Recipe, model: ThreeLayerCnn, images: Tensor, labels: Tensor) -> Callable[[], None]:
    generator = Generator().manual_seed(2)
    if recipe.optimizer == "ldp-sgd":
        radius = 3.0 * float(flat_parameters(model).norm())
        return lambda: _private_round(model, images, labels, recipe.rate, radius, generator)
    optimizer: torch.optim.Optimizer
    if recipe.optimizer == "adam":
        optimizer = torch.optim.Adam(model.parameters(), recipe.rate)
    else:
        momentum = 0.9 if recipe.optimizer == "momentum" else 0.0
        optimizer = torch.optim.SGD(model.parameters(), recipe.rate, momentum=momentum)

    def one_pass() -> None:
        for batch in torch.split(torch.randperm(len(images), generator=generator), recipe.batch):
            optimizer.zero_grad()
            cross_entropy(model(images[batch]), labels[batch]).backward()  # type: ignore[no-untyped-call]
            optimizer.step()

    return one_pass


def _private_round(
    model: ThreeLayerCnn, images: Tensor, labels: Tensor, epsilon: float, radius: float, generator: Generator
) -> None:
    """Step once as [M] Algorithm 2 does, with one report of every training image."""
    mechanism, before = LdpSgd(epsilon), flat_parameters(model)
    total, random = torch.zeros_like(before), np.random.default_rng(int(torch.randint(2**31, (), generator=generator)))
    for block in torch.split(torch.arange(len(images)), 250):
        gradients = gradients_of(model, images[block], labels[block])
        directions = torch.nn.functional.normalize(torch.randn(gradients.shape, generator=generator))
        own = mechanism.own_side(gradients.norm(dim=1).double().numpy(), random.random((2, len(block))))
        side = torch.where(torch.from_numpy(own), 1.0, -1.0) * torch.sign((directions * gradients).sum(dim=1))
        total += side @ directions
    after = ModelTrainer(len(before), radius, len(images)).updated(before, total[None])[0]
    nn.utils.vector_to_parameters(after, model.parameters())


def gradients_of(model: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
    """Return each image's own gradient, shape (n, d)."""
    weights = {name: values.detach() for name, values in model.named_parameters()}

    def loss(values: dict[str, Tensor], image: Tensor, label: Tensor) -> Tensor:
        return cross_entropy(functional_call(model, values, (image[None],)), label[None])

    found = vmap(grad(loss), (None, 0, 0))(weights, images, labels)
    return torch.cat([values.reshape(len(images), -1) for values in found.values()], dim=1)


def pair_strengths(first: Tensor, second: Tensor) -> Tensor:
    """Return each pair's A at clipping norm 1; a zero gradient counts as the other's opposite.

    Args:
        first, second: gradients, shape (n, d).
    """
    norms = torch.stack([first.norm(dim=1), second.norm(dim=1)])
    cosine = (first * second).sum(dim=1) / norms.prod(dim=0).clamp_min(1e-30)
    angle = torch.where(norms.min(dim=0).values > 0.0, cosine.clamp(-1.0, 1.0).arccos(), torch.tensor(math.pi))
    return angle / (2.0 * math.pi) * norms.clamp(max=1.0).mean(dim=0)


def strengths(model: nn.Module, images: Tensor, labels: Tensor) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of A over pairs, for each column of the map."""
    generator = Generator().manual_seed(3)
    chosen = torch.randperm(len(images), generator=generator)[: 2 * PAIRS]
    images, labels = images[chosen], labels[chosen]
    honest = gradients_of(model, images, labels)
    first, second, images, labels = honest[:PAIRS], honest[PAIRS:], images[:PAIRS], labels[:PAIRS]
    with torch.no_grad():
        outputs = model(images)
    uniform = (labels + torch.randint(1, outputs.shape[1], labels.shape, generator=generator)) % outputs.shape[1]
    likely = outputs.scatter(1, labels[:, None], -math.inf).argmax(dim=1)
    found = {
        "benign": pair_strengths(first, second),
        "label uniform": pair_strengths(first, gradients_of(model, images, uniform)),
        "label likely": pair_strengths(first, gradients_of(model, images, likely)),
        "flip": pair_strengths(first, -first),
    }
    return {column: (float(values.mean()), float(values.std())) for column, values in found.items()}


def text_of(line: Line) -> str:
    """Write a line of the map; "=" marks a row that the setting explains."""
    recipe = line.recipe
    how = f"{recipe.optimizer} {recipe.rate:g}".ljust(15) + (f"{recipe.batch:>4}" if recipe.batch else "   -")
    parts = [f"{recipe.scale:7}{recipe.softmaxes}  {how} {line.passes:>3}  {line.images:9}{100 * line.accuracy:5.1f}"]
    for column in ROWS:
        shares = " ".join(f"{100 * share:4.1f}" for share in line.shares(column))
        parts.append(f"{shares} {line.worst(column):+5.1f}{'=' if line.explains(column) else ' '}")
    return " | ".join(parts)


def conclusion(found: list[Line]) -> str:
    """Say which published rows some training explains, which none does, and which training comes nearest to all."""
    texts = []
    for column in ROWS:
        count = sum(line.explains(column) for line in found)
        nearest = min(found, key=lambda line: abs(line.worst(column)))
        texts.append(f"{column}: explained by {count} of {len(found)} settings; nearest:\n  {text_of(nearest)}")
    for label in ("label uniform", "label likely"):
        columns = ("benign", label, "flip")
        together = [line for line in found if all(line.explains(column) for column in columns)]
        best = min(found, key=lambda line: max(abs(line.worst(column)) for column in columns))
        texts.append(f"benign, {label} and flip together: {len(together)} settings; nearest:\n  {text_of(best)}")
        if together:
            sure = max(together, key=lambda line: line.accuracy)
            texts.append(f"  of those that explain all three, the most accurate:\n  {text_of(sure)}")
    none = [column for column in ROWS if not any(line.explains(column) for line in found)]
    texts.append(f"No training of this map explains: {', '.join(none) or 'none; each row has one'}.")
    return "\n".join(texts)


def _lines_of(recipe: Recipe, folder: Path) -> list[Line]:
    torch.set_num_threads(1)
    long = (recipe.softmaxes, recipe.optimizer, recipe.rate, recipe.batch) == (1, "adam", 1e-3, 64)
    return list(lines(recipe, load_dataset("mnist", folder), LONG if long else SHOWN))


def main() -> None:
    """Print the map."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=SHARED, help="that holds MNIST/raw")
    parser.add_argument("--quick", action="store_true", help="every twelfth training only")
    options = parser.parse_args()
    start, found = time.monotonic(), list[Line]()
    print("scale  softmaxes  optimizer  batch passes images  accuracy | " + " | ".join(ROWS) + " at 0.5 1 2 4, worst")
    for name, attack in ROWS.items():
        print(
            f"published {name}: "
            + " ".join(f"{100 * share:.1f}" for share in published.IDENTIFICATION[attack].values())
        )
    chosen = recipes()[:: 12 if options.quick else 1]
    pool = ProcessPoolExecutor(WORKERS)
    try:
        for recipe, some in zip(chosen, pool.map(_lines_of, chosen, itertools.repeat(options.folder)), strict=True):
            found += some
            ended = [] if some and some[-1].passes >= max(SHOWN) else [f"{recipe} diverged"]
            print("\n".join([*map(text_of, some), *ended]), flush=True)
    except KeyboardInterrupt:
        print("stopped; so far:")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if not found:
        return
    done, seconds = len({line.recipe for line in found}), time.monotonic() - start
    print(f"{done} of {len(chosen)} trainings, {len(found)} lines, {seconds:.0f} s\n{conclusion(found)}")


if __name__ == "__main__":
    main()
