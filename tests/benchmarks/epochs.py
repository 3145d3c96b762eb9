"""What a pass of training costs under each protection, as a ratio to plain SGD taken in one run. Prints a table.

    python -m tests.benchmarks.epochs [FOLDER WITH MNIST] [--json FILE] [--quick]

The four kinds of networks of the paper's Table 2, at widths that fit: LeNet whole, the others at a quarter of their
channels, on pictures of 32 x 32. Normalization has no parameters and looks at one picture, as it must where each
picture has a gradient of its own. Every method takes the same steps; all are timed in turn, several times, in seconds
of the processor.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import math
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy, pad, unfold

from ldp_core.channels import CHANNELS, square_importance
from ldp_core.datasets import load_dataset
from ldp_core.game.setup import one_thread_per_operation
from ldp_core.learning.protected_training import Method, Recipe, protected_passes
from ldp_core.mechanisms.ldp_sgd import LdpSgd

PICTURES, BATCH, TURNS, PUBLIC, CAPACITY = 256, 64, 5, 1_000, 100.0
PLAIN = "sgd"


class Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), _norm(after), nn.ReLU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False), _norm(after),
        )  # fmt: skip
        same = before == after and stride == 1
        self.skip = nn.Identity() if same else nn.Conv2d(before, after, 1, stride, bias=False)

    def forward(self, images: Tensor) -> Tensor:
        return torch.relu(self.path(images) + self.skip(images))


def _norm(channels: int) -> nn.Module:
    return nn.GroupNorm(math.gcd(8, channels), channels, affine=False)


def lenet(colours: int, width: float) -> nn.Module:
    """LeCun et al. 1998, with ReLU and maxima."""
    return nn.Sequential(
        nn.Conv2d(colours, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip


def resnet10(colours: int, width: float) -> nn.Module:
    """He et al. 2016, one block in each of four stages."""
    sizes = [round(width * size) for size in (64, 64, 128, 256, 512)]
    blocks = [Block(before, after, 1 + (n > 0)) for n, (before, after) in enumerate(itertools.pairwise(sizes))]
    return nn.Sequential(
        nn.Conv2d(colours, sizes[0], 3, 1, 1, bias=False), _norm(sizes[0]), nn.ReLU(), *blocks,
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(sizes[-1], 10),
    )  # fmt: skip


def alexnet(colours: int, width: float) -> nn.Module:
    """Krizhevsky et al. 2012, with kernels of 3 as for small pictures."""
    a, b, c, d, e = (round(width * size) for size in (64, 192, 384, 256, 1024))
    return nn.Sequential(
        nn.Conv2d(colours, a, 3, 2, 1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(a, b, 3, 1, 1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Conv2d(b, c, 3, 1, 1), nn.ReLU(), nn.Conv2d(c, d, 3, 1, 1), nn.ReLU(),
        nn.Conv2d(d, d, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(4 * d, e), nn.ReLU(),
        nn.Linear(e, e), nn.ReLU(), nn.Linear(e, 10),
    )  # fmt: skip


def vgg16(colours: int, width: float) -> nn.Module:
    """Simonyan and Zisserman 2015, 13 convolutions; its three linear layers are narrow, as for small pictures."""
    layers: list[nn.Module] = []
    before = colours
    for size in (64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0):
        if not size:
            layers.append(nn.MaxPool2d(2))
            continue
        after = round(width * size)
        layers += [nn.Conv2d(before, after, 3, 1, 1, bias=False), _norm(after), nn.ReLU()]
        before = after
    ends = [nn.Linear(before, before), nn.ReLU(), nn.Linear(before, before), nn.ReLU(), nn.Linear(before, 10)]
    return nn.Sequential(*layers, nn.Flatten(), *ends)


MODELS = {"LeNet": (lenet, 1.0), "ResNet10": (resnet10, 0.25), "AlexNet": (alexnet, 0.25), "VGG16": (vgg16, 0.25)}
"""Name -> what builds it, and its width."""


def built(name: str, colours: int, width: float) -> nn.Module:
    """Return a network with first weights of a fixed seed, uniform within 1/sqrt(fan-in)."""
    model, generator = MODELS[name][0](colours, width), Generator().manual_seed(1)
    with torch.no_grad():
        for layer in model.modules():
            if isinstance(layer, nn.Conv2d | nn.Linear):
                limit = 1.0 / math.sqrt(layer.weight[0].numel())
                for values in layer.parameters():
                    values.uniform_(-limit, limit, generator=generator)
    return model


def gradients_of_each(model: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
    """Return the gradient of each picture, shape (m, d), in one pass: of convolutions and linear layers alone."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}
    layers = [layer for layer in model.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]

    def keep(layer: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        seen[layer] = inputs[0].detach(), output

    hooks = [layer.register_forward_hook(keep) for layer in layers]
    try:
        loss = cross_entropy(model(images), labels, reduction="sum")
    finally:
        for hook in hooks:
            hook.remove()
    slopes = torch.autograd.grad(loss, [seen[layer][1] for layer in layers])
    parts: dict[Tensor, Tensor] = {}
    for layer, slope in zip(layers, slopes, strict=True):
        inputs = seen[layer][0]
        if isinstance(layer, nn.Conv2d):
            patches = unfold(inputs, layer.kernel_size, padding=layer.padding, stride=layer.stride)
            slope = slope.flatten(2)
            parts[layer.weight], bias = (slope @ patches.mT).flatten(1), slope.sum(dim=2)
        else:
            parts[layer.weight], bias = (slope.unsqueeze(2) * inputs.unsqueeze(1)).flatten(1), slope
        if layer.bias is not None:
            parts[layer.bias] = bias
    return torch.cat([parts[values] for values in model.parameters()], dim=1)


def methods(images: Tensor) -> dict[str, Method]:
    """Return the methods; the channels' preparation on public pictures is not timed."""
    covariance = np.cov(images.flatten(1).double().numpy().T, bias=True)
    weights = square_importance(images.shape[1], images.shape[2], 50.0)
    channels = {
        name: Method("channel", channel=channel.fit(covariance, CAPACITY, weights))
        for name, channel in CHANNELS.items()
    }  # fmt: skip
    return {
        PLAIN: Method("sgd"), "clip": Method("clip"), "dp-sgd": Method("dp-sgd", 0.8),
        "dp-psac": Method("dp-psac", 0.8), "ldp-sgd": Method("ldp-sgd", mechanism=LdpSgd(4.0, 1.0)), **channels,
    }  # fmt: skip


def timed(method: Method, model: nn.Module, images: Tensor, labels: Tensor) -> tuple[float, float]:
    """Return how many seconds of the processor a pass takes, which other programs hardly change, and by the clock."""
    trained, generator = copy.deepcopy(model), Generator().manual_seed(1)
    recipe = Recipe(1, BATCH, 0.01, 1.0)
    start = time.process_time(), time.perf_counter()
    for _ in protected_passes(method, trained, images, labels, recipe, generator, gradients_of_each):
        pass
    return time.process_time() - start[0], time.perf_counter() - start[1]


def main() -> None:
    """Print a line for each network and method."""
    parser = argparse.ArgumentParser(description="What a pass costs under each protection.")
    parser.add_argument("folder", type=Path, nargs="?", help="that holds MNIST/raw; without one, the built-in digits")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every time")
    parser.add_argument("--quick", action="store_true", help="one batch, once: to see that it runs")
    options = parser.parse_args()
    data = load_dataset("digits" if options.folder is None else "mnist", options.folder)
    edge = (32 - data.train_images.shape[-1]) // 2
    pictures = pad(data.train_images, (edge,) * 4)
    count, turns = (BATCH, 1) if options.quick else (PICTURES, TURNS)
    images, labels = pictures[:count], data.train_labels[:count]
    rows: list[dict[str, Any]] = []
    with one_thread_per_operation():
        every = methods(pictures[:PUBLIC])
        print(f"torch {torch.__version__}, {count} pictures of 32 x 32, batches of {BATCH}, one thread, {turns} turns")
        for name, (_, width) in MODELS.items():
            model = built(name, images.shape[1], width)
            size = sum(values.numel() for values in model.parameters())
            spent: dict[str, list[tuple[float, float]]] = {one: [] for one in every}
            for turn in range(turns + 1):
                for one, method in every.items():
                    found = timed(method, model, images, labels)
                    if turn or options.quick:  # the first turn warms up
                        spent[one].append(found)
            for one, times in spent.items():
                ratios = [own / plain for (own, _), (plain, _) in zip(times, spent[PLAIN], strict=True)]
                row = {
                    "network": name, "width": width, "parameters": size, "method": one,
                    "seconds": [cpu for cpu, _ in times], "clock": [clock for _, clock in times],
                    "ratio": statistics.median(ratios), "least": min(ratios), "most": max(ratios),
                }  # fmt: skip
                rows.append(row)
                print(
                    f"{name:<9}{size:>9,}  {one:<13}{statistics.median(row['seconds']):>8.3f} s  "
                    f"{row['ratio']:>6.2f} ({row['least']:.2f} to {row['most']:.2f})",
                    flush=True,
                )
    if options.json is not None:
        report = {"pictures": count, "batch": BATCH, "turns": turns, "torch": torch.__version__, "rows": rows}
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
