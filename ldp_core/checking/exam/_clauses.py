"""The exam's clauses: each a function of samples alone."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig, Clause
from ldp_core.checking.claims._plan import EXAM_SHARE
from ldp_core.checking.claims._subject import WORDS
from ldp_core.checking.exam._clauses_bits import decimals, is_coarse, last_bits
from ldp_core.checking.exam._clauses_links import (
    TESTS_OF_A_COPY,
    TESTS_OF_A_LINK,
    TESTS_OF_AN_ORDER,
    TESTS_OF_SUMS,
    Link,
    adjacent,
    constant,
    copied,
    matched,
    ordered,
    settled,
    summed,
)
from ldp_core.checking.exam._clauses_odds import allowed_gap, mean_p, two_sample_gap, two_sample_p
from ldp_core.checking.exam._clauses_repeats import again
from ldp_core.checking.exam._clauses_sample import Sample
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.types import BOUNDS, TrialCounts

Samples = Mapping[str, Sample]
STATISTICAL = (
    *("randomizes", "repeats", "shared-noise", "restart"),
    *("clip-invariance", "low-order-bits", "state", "unbiased"),
)
"""Clauses that an honest mechanism may fail by chance; they share the exam's significance evenly.

``other-values`` has a quarter of the share of ``clip-invariance``.
"""
NORMS = {"zero": "0", "half": "L / 2", "base": "L", "over": "≤ 100 L", "huge": "1,000,000 L"}
"""Samples by the length of their input."""
DEPENDENT = ("repeats", "shared-noise", "state")
"""Clauses without which reports are no independent draws of one law."""
_UNUSUAL = ("zero", "over", "huge")
_RANGE_TOLERANCE = 1e-3
_BIAS_TOLERANCE = 0.01


def shape_and_type(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether all reports are rows of numbers of one length."""
    name = "shape-and-type"
    lengths = sorted({length for sample in samples.values() for length in sample.lengths})
    if len(lengths) > 1:
        return Clause(name, False, "lengths", {"lengths": ", ".join(map(str, lengths))})
    for which, sample in samples.items():
        if sample.problem and (which not in _UNUSUAL or not lengths):
            return Clause(name, False, "broken", {"problem": sample.problem.rstrip(".")})
    reports = sum(sample.size for sample in samples.values())
    return Clause(
        name, True, "kept", {"reports": reports, "length": lengths[0], "dtype": next(iter(samples.values())).dtype}
    )


def finite(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether every entry is a finite number."""
    reports, bad = (sum(getattr(sample, field) for sample in samples.values()) for field in ("size", "bad"))
    if not reports:
        return Clause("finite", None, "unusable")
    return Clause("finite", bad == 0, "broken" if bad else "kept", {"reports": reports, "bad": bad})


def accepts_every_norm(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether valid reports come for inputs of every length; of an exam that was cut short, of those asked for."""
    if any(sample.lengths for sample in samples.values()) and shape_and_type(config, samples).passed is False:
        return Clause("accepts-every-norm", None, "unusable")  # reports came; how they broke a rule, that clause says
    norms = {words: samples[name] for name, words in NORMS.items() if name in samples}
    refused = [words for words, sample in norms.items() if sample.problem or sample.bad == sample.size]
    values = {"norms": ", ".join(refused or norms)}
    return Clause("accepts-every-norm", not refused, "broken" if refused else "kept", values)


def within_range(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether reports keep to the largest norm that is stated for them."""
    norms = np.concatenate([sample.norms for sample in samples.values()])
    if not len(norms):
        return Clause("range", None, "unusable")
    seen: dict[str, float | int | str] = {"shortest": float(norms.min()), "longest": float(norms.max())}
    if config.report_norm is None:
        return Clause("range", None, "not-stated", seen)
    beyond = int((norms > config.report_norm * (1.0 + _RANGE_TOLERANCE)).sum())
    values = seen | {"stated": config.report_norm, "beyond": beyond, "reports": len(norms)}
    return Clause("range", beyond == 0, "broken" if beyond else "kept", values)


def randomizes(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether the reports of one input differ, as a claim of privacy demands unless they never tell anything."""
    name = "randomizes"
    if unasked := _unasked(name, samples, "base", "opposite"):
        return unasked
    base = samples["base"]
    candidates = [sample for sample in (base, samples.get("single")) if sample is not None and sample.size]
    fixed = next((sample for sample in candidates if constant(sample)), None)
    if fixed is None:
        return Clause(name, True, "kept", {"reports": base.size, "different": len(np.unique(base.marks))})
    values = {"reports": fixed.size}
    others = [sample for sample in samples.values() if sample.usable and sample.size and constant(sample)]
    opposite = next((other for other in others if other.marks[0] != fixed.marks[0]), samples["opposite"])
    if constant(opposite) and opposite.marks[0] == fixed.marks[0]:
        given = [sample.marks for sample in samples.values() if sample.size]  # a rare report may be missing from two
        if all((marks == fixed.marks[0]).all() for marks in given):
            return Clause(name, False, "useless", values)
    also = int((opposite.marks == fixed.marks[0]).sum())
    counts = TrialCounts(opposite.size - also, also, 0, fixed.size - 1)
    least = epsilon_lower_bound(counts, BOUNDS[1], _share(config, len(samples)), delta=config.delta)
    if least > config.epsilon:
        return Clause(name, False, "fixed", values)
    return Clause(name, None, "too-few", values | {"epsilon": config.epsilon})


def repeats(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether reports of one input are independent of those before."""
    name = "repeats"
    tests = 5 * TESTS_OF_A_LINK + 1 + TESTS_OF_AN_ORDER + 2 * TESTS_OF_A_COPY + 2 * TESTS_OF_SUMS
    share = _share(config, tests)
    usable = "base" in samples and samples["base"].usable
    orders = [ordered(samples["base"], entries=entries) for entries in (False, True) if usable]
    if orders and orders[0].p < share:
        return _linked(name, (orders[0],), share)
    repeated = again(samples, config.seed)
    significant_links = (repeated,) if repeated.p < share else tuple(order for order in orders if order.p < share)
    usable_samples = [samples[which] for which in ("base", "single") if which in samples and samples[which].usable]
    sums = tuple(link for link in map(summed, usable_samples) if link.p < share)
    if unasked := _unasked(name, samples, "base", "single", "last"):
        return _linked(name, significant_links or sums, share) if significant_links or sums else unasked
    if (same := randomizes(config, samples)).finding in ("fixed", "useless"):
        return Clause(name, False, "always", same.values)
    if same.finding == "too-few":
        return Clause(name, None, "too-few", {"reports": same.values["reports"]})
    base, single, last = (samples[which] for which in ("base", "single", "last"))
    links = (*(adjacent(sample, offset) for sample in (base, single) for offset in (0, 1)), matched(base, last))
    even, odd = (base.only(np.arange(base.size) % 2 == turn) for turn in (0, 1))
    links = (*links, copied(even, odd), copied(odd, even, 1))
    alike = tuple(link for link in links if link.p < share)
    return _linked(name, significant_links or alike or sums or links, share)


def shared_noise(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether reports of different inputs are independent of each other."""
    name = "shared-noise"
    if unasked := _unasked(name, samples, "base", "opposite"):
        return unasked
    base, opposite = samples["base"], samples["opposite"]
    share = _share(config, 2 * TESTS_OF_A_LINK + 3 * TESTS_OF_A_COPY)
    link = copied(base, opposite)
    if unasked := _unasked(name, samples, "single", "other", "base", "opposite"):
        return _linked(name, (link,), share) if link.p < share else unasked  # a file has no turns
    single, other = samples["single"], samples["other"]
    if constant(single):
        return Clause(name, None, "always", {"reports": single.size})
    links = (matched(other, single), matched(base, opposite), link, copied(single, other), copied(single, other, 1))
    return _linked(name, links, share)


def restart(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether the reports after one start are independent of those after another."""
    name = "restart"
    if "first-start" not in samples:
        return Clause(name, None, "impossible")
    if unasked := _unasked(name, samples, "first-start", "second-start"):
        return unasked
    first, second = samples["first-start"], samples["second-start"]
    if constant(first) and constant(second):
        return Clause(name, None, "always", {"reports": first.size})
    return _linked(name, (matched(first, second),), _share(config, TESTS_OF_A_LINK))


def clip_invariance(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether an input at the bound and longer ones in its direction give reports of one law."""
    name = "clip-invariance"
    if unasked := _unasked(name, samples, "base", "over", "huge"):
        return unasked
    drifts = state(config, samples).passed is False or repeats(config, samples).finding == "ordered"
    if drifts:  # what was asked for later differs anyway
        return Clause(name, None, "drifts")
    if all(constant(samples[which]) for which in ("base", "over", "huge")):  # an answer may be kept for each input
        return Clause(name, None, "always", {"reports": samples["base"].size})
    pairs = [(samples["base"], samples[longer]) for longer in ("over", "huge")]
    return _gaps(name, [views for pair in pairs for views in _views(*pair)], _share(config, 8))


def low_order_bits(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether the last bits of a report tell where the input is zero."""
    name = "low-order-bits"
    if unasked := _unasked(name, samples, "first-bits", "second-bits", coordinates=config):
        return unasked
    first, second = samples["first-bits"], samples["second-bits"]
    if (places := decimals(first)) is not None and decimals(second) == places:
        return Clause(name, True, "decimals", {"places": places})
    if is_coarse(first) and is_coarse(second):
        return Clause(name, True, "coarse", {"different": len(np.unique(np.abs(first.rows)))})
    bits, share = last_bits(first, second), _share(config, 1)
    values = dict(zip(("full", "pairs", "empty", "others"), bits.totals, strict=True))
    if bits.p < share:
        return Clause(name, False, "broken", values)
    enough = bits.best_p < share
    return Clause(name, True if enough else None, "kept" if enough else "too-few", values)


def state(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether a report tells of the input before it, and whether reports stay of one law.

    While the exam lasts, and whether many are asked for at once or one, as a device does.
    """
    name = "state"
    if unasked := _unasked(name, samples, "single", "other", "base", "last"):
        return unasked
    single, turned = samples["single"], samples["other"].turned
    base = samples["base"]
    views = [*_views(single.only(~turned), single.only(turned)), *_views(base, samples["last"]), *_views(base, single)]
    return _gaps(name, views, _share(config, len(views)))


def unbiased(config: CheckConfig, samples: Samples) -> Clause:
    """Ask whether the mean of scaled reports is the clipped input; else whether reports tell anything of the input."""
    name = "unbiased"
    if unasked := _unasked(name, samples, "base", "opposite", "half", coordinates=config):
        return unasked
    base, half, scale, bound = samples["base"], samples["half"], config.scale, config.report_norm
    reach = float(np.linalg.norm(base.gradient.astype(np.float64)))
    share = _share(config, 5)
    tells = two_sample_p(*settled(*_same_size(base.along, samples["opposite"].along))) < share
    if scale is None:
        return Clause(name, None, "tells" if tells else "tells-nothing")
    most = None if bound is None else bound * (1.0 + _RANGE_TOLERANCE)
    if most is not None and base.norms.max() > most:
        most = None  # what was stated does not hold
    slack = _BIAS_TOLERANCE * reach / scale

    def is_off(values: NDArray[np.float64], target: float, slack: float) -> bool:
        return mean_p(values, target / scale - slack, target / scale + slack, most) < share

    values = {"full": scale * float(base.along.mean()), "reach": reach, "half": scale * float(half.along.mean())}
    values |= {"short": reach / 2.0, "across": scale * float(base.across.mean())}
    nothing = not is_off(base.along, 0.0, 0.0)
    off = is_off(base.along, reach, slack) or is_off(half.along, reach / 2.0, slack)
    if off or is_off(base.across, 0.0, slack):
        return Clause(name, False, "useless" if nothing and not tells else "broken", values)
    return Clause(name, None if nothing else True, "too-few" if nothing else "kept", values)


def other_values(config: CheckConfig, samples: Samples, tried: Sequence[tuple[CheckConfig, Samples]]) -> Clause:
    """Ask whether the mechanism, made for other claims, shows at most their epsilon by the side of its reports.

    ``tried``: the other claims, each with its samples of two opposite inputs.
    """
    name, least = "other-values", list[tuple[float, Mapping[str, float]]]()
    if not samples or constant(samples["base"]):  # an answer may be kept for each input
        return Clause(name, None, "unusable")
    for claim, made in tried:
        first, second = made.get("base"), made.get("opposite")
        if first is None or second is None or not (first.usable and second.usable):
            continue
        right, also = int((first.along > 0.0).sum()), int((second.along > 0.0).sum())
        counts = TrialCounts(right, first.size - right, also, second.size - also)
        lower = epsilon_lower_bound(counts, BOUNDS[1], _share(config, 4 * len(tried)), delta=config.delta)
        seen = {"epsilon": claim.epsilon, "clip_norm": claim.clip_norm, "lower": lower, "reports": counts.num_trials}
        least.append((lower / claim.epsilon, seen))
    if not least:
        return Clause(name, None, "refused")
    times, values = max(least, key=lambda entry: entry[0])
    return Clause(name, times <= 1.0, "broken" if times > 1.0 else "kept", values)


CLAUSES: tuple[Callable[[CheckConfig, Samples], Clause], ...] = (
    *(shape_and_type, finite, accepts_every_norm, within_range, randomizes, repeats, shared_noise, restart),
    *(clip_invariance, low_order_bits, state, unbiased),
)


def _share(config: CheckConfig, tests: int) -> float:
    return EXAM_SHARE * config.significance / (len(STATISTICAL) * tests)


def _unasked(name: str, samples: Samples, *needed: str, coordinates: CheckConfig | None = None) -> Clause | None:
    """Return why a clause cannot be asked; None if it can."""
    if any(sample not in samples for sample in needed):  # no way has them, or the exam was cut short
        return Clause(name, None, "no-order" if "no-order" in WORDS[name].findings else "unusable")
    if any(not samples[sample].usable for sample in needed):
        return Clause(name, None, "unusable")
    lengths = {samples[sample].lengths[0] for sample in needed}
    if len(lengths) > 1:
        return Clause(name, None, "unusable")
    if coordinates is not None and lengths != {coordinates.dimension}:
        return Clause(name, None, "no-entries", {"length": lengths.pop(), "dimension": coordinates.dimension})
    return None


def _linked(name: str, links: tuple[Link, ...], share: float) -> Clause:
    link = min(links, key=lambda link: link.p)
    values = {"close": link.close, "far": link.far, "pairs": link.pairs}
    return Clause(name, False, link.finding, values) if link.p < share else Clause(name, True, "kept", values)


def _views(first: Sample, second: Sample) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return three numbers of each report: its inner products with the two directions, and its norm."""
    return [_same_size(getattr(first, field), getattr(second, field)) for field in ("along", "across", "norms")]


def _same_size(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    size = min(len(first), len(second))
    return first[:size], second[:size]


def _gaps(name: str, views: list[tuple[NDArray[np.float64], NDArray[np.float64]]], share: float) -> Clause:
    """Compare pairs of samples, each of which must have one law; rounding errors are no difference."""
    merged = [(first, second) for first, second in (settled(*view) for view in views)]
    worst = min(merged, key=lambda view: two_sample_p(*view))
    values = {"gap": two_sample_gap(*worst), "allowed": allowed_gap(len(worst[0]), share)}
    is_off = two_sample_p(*worst) < share
    return Clause(name, not is_off, "broken" if is_off else "kept", values)
