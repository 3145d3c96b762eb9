"""The English paper's claims on a larger epsilon (section 4.3): the exact laws, and what we measured, each repeatable.

Source: Matsumoto et al. 2022, arXiv:2206.09122, section 4.3, which gives no experiment.
"""

import math
from dataclasses import dataclass

from ldp_core.statistics import theory, views
from ldp_core.types import PairGeometry

EPSILON, CLIENTS = 8.0, 100
BENIGN_ANGLE = 86.0
"""Angle of a typical benign pair of full length, in degrees."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One row: the key of its sentence, ``claim_NAME`` of the report's words, and the command that plays it.

    ``right`` of 100 and ``epsilon``, in nats, are those of the exact law; None where none is known. The command printed
    ``measured`` right guesses of 100, with the limits of their range, and ``shown``, a lower bound on epsilon in nats.
    """

    name: str
    right: float | None
    epsilon: float | None
    measured: tuple[float, float, float]
    shown: float
    command: str


_MEASURED = {
    "cosine": ((73.63, 73.17, 74.09), 1.004),
    "selective": ((73.53, 73.07, 73.99), 6.883),
    "shuffled_uniform": ((54.12, 53.60, 54.65), 0.145),
    "shuffled_real": ((53.97, 53.45, 54.50), 0.139),
    "shuffled_agree": ((98.36, 98.22, 98.49), 4.016),
    "aggregated_uniform": ((53.32, 52.79, 53.84), 0.113),
    "aggregated_real": ((53.36, 52.84, 53.89), 0.115),
    "aggregated_agree": ((55.10, 54.58, 55.63), 0.185),
    "model": ((53.42, 51.77, 55.07), 0.044),
}
"""What the commands printed on 2026-11-27: right guesses of 100, their range, and epsilon at least."""


def claims() -> tuple[Claim, ...]:
    """Return the rows: by which rule a benign pair shows what; both ends and real clients, shuffled and summed."""
    cosine = theory.cosine_identification(EPSILON, BENIGN_ANGLE, 1.0, 1.0, 1.0)
    crowd = theory.crowd_identification(EPSILON, CLIENTS, 1.0, 1.0, 1.0)
    audit = f"audit --epsilon {EPSILON:g} --seed 1 --attack"
    rows: dict[str, tuple[float | None, float | None, str]] = {
        "cosine": (cosine, _shown(cosine), f"{audit} benign --distinguisher cosine"),
        "selective": (
            cosine, theory.selective_epsilon(EPSILON, 1.0, 1.0, 1.0), f"{audit} benign --distinguisher selective",
        ),
    }  # fmt: skip
    opposite = PairGeometry(180.0, 1.0, 1.0, "opposite")
    for view, law_of in (("shuffled", views.shuffled_view), ("aggregated", views.summed_view)):
        for others in ("uniform", "real", "agree"):
            right = None
            if others != "real":
                right = law_of(EPSILON, 1.0, opposite, CLIENTS, others).identification()
            command = f"trust --view {view} --others {others} --clients {CLIENTS} --epsilon {EPSILON:g} --seed 1"
            rows[f"{view}_{others}"] = right, None if right is None else _shown(right), command
    rule = f"dummy --distinguisher sum-inversion --clients {CLIENTS} --trials 10000 --measurements 1"
    rows["model"] = crowd, _shown(crowd), f"{audit} {rule}"
    return tuple(
        Claim(
            name, None if right is None else 100.0 * right, epsilon, *_MEASURED[name], f"python -m ldp_core {command}"
        )
        for name, (right, epsilon, command) in rows.items()
    )


def _shown(right: float) -> float:
    """Return the epsilon that balanced guesses show."""
    return math.log(right / (1.0 - right))
