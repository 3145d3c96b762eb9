"""On a card: the laws are the same, a run says where it ran, and threads change nothing. Skipped without one."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Generator

from ldp_core.cache import Cache
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.configuration import make_config
from ldp_core.datasets import load_dataset
from ldp_core.mechanisms import LdpSgd
from ldp_core.statistics import accountant
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.studies.audit.run import audit
from ldp_core.studies.central.result import CentralConfig
from ldp_core.studies.central.run import claimed, trainings
from tests.helpers.binomial import accepts
from tests.studies.central.test_command import played

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device"),
]


def test_an_audit_has_the_law_of_the_processor_and_says_where_it_ran(tmp_path: Path) -> None:
    config = make_config(
        attack="dummy", epsilon=1.0, training="none", num_trials=200_000, num_measurements=1, seed=7, clip_norm=1.0
    )
    *_, last = audit(config, Cache(tmp_path), device="cuda")
    assert (last.result.completed, last.result.device) == (True, "cuda")
    assert "gpu" in last.result.versions
    assert accepts(last.result.counts.num_right, 200_000, worst_case_identification(1.0))


def test_reports_stay_on_the_card_and_on_the_gradient_s_side_as_often() -> None:
    vector = torch.zeros(1_000, device="cuda")
    vector[0] = 1.0
    reports = LdpSgd(1.0).randomize(vector, 100_000, Generator("cuda").manual_seed(1))
    assert reports.is_cuda
    assert accepts(int((reports[:, 0] > 0.0).sum()), 100_000, worst_case_identification(1.0))


@pytest.mark.parametrize("name", ADVERSARIES)
def test_counts_of_trainings_do_not_depend_on_the_threads(name: str) -> None:
    config = CentralConfig(name, 1, records=100, games=120, steps=10)
    once, again = (played(config, threads=threads, device="cuda") for threads in (1, 2))
    assert once.device == "cuda"
    assert (once.counts, once.point_counts) == (again.counts, again.point_counts)


def test_trainings_have_the_law_of_those_on_the_processor() -> None:
    """At fixed thresholds both kinds of device are within the exact region of adversary 6."""
    config = CentralConfig("malicious-data", 1, epsilon=10.0, records=100)
    claim, data = claimed(config), load_dataset("digits", None)
    curve = accountant.certified(claim, config.delta)
    for device in ("cpu", "cuda"):
        play = trainings(config, claim, data, device)
        for inside, law in ((True, curve.inside), (False, curve.outside)):
            scores = np.concatenate([play(0, inside, group, 100) for group in range(10)])
            for cut in (-1.0, 0.5, 2.0):
                assert accepts(int((scores >= cut).sum()), 1_000, float(law[curve.losses >= cut].sum())), device
