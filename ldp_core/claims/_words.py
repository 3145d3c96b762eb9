"""The exam's questions, and every sentence that may answer them.

The app has the same sentences in each language; these are the command line's and the reports'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
}
OWN_PAIR = "your own pair {number}: lengths {first:g} L and {second:g} L, {angle:.0f} degrees apart"
REFINED_PAIR = "made from {parent} in this check: lengths {first:.2f} L and {second:.2f} L, {angle:.0f} degrees apart"
"""The pairs of inputs in words; ``pair_sentence`` fills in what differs."""


@dataclass(frozen=True, slots=True)
class ClauseWords:
    """What a clause asks, and what it may find.

    Args:
        title: its name for people.
        question: what it asks, in one plain sentence.
        findings: sentences by the name of the finding, with {placeholders} for the clause's values.
    """

    title: str
    question: str
    findings: Mapping[str, str]


_UNUSABLE = {
    "unusable": "This could not be asked: reports are missing, are no rows of one length, or hold what is no number."
}
_NO_ORDER = {"no-order": "This could not be asked: answers from a file have no order in time."} | _UNUSABLE
_NO_ENTRIES = {
    "no-entries": "This could not be asked: a report has {length} numbers and an input has {dimension}."
} | _UNUSABLE

CLAUSES: dict[str, ClauseWords] = {
    "shape-and-type": ClauseWords(
        "Shape and type",
        "Is every report a row of numbers, as many reports as were asked for and all with equally many numbers?",
        {
            "kept": "All {reports:,} reports are rows of {length:,} numbers ({dtype}).",
            "lengths": "Reports must all be of one length, got {lengths}.",
            "broken": "What came is not what was asked for: {problem}.",
        },
    ),
    "finite": ClauseWords(
        "Only numbers",
        "Is every entry of every report a finite number?",
        {
            "kept": "All entries of {reports:,} reports are finite numbers.",
            "broken": "{bad:,} of {reports:,} reports hold an infinite entry, or one that is no number (NaN).",
        }
        | _UNUSABLE,
    ),
    "accepts-every-norm": ClauseWords(
        "Inputs of every length",
        "Does a report come for an input of every length: zero, below the clipping length L, at it, and far above it?",
        {
            "kept": "Reports came for inputs of these lengths: {norms}.",
            "broken": "No valid report came for inputs of these lengths: {norms}.",
        },
    ),
    "range": ClauseWords(
        "Stated length",
        "Is every report as short as the mechanism says?",
        {
            "kept": "The longest of {reports:,} reports has length {longest:.4g}; at most {stated:.4g} is stated.",
            "broken": "{beyond:,} of {reports:,} reports are longer than the stated {stated:.4g}; the longest has "
            "length {longest:.4g}.",
            "not-stated": "The mechanism states no largest length. Reports had lengths from {shortest:.4g} to "
            "{longest:.4g}.",
        }
        | _UNUSABLE,
    ),
    "randomizes": ClauseWords(
        "Randomness",
        "Do the reports of one input differ?",
        {
            "kept": "{reports:,} reports of one input took {different:,} different values.",
            "fixed": "All {reports:,} reports of one input are the same, and another input gives others. A mechanism "
            "that keeps its claim cannot do this: a report tells the input.",
            "useless": "All {reports:,} reports are the same, and so are another input's: nothing leaks here, and it "
            "is useless.",
            "too-few": "All {reports:,} reports of one input are the same. At a claimed epsilon of {epsilon:.4g} this "
            "may be chance: more reports would tell.",
        }
        | _UNUSABLE,
    ),
    "repeats": ClauseWords(
        "Fresh randomness for every report",
        "Is every report of one input drawn anew, whatever was sent before?",
        {
            "kept": "Reports that belong together in time are alike no more often than luck allows: {close:,} of "
            "{pairs:,} pairs, and {far:,} of {pairs:,} pairs of others, where the difference was largest.",
            "same": "Noise is used again: {close:,} of {pairs:,} pairs of reports that belong together in time are "
            "equal, against {far:,} of {pairs:,} pairs of others.",
            "alike": "Noise is used again: {close:,} of {pairs:,} pairs of reports that belong together in time are "
            "alike, against {far:,} of {pairs:,} pairs of others.",
            "always": "The same report came {reports:,} times for one input.",
            "too-few": "The same report came {reports:,} times for one input. At the claimed epsilon this may be "
            "chance: more reports would tell.",
        }
        | _NO_ORDER,
    ),
    "shared-noise": ClauseWords(
        "Fresh randomness for every input",
        "Are reports of different inputs drawn apart from each other?",
        {
            "kept": "Reports of two inputs asked for in turn are alike no more often than luck allows: {close:,} of "
            "{pairs:,} pairs, and {far:,} of {pairs:,} pairs of others, where the difference was largest.",
            "same": "Two inputs share their noise: {close:,} of {pairs:,} pairs of reports asked for in turn are "
            "equal, against {far:,} of {pairs:,} pairs of others.",
            "alike": "Two inputs share their noise: {close:,} of {pairs:,} pairs of reports asked for in turn are "
            "alike, against {far:,} of {pairs:,} pairs of others. Their difference tells the inputs' difference.",
            "always": "This could not be asked: all {reports:,} reports of one input are the same.",
        }
        | _NO_ORDER,
    ),
    "restart": ClauseWords(
        "Fresh randomness after a restart",
        "Does the mechanism draw other noise after each restart?",
        {
            "kept": "Reports after two restarts are alike no more often than luck allows: {close:,} of {pairs:,} "
            "pairs, and {far:,} of {pairs:,} pairs of others, where the difference was largest.",
            "same": "The same noise comes after every restart: {close:,} of {pairs:,} pairs of reports of one "
            "number are equal, against {far:,} of {pairs:,} pairs of others.",
            "alike": "The same noise comes after every restart: {close:,} of {pairs:,} pairs of reports of one "
            "number are alike, against {far:,} of {pairs:,} pairs of others.",
            "always": "This could not be asked: all {reports:,} reports of one input are the same.",
            "impossible": "This could not be asked: the mechanism cannot be restarted from here.",
        }
        | _UNUSABLE,
    ),
    "clip-invariance": ClauseWords(
        "No trace of the length beyond the limit",
        "Are inputs beyond the limit L reported as if they were at it?",
        {
            "kept": "Inputs of length L, 100 L and 1,000,000 L gave reports of one kind: shares differed by at most "
            "{gap:.3f}, and luck alone allows about {allowed:.3f}.",
            "broken": "Reports tell how long an input was beyond the limit: shares differed by {gap:.3f}, more than "
            "luck allows (about {allowed:.3f}).",
        }
        | _UNUSABLE,
    ),
    "low-order-bits": ClauseWords(
        "Last bits",
        "Do the last bits of a report keep silent about the input?",
        {
            "kept": "Among reports of one size, the last bits were zero in {full:,} of {pairs:,} where the input "
            "is not zero, and in {empty:,} of {others:,} where it is: no more than luck allows.",
            "broken": "The last bits tell where the input is zero: among reports of one size they were zero in "
            "{full:,} of {pairs:,} where it is not, and in {empty:,} of {others:,} where it is. What helps: round "
            "every report to a grid before it is sent, far coarser than its last bits and finer than the noise, for "
            "example numpy.round(report * 1024) / 1024 where the noise is about 1. Noise drawn on such a grid "
            "(discrete Laplace or Gaussian) is exact.",
            "coarse": "Entries of reports come again and again ({different:,} different ones): their last bits tell no "
            "more than their values.",
            "decimals": "Reports are rounded to {places} decimals: the bits that noise leaves are not sent.",
            "too-few": "Too few reports were near zero to tell: {pairs:,} where the input is not zero, {others:,} "
            "where it is.",
        }
        | _NO_ENTRIES,
    ),
    "state": ClauseWords(
        "No memory",
        "Is a report free of the input before it, and does the mechanism stay the same while it is used?",
        {
            "kept": "Reports did not depend on the input before, nor on when they were asked for: shares differed by "
            "at most {gap:.3f}, and luck alone allows about {allowed:.3f}.",
            "broken": "Reports depend on the input before, or on when they were asked for: shares differed by "
            "{gap:.3f}, more than luck allows (about {allowed:.3f}).",
        }
        | _NO_ORDER,
    ),
    "unbiased": ClauseWords(
        "Use to the server",
        "Do many reports together give the input, as the mechanism states?",
        {
            "kept": "Scaled as stated, reports gave {full:.3g} for an input of length {reach:.3g}, {half:.3g} for one "
            "of {short:.3g}, and {across:.3g} across it: no further off than luck allows.",
            "broken": "Scaled as stated, reports do not give the input: {full:.3g} for an input of length "
            "{reach:.3g}, {half:.3g} for one of {short:.3g}, and {across:.3g} across it.",
            "useless": "Reports show nothing of the input: scaled as stated, they gave {full:.3g} for an input of "
            "length {reach:.3g}. That may be private, but it is useless.",
            "too-few": "Too few reports to tell: they gave {full:.3g} for an input of length {reach:.3g}, which "
            "may be nothing but noise.",
            "tells": "The mechanism states no scale, so this could not be asked. Its reports do depend on the input.",
            "tells-nothing": "The mechanism states no scale, so this could not be asked. Along the input's direction, "
            "reports of it and of its opposite looked alike.",
        }
        | _NO_ENTRIES,
    ),
}
