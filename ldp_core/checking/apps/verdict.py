"""Asks for replies for two data sets, judges them in a fixed order, and says what was found.

The order is that of what it costs: columns without noise, replies that come again, then all columns together.

Which data set a reply is for is drawn at random, reply by reply, and so is its place among those of its data set. What
follows time alone, such as a time stamp, a counter or a drift, then tells nothing: given all replies, each way to give
them to the two data sets is equally likely.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.apps.judge import (
    Claim,
    Column,
    Pair,
    Share,
    bare_columns,
    caught,
    columns_of,
    fractions,
    repeats_p,
    shown,
)
from ldp_core.errors import ChallengeError
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.types import TrialCounts
from ldp_core.words import document, numbers

Array = NDArray[np.float64]
Worlds = NDArray[np.int64]
"""Of each reply the data set: the first (0) or the second (1)."""
FIRST = 50
"""Replies of each data set that are asked for at first."""
MOST_VALUES = 10**8
_PART, _PAIRS, _TIMED, _OTHERS = 200, 16, 3, 4


class Source:
    """Where replies come from; what it does not say is that of a file.

    Attributes:
        names: of the columns.
        metrics: names of columns that are no part of the update.
        mods: that a reply passes, the outermost first; None where that is not known.
        fixed: libraries whose shared generator is in the same state in every reply.
        network: whether what makes the replies can use the network; None where nothing is run.
        at_once: replies of each data set that are there already; 0 of what is asked here.
        workers: processes that answer at a time.
    """

    names: Sequence[str]
    metrics: Sequence[str] = ()
    mods: Sequence[str] | None = None
    fixed: Sequence[str] = ()
    network: bool | None = None
    at_once = 0
    workers = 1

    def take(self, worlds: Worlds, *, alone: bool = False) -> Array:
        """Return the next replies in that order, shape (len(worlds), columns).

        ``alone``: from one process, always the same.
        """
        raise NotImplementedError

    def paired(self, begin: Worlds) -> Pair | None:
        """Return replies for both, each two of them made with the same random numbers; None where there are none.

        ``begin``: the data set of each two that is asked for first.
        """
        return None

    def others(self, worlds: Worlds) -> list[Array]:
        """Return the first replies of other processes than that one, in that order or its beginning."""
        return []


@dataclass(frozen=True, slots=True)
class Found:
    """What was found; names of columns and numbers alone.

    Args:
        claim: that was tested.
        replies: that were asked for or read, of both data sets together.
        bare: names of columns without noise.
        fractions: names of those whose fraction has none, since their noise is of whole numbers.
        repeated: whether replies come again.
        counts: of the guesses about the replies that a rule was not chosen from.
        lower: the least epsilon or mu that is shown.
        distance: of the two updates.
        error: what noise adds to the distance, about.
        catches: the least true value that so many replies refute with 95 % chance.
        columns: what those that were tested show.
        mods: that a reply passes, the outermost first; None where that is not known.
        fixed: libraries whose shared generator the app sets to the same state in every reply.
        network: whether the app could use the network; None where nothing was run.
    """

    claim: Claim
    replies: int
    bare: tuple[str, ...] = ()
    fractions: tuple[str, ...] = ()
    repeated: bool = False
    counts: TrialCounts | None = None
    lower: float = 0.0
    distance: float = 0.0
    error: float = 0.0
    catches: float = 0.0
    columns: tuple[Column, ...] = ()
    mods: tuple[str, ...] | None = None
    fixed: tuple[str, ...] = ()
    network: bool | None = None

    @property
    def rejected(self) -> bool:
        """Whether the claim or what every claim needs was refuted."""
        return bool(self.bare or self.fractions) or self.repeated or self.lower > self.claim.value

    def sentences(self, words: Mapping[str, str]) -> list[str]:
        """Return it in the words of a document, see ``words.document``; the first is the verdict."""
        sentences = [words["app_rejected" if self.rejected else "app_kept"]]
        if self.bare or self.fractions:
            sentences += [words["app_bare"].format(names=words["strength_comma"].join(self._bare(words)))]
        if self.repeated:
            sentences.append(words["app_repeated"])
        if self.counts is not None:
            claimed, lower = f"{self.claim.value:.4g}", numbers.floored(self.lower, 3)
            sentences.append(words["app_shows"].format(what=_what(self.claim, words), lower=lower, claimed=claimed))
            if not self.rejected:
                sentences.append(words["app_caught"].format(least=_catches(self.claim, self.catches, words)))
                if 1e-12 <= self.claim.delta <= 0.5 and self.claim.mu is None:
                    sigma = numbers.floored(Gaussian(self.claim.epsilon, 1.0, self.claim.delta).noise_deviation, 2)
                    sentences.append(words["app_gaussian"].format(sigma=sigma))
            noise = words["app_noise"].format(error=f"{self.error:.3g}") if self.error > 1e-3 * self.distance else ""
            most = "2 C" if self.claim.step is None else f"2 C = {2 * self.claim.step[0]:g}"
            sentences.append(words["app_apart"].format(distance=f"{self.distance:.4g}", noise=noise, most=most))
        comma = words["strength_comma"]
        if self.mods is not None:
            sentences.append(words["app_mods" if self.mods else "app_no_mods"].format(names=comma.join(self.mods)))
        if self.fixed:
            sentences.append(words["app_fixed"].format(names=comma.join(self.fixed)))
        if self.network is not None:
            sentences.append(words["app_network" if self.network else "app_alone"])
        return [*sentences, words["app_replies"].format(replies=f"{self.replies:,}", claim=self.claim.named)]

    def text(self) -> str:
        """Return it as lines in English."""
        return "\n".join(self.sentences(document("en")))

    def _bare(self, words: Mapping[str, str]) -> list[str]:
        return [*self.bare, *(words["app_fraction"].format(name=name) for name in self.fractions)]

    def json(self, schema: str, config: dict[str, object]) -> str:
        """Return it as a report with what was asked."""
        counts = self.counts
        report = {
            "schema": schema,
            "config": config,
            "claim": {"epsilon": self.claim.epsilon, "delta": self.claim.delta, "mu": self.claim.mu},
            "bare": self._bare(document("en")),
            "repeated": self.repeated,
            "counts": None if counts is None else [counts.first_as_first, counts.first_as_second,
                                                   counts.second_as_first, counts.second_as_second],
            "lower": self.lower,
            "claimed": self.claim.value,
            "catches": self.catches if np.isfinite(self.catches) and counts is not None else None,
            "distance": self.distance if counts is not None else None,
            "mods": self.mods,
            "fixed": self.fixed,
            "network": self.network,
            "replies": self.replies,
            "rejected": self.rejected,
        }  # fmt: skip
        return json.dumps(report, indent=2, allow_nan=False)


def judged(
    source: Source, claim: Claim, *, replies: int, significance: float, seed: int, public: Sequence[str] = (),
    must_detect: float | None = None, tell: Callable[[str, str], None] = lambda text, end: None,
) -> Found:  # fmt: skip
    """Return what replies show against a claim.

    Args:
        source: of the replies.
        claim: that is tested.
        replies: the most that are asked for, of both data sets together.
        significance: chance that a sender that keeps the claim is rejected, over all questions together.
        seed: of the order in which it asks, and of that of equal numbers.
        public: names of columns that may differ.
        must_detect: a true epsilon or mu that so many replies must refute with 95 % chance.
        tell: says how far it is; the second argument ends the line.

    Raises:
        ChallengeError: if no column has a public name, or all have one.
        ValueError: if there are too many numbers to hold, or too few replies to detect that.
    """
    check_detects(claim, replies, significance, must_detect, has_questions=not source.at_once)
    random, count = np.random.default_rng([seed, 0xF10]), source.at_once or FIRST
    order = random.permutation(np.repeat([0, 1], count))
    start, timed = time.perf_counter(), source.take(order[:_TIMED], alone=True)
    pace, columns = (time.perf_counter() - start) / _TIMED / source.workers, list(source.names)
    named = {label: np.array([name == label or name.startswith(f"{label} ") for name in columns]) for label in public}
    if unknown := [label for label, places in named.items() if not places.any()]:
        known = ", ".join(dict.fromkeys(columns))
        raise ChallengeError(f"--public must name what is sent ({known}), got {', '.join(unknown)}", "unknown")
    private = ~np.any([np.zeros(len(columns), bool), *named.values()], axis=0)
    if not private.any():
        raise ChallengeError("--public must leave something to be tested, got all that is sent", "nothing")
    tested = [name for name, chosen in zip(columns, private, strict=True) if chosen]
    if replies * len(columns) > MOST_VALUES:
        raise ValueError(f"--replies times {len(columns):,} columns must be at most {MOST_VALUES:,}: take fewer")
    if not source.at_once:
        tell(plan(claim, replies, significance, len(columns), pace), "\n")
    rows = np.concatenate((timed, source.take(order[_TIMED:], alone=True)))
    level = Share.BARE * significance / (2 * len(columns))
    first, second = rows[order == 0], rows[order == 1]

    def bare() -> list[tuple[str, ...]]:
        whole, parts = bare_columns(first, second), bare_columns(fractions(first), fractions(second))
        places = (whole, [place for place in parts if place not in whole])
        return [tuple(dict.fromkeys(columns[place] for place in some if private[place])) for some in places]

    found_of = partial(
        Found, claim, mods=None if source.mods is None else tuple(source.mods), fixed=tuple(source.fixed),
        network=source.network,
    )  # fmt: skip
    # So many replies without an error show that much of epsilon; fewer are no evidence against a large claim.
    most = 0 if source.at_once else replies // 8
    while any(bare()) and claim.allows_without_noise(len(first), level) and len(first) <= most:
        worlds = random.permutation(np.repeat([0, 1], len(first)))
        rows = source.take(worlds)
        first, second = np.concatenate((first, rows[worlds == 0])), np.concatenate((second, rows[worlds == 1]))
    if any(bare_names := bare()) and not claim.allows_without_noise(len(first), level):
        kept = [rows[:, private] for rows in (first, second)]
        return found_of(2 * len(first), bare=bare_names[0], fractions=bare_names[1], columns=columns_of(tested, *kept))
    first, second = first[:, private], second[:, private]
    others = [(rows[:, private], order[: len(rows)]) for rows in source.others(order)]
    num_replies = 2 * len(first) + sum(len(rows) for rows, _ in others)
    processes = [
        [rows, *(more[worlds == label] for more, worlds in others)] for label, rows in enumerate((first, second))
    ]
    if repeats_p(processes, seed) < Share.REPEATS * significance:
        return found_of(num_replies, repeated=True, columns=columns_of(tested, first, second))
    paired = source.paired(random.integers(2, size=_PAIRS))
    if paired is not None:
        paired, num_replies = (paired[0][:, private], paired[1][:, private]), num_replies + 2 * _PAIRS
    left = 0 if source.at_once else max(0, replies - num_replies) // 2
    places, both = random.permutation(2 * left), np.empty((2 * left, len(tested)))
    for done in range(0, 2 * left, _PART):
        part = places[done : done + _PART]
        both[part] = source.take(part // left)[:, private]
        tell(f"{done:,} of {2 * left:,} replies", "")
    random.shuffle(first)
    random.shuffle(second)
    first, second = np.concatenate((first, both[:left])), np.concatenate((second, both[left:]))
    lower, counts = shown(claim, first, second, paired, significance, random)
    in_update = ~np.isin(tested, source.metrics)
    distance, error = apart(
        first[:, in_update], second[:, in_update], paired and (paired[0][:, in_update], paired[1][:, in_update])
    )
    return found_of(
        num_replies + 2 * left, counts=counts, lower=lower, distance=distance, error=error,
        catches=caught(claim, min(len(first), len(second)), significance), columns=columns_of(tested, first, second),
    )  # fmt: skip


def apart(first: Array, second: Array, paired: Pair | None) -> tuple[float, float]:
    """Return how far the means of the two updates are apart, and what noise adds to that, by the surer way."""
    alone = sum(float((rows.var(axis=0) / len(rows)).sum()) for rows in (first, second))
    means = float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)))
    if paired is not None:
        differences = paired[0] - paired[1]
        if (error := float((differences.var(axis=0) / len(differences)).sum())) < alone:
            return float(np.linalg.norm(differences.mean(axis=0))), error**0.5
    return means, alone**0.5


def plan(claim: Claim, replies: int, significance: float, columns: int, pace: float) -> str:
    """Return how long replies take at a measured pace, in seconds each, and what they can catch."""
    least = caught(claim, _judged_at_most(replies), significance)
    return (
        f"plan: {replies:,} replies of {columns:,} numbers, about {replies * pace:,.0f} s; {2 * FIRST} of them show a "
        f"number without noise, and all catch {_catches(claim, least)}"
    )


def check_detects(
    claim: Claim, replies: int, significance: float, must_detect: float | None, *, has_questions: bool = True
) -> None:
    """Raise ``ValueError`` unless so many replies refute a claim with 95 % chance where that is true.

    ``has_questions``: whether some of them go to other questions, since they are not there already.
    """
    if must_detect is None:
        return
    least = caught(claim, _judged_at_most(replies) if has_questions else replies // 2, significance)
    if not must_detect > claim.value:
        raise ValueError(f"--must-detect must be above the claimed {claim.value:.4g}, got {must_detect:g}")
    if least > must_detect:
        raise ValueError(
            f"--must-detect {must_detect:g} must be what {replies:,} replies catch, which is {_catches(claim, least)}"
        )


def _judged_at_most(replies: int) -> int:
    """Return how many replies of each data set the last question has."""
    return (replies - _OTHERS * FIRST - 2 * _PAIRS) // 2


def _catches(claim: Claim, least: float, words: Mapping[str, str] | None = None) -> str:
    words = words or document("en")
    known = np.isfinite(least)
    text = words["app_catches" if known else "app_catches_nothing"]
    return text.format(what=_what(claim, words), least=numbers.ceiled(least, 3) if known else "")


def _what(claim: Claim, words: Mapping[str, str]) -> str:
    return words["app_epsilon" if claim.mu is None else "app_mu"]
