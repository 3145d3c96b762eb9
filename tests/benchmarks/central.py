"""How fast DP-SGD is audited: models a second of one core, beside a loop of Opacus in the same run. Asserts nothing.

python -m tests.benchmarks.central [--quick]
"""

import sys
import time
from importlib.util import find_spec

import numpy as np

from ldp_core.datasets import load_dataset
from ldp_core.learning.private_training import initial, train
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics import central_law
from ldp_core.studies.central.result import MODELS, CentralConfig, claimed
from ldp_core.studies.central.run import CNN_TOGETHER, TOGETHER, task_of

RECORDS, STEPS, RATE = 1_000, 50, 0.1
_WANTED = {"logistic": "200", "mlp": "100"}


def main() -> None:
    """Print one line for each model, Opacus, and the exact law."""
    quick = "--quick" in sys.argv
    logistic = 0.0
    for model in MODELS:
        speed = models_a_second(model, 1 if quick or model == "cnn" else 4)
        logistic = speed if model == "logistic" else logistic
        print(f"{model:<10}{speed:>10.1f} models a CPU second   (wanted {_WANTED.get(model, '–')})", flush=True)
    if find_spec("opacus") is not None:
        loop = opacus_a_second(1 if quick else 3)
        print(f"{'Opacus':<10}{loop:>10.2f} logistic models a CPU second; ours {logistic / loop:.0f} x (wanted 15)")
    claim = claimed(CentralConfig("malicious-data", 1))
    before, games = time.process_time(), central_law.GAMES_TOGETHER
    for chunk in range(3):
        central_law.games(claim, True, games, 1, 0, chunk)
    steps = 3 * games * claim.steps / (time.process_time() - before)
    print(f"{'law':<10}{steps / 1e6:>10.1f} million steps a CPU second   (wanted 20)")


def models_a_second(model: str, groups: int) -> float:
    """Return how many models are trained in a second of one core."""
    config = CentralConfig("api", 1, model=model, records=RECORDS, steps=STEPS, sampling_rate=RATE)
    task, _ = task_of(config, claimed(config), load_dataset("digits", None))
    together = CNN_TOGETHER if model == "cnn" else TOGETHER
    start = initial(task, together, stream_generator(1, 0, 0, 0))
    before = time.process_time()
    for group in range(groups):
        train(task, None, together, False, start, stream_generator(1, 0, group, 2))
    return groups * together / (time.process_time() - before)


def opacus_a_second(trainings: int) -> float:
    """Return how many linear classifiers Opacus trains in a second of one core, one after the other."""
    from tests.peers.opacus_training import train as opacus

    config = CentralConfig("api", 1, records=RECORDS, steps=STEPS, sampling_rate=RATE)
    task, _ = task_of(config, claimed(config), load_dataset("digits", None))
    labels = task.labels[:, None].numpy().astype(np.float32)
    records = np.concatenate([task.inputs[:, :-1].numpy(), labels], axis=1)
    settings = {
        "sampling_rate": RATE, "noise": task.noise, "steps": STEPS, "clip_norm": 1.0, "learning_rate": 4.0,
        "records": RECORDS, "classes": 10,
    }  # fmt: skip
    before = time.process_time()
    for seed in range(trainings):
        opacus(records, seed, settings)
    return trainings / (time.process_time() - before)


if __name__ == "__main__":
    from ldp_core.game.setup import one_thread_per_operation

    with one_thread_per_operation():
        main()
