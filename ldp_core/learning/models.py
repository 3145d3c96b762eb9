"""The clients' network and how far the server has trained it."""

from __future__ import annotations

import copy
import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from ldp_core import _validate
from ldp_core.errors import CacheError
from ldp_core.facts import FULL_PASSES, LIGHT_ACCURACY, DataFacts
from ldp_core.learning.network import FIRST, HIDDEN, SECOND, side_after_convolutions
from ldp_core.types import TRAININGS

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.datasets import ImageData

_BATCH, _LEARNING_RATE = 64, 1e-3
_STEP_BATCHES = 100
_AT_A_TIME = 2_000
_BETAS, _TINY = (0.9, 0.999), 1e-8
_TRAINING_SEED = 20_220_609
"""Training has a seed of its own, so that one trained model serves every run with the same settings."""


class ThreeLayerCnn(nn.Module):
    """The three-layer convolutional network of the papers; d = 10,650 for images of shape (1, 28, 28).

    The first weights are drawn uniformly within 1/sqrt(fan-in), as torch does. Images are 28 or 32 pixels high and
    wide.

    Source: see ``network``, which has its sizes.
    """

    def __init__(self, channels: int, size: int, num_classes: int, generator: Generator) -> None:
        super().__init__()
        side = side_after_convolutions(size)
        with torch.device("meta"):
            self.layers = nn.Sequential(
                nn.Conv2d(channels, FIRST, 8, stride=2, padding=3),
                nn.MaxPool2d(2),  # before ReLU: the same function and gradient, on a quarter of the values
                nn.ReLU(),
                nn.Conv2d(FIRST, SECOND, 4, stride=2, padding=1),
                nn.MaxPool2d(2),
                nn.ReLU(),
                nn.Flatten(),
                nn.Linear(SECOND * side * side, HIDDEN),
                nn.ReLU(),
                nn.Linear(HIDDEN, num_classes),
            )
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                limit = 1.0 / math.sqrt(layer.weight[0].numel())
                for name, values in tuple(layer.named_parameters()):  # torch's to_empty would load sympy
                    drawn = torch.empty(values.shape).uniform_(-limit, limit, generator=generator)
                    setattr(layer, name, nn.Parameter(drawn))
        self.layers.to(memory_format=torch.channels_last)  # trains a third faster

    def forward(self, images: Tensor) -> Tensor:
        """Return the logits, shape (b, num_classes), of images of shape (b, channels, size, size)."""
        logits: Tensor = self.layers(images)
        return logits


class Adam:
    """Adam, step for step as torch's, whose own class loads torch's compiler: 110 MB, and seconds.

    Source: Kingma and Ba 2015, arXiv:1412.6980, Algorithm 1.
    """

    def __init__(self, parameters: Iterable[Tensor], rate: float) -> None:
        self.rate, self.steps = rate, 0
        self.states = [(values, torch.zeros_like(values), torch.zeros_like(values)) for values in parameters]

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for values, *_ in self.states:
            values.grad = None

    def step(self) -> None:
        """Move the parameters against their gradients."""
        self.steps += 1
        first, second = (1.0 - beta**self.steps for beta in _BETAS)
        with torch.no_grad():
            for values, mean, square in self.states:
                assert values.grad is not None
                mean.lerp_(values.grad, 1.0 - _BETAS[0])
                square.mul_(_BETAS[1]).addcmul_(values.grad, values.grad, value=1.0 - _BETAS[1])
                values.addcdiv_(mean, (square.sqrt() / second**0.5).add_(_TINY), value=-self.rate / first)


def train_pass(
    model: nn.Module,
    optimizer: Adam,
    images: Tensor,
    labels: Tensor,
    generator: Generator,
    chosen: Tensor | None = None,
) -> None:
    """Train for one pass over the images, or those with the chosen numbers, in batches of 64 in random order."""
    for _ in _batches(model, optimizer, images, labels, generator, chosen):
        pass


def _batches(
    model: nn.Module,
    optimizer: Adam,
    images: Tensor,
    labels: Tensor,
    generator: Generator,
    chosen: Tensor | None = None,
) -> Iterator[int]:
    """Train for one pass; yield the number of each batch that is done, from 1."""
    order = torch.randperm(len(images if chosen is None else chosen), generator=generator)
    batches = torch.split(order if chosen is None else chosen[order], _BATCH)
    for number, batch in enumerate(batches, start=1):
        optimizer.zero_grad()
        cross_entropy(model(images[batch]), labels[batch]).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        yield number


def optimizer_for(model: nn.Module) -> Adam:
    """Return the optimizer that every training here uses."""
    return Adam(model.parameters(), _LEARNING_RATE)


def accuracy(model: nn.Module, images: Tensor, labels: Tensor) -> float:
    """Return the share of images that the model classifies right."""
    return _num_right(model, images, labels) / len(labels)


def _num_right(model: nn.Module, images: Tensor, labels: Tensor) -> int:
    with torch.no_grad():
        blocks = zip(torch.split(images, _AT_A_TIME), torch.split(labels, _AT_A_TIME), strict=True)
        return sum(int((model(block).argmax(dim=1) == truth).sum()) for block, truth in blocks)


@dataclass(frozen=True, slots=True)
class Trained:
    """The server's model, its passes over the training images, and how many held-out images it classifies right."""

    model: ThreeLayerCnn
    passes: int
    num_right: int

    def facts(self, data: ImageData, digest: str | None) -> DataFacts:
        """Return what may be published of the data and the training; ``digest`` is None for private images."""
        facts = DataFacts(len(data.train_labels), len(data.labels), digest, self.passes, self.num_right)
        if data.public:
            return facts
        brightest = max(data.train_images.max().item(), data.images.max().item())
        return replace(facts, num_labels=data.num_classes, brightest=brightest)


def global_model(data: ImageData, training: str, cache: Cache) -> Iterator[tuple[int, int, Trained | None]]:
    """Train the server's model, or fetch it from the cache, one pass at a time.

    ``training`` is ``none``; ``light``: until the held-out accuracy is at least 0.85; or ``full``: 20 passes. The cache
    keeps models trained on public data; others are never written. Raises ``CacheError`` if a kept model cannot be read.
    Yields (passes done, most passes planned, None) before the first, after every 100 batches and after each pass, and
    at last (done, done, the trained model); of a kept model nothing is done, its passes are those that it once took.
    """
    _validate.choice("training", training, TRAININGS)
    steps = training_steps(data)
    model, done = next(steps)
    if training == "none":
        yield 0, 0, Trained(model, 0, _num_right(model, data.images, data.labels))
        return
    key = f"{data.name}-{training}-{fingerprint(data)}"
    if data.public and (kept := _load(model, cache, key)) is not None:
        yield 0, 0, Trained(model, kept, _num_right(model, data.images, data.labels))
        return
    yield 0, FULL_PASSES, None
    num_right = 0
    for _, passes in steps:
        ended, done = passes > done, passes
        yield done, FULL_PASSES, None
        if ended and (training == "light" or done == FULL_PASSES):
            num_right = _num_right(model, data.images, data.labels)
            if training == "light" and num_right / len(data.labels) >= LIGHT_ACCURACY:
                break
    if data.public:
        cache.write("models", f"{key}.safetensors", to_bytes(model, done))
    yield done, done, Trained(model, done, num_right)


def training_passes(data: ImageData) -> Iterator[ThreeLayerCnn]:
    """Train the server's model; yield it before the first and after each of 20 passes: always one object."""
    last = -1
    for model, passes in training_steps(data):
        if passes > last:
            last = passes
            yield model


def training_steps(data: ImageData) -> Iterator[tuple[ThreeLayerCnn, int]]:
    """Train as ``training_passes`` does; yield model and passes done, also after every 100 batches."""
    generator = Generator().manual_seed(_TRAINING_SEED)
    channels, size, _ = data.train_images.shape[1:]
    model = ThreeLayerCnn(channels, size, data.num_classes, generator)
    optimizer = optimizer_for(model)
    yield model, 0
    for passes in range(FULL_PASSES):
        for batch in _batches(model, optimizer, data.train_images, data.train_labels, generator):
            if batch % _STEP_BATCHES == 0:
                yield model, passes
        yield model, passes + 1


def clone(model: nn.Module) -> nn.Module:
    """Return a copy that can be trained without changing the original."""
    return copy.deepcopy(model)


def flat_parameters(model: nn.Module) -> Tensor:
    """Return a copy of the model's parameters as one vector, in the order of ``model.parameters()``."""
    return torch.cat([values.detach().reshape(-1) for values in model.parameters()])


def shifted(model: nn.Module, offset: Tensor) -> nn.Module:
    """Return a copy whose flat parameters have ``offset``, of shape (d,), added."""
    copied = clone(model)
    nn.utils.vector_to_parameters(flat_parameters(model) + offset, copied.parameters())
    return copied


def fingerprint(data: ImageData) -> str:
    """Name the training data, the held-out data and the recipe in 16 hexadecimal digits."""
    digest = hashlib.sha256(f"three-layer-cnn-2/{_BATCH}/{_LEARNING_RATE}/{_TRAINING_SEED}/{FULL_PASSES}".encode())
    for values in (data.train_images, data.train_labels, data.images, data.labels):
        digest.update(str(tuple(values.shape)).encode())
        digest.update(values.contiguous().numpy().tobytes())
    return digest.hexdigest()[:16]


def _weights_digest(weights: dict[str, Tensor]) -> str:
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].contiguous().numpy().tobytes())
    return digest.hexdigest()


def to_bytes(model: nn.Module, passes: int) -> bytes:
    """Return the model's weights, and the passes that it took, as a safetensors file."""
    from safetensors.torch import save

    weights = {name: values.contiguous() for name, values in model.state_dict().items()}
    return save(weights, metadata={"sha256": _seal(_weights_digest(weights), passes)})  # several keys have no order


def from_bytes(content: bytes, data: ImageData) -> ThreeLayerCnn:
    """Return the model for a data set with the weights that ``to_bytes`` wrote."""
    from safetensors.torch import load

    channels, size, _ = data.train_images.shape[1:]
    model = ThreeLayerCnn(channels, size, data.num_classes, Generator().manual_seed(0))
    model.load_state_dict(load(content))
    return model


def _seal(weights: str, passes: int) -> str:
    """Return the digest of the weights, the passes, and the digest of both."""
    sealed = f"{weights} {passes}"
    return f"{sealed} {hashlib.sha256(sealed.encode()).hexdigest()}"


def _load(model: nn.Module, cache: Cache, key: str) -> int | None:
    """Load kept weights into the model and return the passes that they took; None if there are none."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    name = f"{key}.safetensors"
    content = cache.read("models", name)
    if content is None:
        return None
    try:
        weights = load(content)
        sealed = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]["sha256"]
        _, passes, _ = sealed.split()
        if sealed != _seal(_weights_digest(weights), int(passes)):
            raise ValueError("digest differs")
        model.load_state_dict(weights)
    except (SafetensorError, RuntimeError, ValueError, KeyError) as error:
        cache.set_aside("models", name)
        raise CacheError(
            f"the kept model {name} must be an undamaged safetensors file, got {len(content)} bytes that are not; "
            "it was set aside, so the next run trains the model anew"
        ) from error
    return int(passes)
