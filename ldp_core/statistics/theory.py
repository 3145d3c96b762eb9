"""What the numbers should be: LDP-SGD's laws, as functions of epsilon and of the pair's geometry."""

import math
from functools import lru_cache

from ldp_core import _lazy, _validate
from ldp_core.statistics.halving import first_whole
from ldp_core.types import EPSILON_RANGE

betainc, erfcx, gammaln, xlog1py, xlogy = (
    _lazy.function("scipy.special", name) for name in ("betainc", "erfcx", "gammaln", "xlog1py", "xlogy")
)
brentq = _lazy.function("scipy.optimize", "brentq")
NEARLY_SURE = 0.95
"""Share of right guesses from which an attacker is called nearly sure."""


def worst_case_identification(epsilon: float, delta: float = 0.0) -> float:
    """Return the most often that any attacker can be right, (e^eps + delta) / (1 + e^eps), in [1/2, 1].

    Raises ``ValueError`` for epsilon < 0 (nats) or delta outside [0, 1].

    Source: Kairouz et al. 2015, Theorem 2.1, for two equally likely inputs.

    >>> round(worst_case_identification(1.0), 4)
    0.7311
    """
    _validate.number("epsilon", epsilon, 0.0, math.inf)
    _validate.number("delta", delta, 0.0, 1.0)
    return (1.0 + delta * math.exp(-epsilon)) / (1.0 + math.exp(-epsilon))


def posterior(prior: float, epsilon: float) -> float:
    """Return prior * e^eps / (prior * e^eps + 1 - prior), the largest belief that one report can leave.

    The prior probability of the first gradient is in [0, 1], epsilon >= 0 in nats, else ``ValueError``; T independent
    rounds count as T * epsilon.

    Source: definition of local differential privacy and Bayes's rule.

    >>> round(posterior(0.1, 1.0), 3)
    0.232
    """
    _validate.number("prior", prior, 0.0, 1.0)
    _validate.number("epsilon", epsilon, 0.0, math.inf)
    return prior / (prior + (1.0 - prior) * math.exp(-epsilon)) if prior else 0.0


def rounds_identification(epsilon: float, rounds: int) -> float:
    """Return how often the best attacker is right, in [1/2, 1], after several reports of a worst-case pair.

    The attacker takes the majority of the single guesses; a tie is settled by a coin. Raises ``ValueError`` for
    epsilon < 0 (nats) or T < 1 independent rounds.

    Source: derived here; each guess is right with probability e^eps / (1 + e^eps), independently.

    >>> [round(rounds_identification(1.0, rounds), 3) for rounds in (1, 2, 3, 10)]
    [0.731, 0.731, 0.822, 0.935]
    """
    _validate.number("epsilon", epsilon, 0.0, math.inf)
    _validate.integer("rounds", rounds, 1)
    right = worst_case_identification(epsilon)
    half = rounds // 2
    majority = float(betainc(half + 1, rounds - half, right))
    if rounds % 2:
        return majority
    log_tie = gammaln(rounds + 1) - 2 * gammaln(half + 1) + xlogy(half, right) + xlog1py(half, -right)
    return majority + math.exp(log_tie) / 2.0


def rounds_until(epsilon: float, target: float) -> int:
    """Return the least T with ``rounds_identification(epsilon, T) >= target``.

    It is odd: a report that makes the number even adds nothing. Raises ``ValueError`` unless epsilon is from 0.01 to 30
    nats and the target from 0.5 to 0.999999.

    Source: derived here.

    >>> [rounds_until(epsilon, 0.95) for epsilon in (0.5, 1.0, 2.0, 4.0)]
    [45, 11, 3, 1]
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.number("target", target, 0.5, 0.999_999)
    short, enough = -1, 0  # of pairs of rounds after the first
    while rounds_identification(epsilon, 2 * enough + 1) < target:
        short, enough = enough, 2 * enough + 1
    return 2 * first_whole(lambda more: rounds_identification(epsilon, 2 * more + 1) >= target, short, enough) + 1


def rounds_table(epsilon: float, target: float) -> tuple[tuple[int, float, float], ...]:
    """Return (T, ``rounds_identification``, T * epsilon) for some numbers T of reports, one of them ``rounds_until``.

    Arguments and errors as in ``rounds_until``.

    >>> [rounds for rounds, _, _ in rounds_table(1.0, 0.95)]
    [1, 3, 10, 11, 100]
    """
    shown = sorted({1, 3, 10, 100, rounds_until(epsilon, target)})
    return tuple((rounds, rounds_identification(epsilon, rounds), rounds * epsilon) for rounds in shown)


@lru_cache(maxsize=256)
def normal_distance(epsilon: float, delta: float) -> float:
    """Return how many deviations apart two normal laws are that just keep epsilon at delta, rounded down a little.

    With s that distance, a = s/2 - eps/s and b = -s/2 - eps/s, the smallest delta is Phi(a) - e^eps Phi(b), which is
    phi(a) * (Phi(a)/phi(a) - Phi(b)/phi(b)): no large numbers are subtracted. It rises with s. Epsilon is in nats, > 0,
    delta in [1e-12, 1/2].

    Source: Balle and Wang 2018, arXiv:1805.06530, Theorem 8.
    """

    def excess(distance: float) -> float:
        upper, lower = distance / 2 - epsilon / distance, -distance / 2 - epsilon / distance
        ratios = erfcx(-upper / math.sqrt(2)) - erfcx(-lower / math.sqrt(2))
        return float(math.exp(-upper * upper / 2) * ratios / 2) - delta

    root = brentq(excess, epsilon / 40, 1 + math.sqrt(1 + 2 * epsilon), xtol=1e-15, rtol=1e-14)
    return float(root) * (1.0 - 1e-9)


def cosine_identification(
    epsilon: float, angle_degrees: float, norm_first: float, norm_second: float, clip_norm: float
) -> float:
    """Return how often the cosine distinguisher is right about LDP-SGD, in [1/2, 1], exactly, in every dimension.

    1/2 + (phi / 2 pi) * ((n1 + n2) / 2L) * tanh(eps / 2), where phi is the angle and n1, n2 are the clipped norms. The
    selective distinguisher is right equally often. Epsilon is from 0 to 30 nats, the angle in [0, 180] degrees (180 if
    one gradient is zero), norms are L2, >= 0, before or after clipping, L > 0; else ``ValueError``.

    Source: derived here. The angle between u1 and u1 - u2 is (pi - phi) / 2, so a report on the u1 side is
        guessed "first" with probability 1/2 + phi / 2 pi, and one on the other side with 1/2 - phi / 2 pi.

    >>> round(cosine_identification(4.0, 86.0, 0.8, 0.8, 1.0), 3)
    0.684
    """
    wrong, caught = cosine_rates(epsilon, angle_degrees, norm_first, norm_second, clip_norm)
    return (1.0 - wrong + caught) / 2.0


def cosine_rates(
    epsilon: float, angle_degrees: float, norm_first: float, norm_second: float, clip_norm: float
) -> tuple[float, float]:
    """Return how often the cosine distinguisher says "second" when the first, and when the second, was sent.

    (1/2 - (phi / 2 pi) * (2 q1 - 1), 1/2 + (phi / 2 pi) * (2 q2 - 1)), with q the chance that a report lies on its
    gradient's side. Arguments and errors as in ``cosine_identification``.

    Source: derived here.
    """
    first, second = _own_side(epsilon, norm_first, norm_second, clip_norm)
    turn = _validate.number("angle_degrees", angle_degrees, 0.0, 180.0) / 360.0
    return 0.5 - turn * (2.0 * first - 1.0), 0.5 + turn * (2.0 * second - 1.0)


def selective_rates(
    epsilon: float, angle_degrees: float, norm_first: float, norm_second: float, clip_norm: float
) -> tuple[float, float]:
    """Return how often the selective distinguisher says "second" when the first, and when the second, was sent.

    ((phi / pi) * (1 - q1), (phi / pi) * q2), with q the chance that a report lies on its gradient's side.
    Arguments and errors as in ``cosine_identification``.

    Source: derived here.
    """
    first, second = _own_side(epsilon, norm_first, norm_second, clip_norm)
    _validate.number("angle_degrees", angle_degrees, 0.0, 180.0)
    return angle_degrees / 180.0 * (1.0 - first), angle_degrees / 180.0 * second


def selective_epsilon(epsilon: float, norm_first: float, norm_second: float, clip_norm: float) -> float:
    """Return the epsilon that the selective distinguisher can show, ln(q2 / (1 - q1)), whatever the angle.

    It equals ``epsilon`` as soon as both norms reach the clipping norm. Arguments as above; nats.

    Source: derived here.

    >>> round(selective_epsilon(2.0, 1.0, 3.0, 1.0), 6)
    2.0
    """
    _own_side(epsilon, norm_first, norm_second, clip_norm)
    shrink = math.tanh(epsilon / 2.0)
    first, second = (min(norm / clip_norm, 1.0) for norm in (norm_first, norm_second))
    missed = (1.0 - first) + first * 2.0 / (math.exp(epsilon) + 1.0)  # 1 - first * shrink, without cancellation
    return math.log1p(second * shrink) - math.log(missed)


def crowd_identification(
    epsilon: float, clients: int, norm_first: float, norm_second: float, clip_norm: float
) -> float:
    """Return how often a gradient and its negative are told apart in a sum of LDP-SGD reports, in high dimension.

    1/2 + tanh(eps / 2) * ((n1 + n2) / 2L) * arctan(1 / sqrt(n - 1)) / pi, for n >= 1 reports; other arguments and
    errors as in ``cosine_identification``, whose value at 180 degrees it has for one client. The attacker sees the sum
    of n reports, or an update that is linear in it; the other clients' gradients are orthogonal to the pair. Clients of
    one task point in similar directions and shield a little more or less; the true value differs by some 1 / d.

    Source: derived here. The own report's and the others' inner products with the direction are nearly normal, with
        variances 1 / d and (n - 1) / d.

    >>> [round(crowd_identification(4.0, clients, 1.0, 1.0, 1.0), 3) for clients in (1, 2, 4, 10, 1_000)]
    [0.982, 0.741, 0.661, 0.599, 0.51]
    """
    _validate.integer("clients", clients, 1)
    first, second = _own_side(epsilon, norm_first, norm_second, clip_norm)
    return 0.5 + (first + second - 1.0) * math.atan2(1.0, math.sqrt(clients - 1)) / math.pi


def _own_side(epsilon: float, norm_first: float, norm_second: float, clip_norm: float) -> tuple[float, float]:
    """Return q1, q2: the chance that a report lies on the side of its own gradient."""
    _validate.number("epsilon", epsilon, 0.0, EPSILON_RANGE[1])
    _validate.open_number("clip_norm", clip_norm, 0.0, math.inf)
    shrink = math.tanh(epsilon / 2.0) / 2.0
    norms = (_validate.number("norm_first", norm_first, 0.0, math.inf), norm_second)
    _validate.number("norm_second", norm_second, 0.0, math.inf)
    first, second = (0.5 + min(norm / clip_norm, 1.0) * shrink for norm in norms)
    return first, second
