"""A client's gradient as one flat vector, and the gradient by an image."""

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import cross_entropy


def client_gradient(model: Module, image: Tensor, label: int | Tensor) -> Tensor:
    """Return the gradient of the cross-entropy loss of one image.

    Args:
        model: the global model; it is not changed.
        image: shape (channels, height, width), in [0, 1].
        label: its class.

    Returns:
        Shape (d,), detached, in the order of ``model.parameters()``.
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
