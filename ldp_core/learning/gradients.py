"""A client's gradient as one flat vector, those of many clients at once, and the gradient by an image."""

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap
from torch.nn import Module
from torch.nn.functional import cross_entropy, unfold

from ldp_core.learning.models import ThreeLayerCnn

_AT_A_TIME = 250


def client_gradient(model: Module, image: Tensor, label: int | Tensor) -> Tensor:
    """Return the gradient of one image's loss, shape (d,), detached, in the order of ``model.parameters()``.

    The loss is the cross-entropy; the image has shape (channels, height, width), in [0, 1]; the model is not changed.
    """
    target = torch.as_tensor(label, device=image.device).reshape(1)
    loss = cross_entropy(model(image.unsqueeze(0)), target)
    parts = torch.autograd.grad(loss, list(model.parameters()))
    return torch.cat([part.reshape(-1) for part in parts])


def image_gradient(model: Module, image: Tensor, label: int) -> Tensor:
    """Return the gradient of one image's cross-entropy loss by the image itself, in the image's shape."""
    varied = image.detach().clone().requires_grad_()
    loss = cross_entropy(model(varied.unsqueeze(0)), torch.tensor([label], device=image.device))
    (gradient,) = torch.autograd.grad(loss, [varied])
    return gradient


def client_gradients(
    model: ThreeLayerCnn, images: Tensor, labels: Tensor, patches: Tensor | None = None, *, differentiable: bool = False
) -> Tensor:
    """Return the gradient of each image's loss at once, shape (n, d); row i is ``client_gradient`` of image i.

    ``patches`` is ``image_patches(model, images)``, which models of one architecture share; ``differentiable``
    gradients can be differentiated by the images in turn.
    """
    layers: list[tuple[nn.Conv2d | nn.Linear, Tensor, Tensor]] = []
    values = images
    for layer in model.layers:
        before, values = values, layer(values)
        if isinstance(layer, nn.Conv2d | nn.Linear):
            layers.append((layer, before, values))
    loss = cross_entropy(values, labels, reduction="sum")
    slopes = torch.autograd.grad(loss, [output for *_, output in layers], create_graph=differentiable)
    parts = []
    for (layer, inputs, _), slope in zip(layers, slopes, strict=True):
        seen = inputs if differentiable else inputs.detach()
        if isinstance(layer, nn.Conv2d):
            slope = slope.flatten(2)
            if patches is None or inputs is not images:
                patches = _patches(layer, seen)
            parts += [(slope @ patches.mT).flatten(1), slope.sum(dim=2)]
        else:
            parts += [(slope.unsqueeze(2) * seen.unsqueeze(1)).flatten(1), slope]
    return torch.cat(parts, dim=1)


def gradients_of(model: ThreeLayerCnn, images: Tensor, labels: Tensor) -> Tensor:
    """Return the gradient of each picture as ``client_gradients`` does, a few at a time, shape (n, d)."""
    blocks = zip(torch.split(images, _AT_A_TIME), torch.split(labels, _AT_A_TIME), strict=True)
    return torch.cat([client_gradients(model, some, named) for some, named in blocks])


def updates_of(model: ThreeLayerCnn, images: Tensor, labels: Tensor, steps: int, rate: float) -> Tensor:
    """Return the update of each picture alone as ``local_updates`` does, a few at a time, shape (n, d)."""
    return updates_of_batches(model, images, labels.unsqueeze(1), steps, rate)


def updates_of_batches(model: ThreeLayerCnn, images: Tensor, labels: Tensor, steps: int, rate: float) -> Tensor:
    """Return the update of each batch as ``local_updates`` does, a few at a time, shape (n, d)."""
    batch = labels.shape[1]
    few = max(1, _AT_A_TIME // batch)
    blocks = zip(torch.split(images, few * batch), torch.split(labels, few), strict=True)
    return torch.cat([local_updates(model, some, named, steps, rate) for some, named in blocks])


def local_updates(
    model: ThreeLayerCnn, images: Tensor, labels: Tensor, steps: int, rate: float, *, differentiable: bool = False
) -> Tensor:
    """Return the update of each batch, shape (n, d): its mean gradient over local steps, each on the whole batch.

    The images have shape (n * b, channels, size, size), one batch after the other, their labels (n, b). ``steps`` >= 1
    are of gradient descent with this learning rate; ``differentiable`` updates can be differentiated by the images
    through all.
    """
    if steps == 1:
        gradients = client_gradients(model, images, labels.flatten(), differentiable=differentiable)
        return gradients.reshape(*labels.shape, -1).mean(dim=1)

    def loss(values: dict[str, Tensor], some: Tensor, named: Tensor) -> Tensor:
        return cross_entropy(functional_call(model, values, (some,)), named)

    slopes, batches = vmap(grad(loss)), images.reshape(*labels.shape, *images.shape[1:])
    now = {name: value.detach().expand(len(labels), *value.shape) for name, value in model.named_parameters()}
    total = {name: torch.zeros_like(value) for name, value in now.items()}
    for _ in range(steps):
        step = slopes(now, batches, labels)
        total = {name: value + step[name] for name, value in total.items()}
        now = {name: value - rate * step[name] for name, value in now.items()}
    return torch.cat([value.flatten(1) for value in total.values()], dim=1) / steps


def clipped(updates: Tensor, clip_norm: float, order: str = "l2") -> Tensor:
    """Return updates of shape (m, d), each shortened to the bound as a mechanism's ``clip_order`` says."""
    if order == "linf":
        return updates.clamp(-clip_norm, clip_norm)
    norms = torch.linalg.vector_norm(updates, dim=1, keepdim=True, dtype=torch.float64)
    short: Tensor = updates * (clip_norm / norms.clamp_min(1e-30)).clamp_max(1.0).to(updates.dtype)
    return short


def image_patches(model: ThreeLayerCnn, images: Tensor) -> Tensor:
    """Return what the filters of the first layer see, shape (n, values of a filter, places)."""
    first = model.layers[0]
    assert isinstance(first, nn.Conv2d)
    return _patches(first, images)


def _patches(layer: nn.Conv2d, images: Tensor) -> Tensor:
    padding = tuple(int(edge) for edge in layer.padding)
    patches: Tensor = unfold(images, layer.kernel_size, padding=padding, stride=layer.stride)
    return patches
