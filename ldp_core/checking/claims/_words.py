"""The English of the exam's questions and of the pairs of inputs, for the command line and saved results."""

from __future__ import annotations

from ldp_core.words import ClauseWords, clauses

SAMPLES_PER_EXAM = 12
"""How many samples of the plan's size the exam asks for, all its clauses together."""


PAIRS = {
    "dummy-flip": "all numbers equal, as long as the limit L allows, and its opposite",
    "random-directions": "two random directions of length L",
    "coordinates": "plus and minus L on one number, zero elsewhere",
    "near-equal": "a random direction of length L, and one close to it",
    "zero-and-full": "zero, and a random direction of length L",
    "random-flip": "a random direction of length L, and its opposite",
    "short-flip": "a random direction of length 3/4 L, and its opposite",
    "half-flip": "a random direction of length L / 2, and its opposite",
    "quarter-flip": "a random direction of length L / 4, and its opposite",
    "short-dummy": "all numbers equal, of length 3/4 L, and its opposite",
    "sparse-flip": "an eighth of the numbers, at length L, zero elsewhere, and its opposite",
    "short-coordinates": "plus and minus 3/4 L on one number, zero elsewhere",
    "uneven-flip": "a random direction of length L, and its opposite at 3/4 L",
    "two-lengths": "a random direction of length L, and the same at L / 2",
    "zero-and-short": "zero, and a random direction of length 3/4 L",
    "high-rungs": "a random direction of length .87 L, and its opposite at .62 L",
    "middle-rungs": "a random direction of length .42 L, and its opposite at .35 L",
    "low-rungs": "a random direction of length .3 L, and its opposite at .18 L",
    "lowest-rungs": "a random direction of length .12 L, and its opposite at .06 L",
}
OWN_PAIR = "your own pair {number}: lengths {first:g} L and {second:g} L, {angle:.0f} degrees apart"
REFINED_PAIR = "made from {parent} in this check: lengths {first:.2f} L and {second:.2f} L, {angle:.0f} degrees apart"
"""The pairs of inputs in words; ``pair_sentence`` fills in what differs."""


_SEED_GIVEN = (
    "The seed was given, so a program could know all inputs beforehand and behave well on these alone; "
    "without --seed they come from the operating system."
)
_FRESH = (
    "Every report was asked for with an input of its own, whose numbers are smaller by up to 1/256 (--memoizes): of "
    "several reports of one input, which a mechanism that keeps its answers repeats, nothing is said."
)
NOTICES = {
    "not-bound": "This key is of an earlier version, which did not bind it to its claim: that nothing in it was "
    "changed since, and that these responses answer its challenge, cannot be seen.",
    "seed-given": _SEED_GIVEN,
    "fresh-inputs": _FRESH,
    "fresh-and-seed-given": f"{_FRESH} {_SEED_GIVEN}",
    "not-named": "The responses do not say which challenge they answer: the vendor left out its digest.",
}
"""What the files of a challenge, or a check whose seed was given, cannot show."""


CLAUSES: dict[str, ClauseWords] = clauses("en")
