"""Where the notes on Nasr et al. 2021 disagree with themselves about the watermark, the training says what holds."""

import math

import pytest
import torch

from ldp_core.central_adversaries.gradient import WATERMARK_HALF, Gradient
from ldp_core.datasets import load_dataset
from ldp_core.learning.private_training import initial, train
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics.accountant import Sampled
from ldp_core.studies.central.result import CentralConfig
from ldp_core.studies.central.run import task_of

STEPS = 3


def watermark_scores(inside: bool, noise: float = 1e-9, models: int = 4) -> torch.Tensor:
    """Return the sum of inner products over three steps in which every record is sampled, in clipping norms."""
    config = CentralConfig("gradient", 1, records=100, sampling_rate=1.0, steps=STEPS)
    task, held_out = task_of(config, Sampled(1.0, 1.0, STEPS), load_dataset("digits", None))
    start = initial(task, 1, stream_generator(1, 0, 0, 0))
    plan = Gradient("watermark").plan(task, held_out, start, stream_generator(1, 0, 0, 1))
    canary = plan.note(models)
    entries = torch.cat([layer.flatten() for layer in canary.gradient(0, start)])
    assert torch.count_nonzero(entries) == 2 * WATERMARK_HALF
    assert entries[entries != 0].abs() == pytest.approx(torch.full((32,), 1 / math.sqrt(32)), rel=1e-6)
    assert entries[entries != 0].sum() == pytest.approx(0.0, abs=1e-6)  # alternating
    quiet = type(task)(*(getattr(task, name) if name != "noise" else noise for name in task.__slots__))
    begin = [layer.expand(models, -1, -1).clone() for layer in start]
    train(quiet, canary, models, inside, begin, stream_generator(2, 0, 0, 2))
    return canary.scores()["sum"]


def test_the_watermark_moves_the_inner_product_by_the_clipping_norm_not_by_an_entry() -> None:
    """The notes state a mean of C / sqrt(2n) and a density around C: it is C in each step."""
    assert watermark_scores(True).tolist() == pytest.approx([STEPS] * 4, abs=1e-3)
    assert watermark_scores(False).tolist() == pytest.approx([0.0] * 4, abs=1e-3)
