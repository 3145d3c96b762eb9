"""The pairs of a level of training as points of the plane of angle and norm."""

from ldp_core.game.summary import Interval
from ldp_core.presentation.tables import PairPoint, place, predicted
from ldp_core.studies.trajectory.result import TrainingLevel


def level_points(level: TrainingLevel, epsilon: float, clip_norm: float) -> tuple[PairPoint, ...]:
    """Return the pairs of a level of training, each where the exact law puts it; nothing was measured.

    ``level``: of a training path; ``clip_norm``: clipping norm L of the path.
    """
    unknown = Interval(0.5, 0.5, 0.5)
    places = [(attack, *place(pair, clip_norm)) for attack, pairs in level.pairs.items() for pair in pairs]
    return tuple(
        predicted(PairPoint(attack, epsilon, angle, norm / clip_norm, unknown, None), epsilon)
        for attack, angle, norm in places
    )
