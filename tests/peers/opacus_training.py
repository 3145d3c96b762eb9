"""DP-SGD by Opacus 1.6 as a training function for ``check-training``.

``python -m ldp_core check-training tests/peers/opacus_training.py:train --noise 1.1446 --games 150``
"""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def train(records: np.ndarray, seed: int, settings: Mapping[str, Any], noise: float = 1.0) -> np.ndarray:
    """Train a linear classifier from zero by Opacus, with the settings' rate and divisor; see ``by_engine``."""
    from opacus import GradSampleModule
    from opacus.data_loader import DPDataLoader
    from opacus.optimizers import DPOptimizer

    random, data = torch.Generator().manual_seed(seed), _data(records)
    model = GradSampleModule(_linear(records, settings))
    optimizer = DPOptimizer(
        torch.optim.SGD(model.parameters(), lr=settings["learning_rate"]),
        noise_multiplier=noise * settings["noise"],
        max_grad_norm=settings["clip_norm"],
        expected_batch_size=settings["sampling_rate"] * settings["records"],
        generator=random,
    )
    return _trained(
        model, optimizer, DPDataLoader(data, sample_rate=settings["sampling_rate"], generator=random), settings["steps"]
    )


def by_engine(records: np.ndarray, seed: int, settings: Mapping[str, Any]) -> np.ndarray:
    """Train as the tutorials do, where one record more changes rate and divisor, which gives it away."""
    from opacus import PrivacyEngine

    random, size = torch.Generator().manual_seed(seed), round(settings["sampling_rate"] * settings["records"])
    model = _linear(records, settings)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=settings["learning_rate"]),
        data_loader=DataLoader(_data(records), batch_size=size),
        noise_multiplier=settings["noise"],
        max_grad_norm=settings["clip_norm"],
        noise_generator=random,
    )
    return _trained(model, optimizer, loader, settings["steps"])


def half_noise(records: np.ndarray, seed: int, settings: Mapping[str, Any]) -> np.ndarray:
    """Train with half of the noise that was asked for."""
    return train(records, seed, settings, 0.5)


def _data(records: np.ndarray) -> TensorDataset:
    return TensorDataset(torch.from_numpy(records[:, :-1].copy()), torch.from_numpy(records[:, -1].astype(np.int64)))


def _linear(records: np.ndarray, settings: Mapping[str, Any]) -> torch.nn.Module:
    torch.set_num_threads(1)
    model = torch.nn.Linear(records.shape[1] - 1, settings["classes"])
    for part in model.parameters():
        torch.nn.init.zeros_(part)
    return model


def _trained(model: torch.nn.Module, optimizer: Any, loader: Any, steps: int) -> np.ndarray:
    iterates = [_parameters(model)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while len(iterates) <= steps:
            for inputs, labels in loader:
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(model(inputs), labels).backward()
                optimizer.step()
                iterates.append(_parameters(model))
    return np.array(iterates[: steps + 1])


def _parameters(model: torch.nn.Module) -> np.ndarray:
    return np.concatenate([part.detach().numpy().ravel() for part in model.parameters()])
