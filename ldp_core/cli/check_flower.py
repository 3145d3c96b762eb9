"""The command ``check-flower``: does what the client of a Flower app sends keep the promise that was told?"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.terminal import (
    NOT_REJECTED,
    REJECTED,
    check_writable,
    conclude,
    deliver,
    ignore_interrupts,
    say,
    significance_of,
)
from ldp_core.terminal.numbers import number, size, whole
from ldp_core.terminal.study_command import add_command, add_env, add_shared
from ldp_core.types import EPSILON_RANGE, SIGNIFICANCE, TrialCounts
from ldp_core.words import numbers

if TYPE_CHECKING:
    from ldp_core.checking.subjects._remote import RemoteSubject

NAME, _SCHEMA = "check-flower", "ldp-check-flower/1"
_FIRST, _PART, _MOST_VALUES = 50, 100, 10**8
_DESCRIPTION = """\
Have the client of a Flower app reply to its own server's first message, for two data sets, and test what is claimed of
its replies. The app runs in a process of its own with your rights: it can read and write your files, and use the
network. Of the environment it gets PATH, HOME, the locale, numbers of threads and what --env names."""
_EPILOG = """\
what it does:
  FOLDER holds the app's pyproject.toml. Its server runs until it sends a message for training; then its client replies,
  mods and all, as partition 0 and as partition 1 of 2. Every number that would leave is a column: arrays (less what the
  server sent), metrics, numbers of examples, words by their checksum. Asked in this order:
   1  columns without noise: the same in 50 or more replies for a data set, another for the other, so often that the
      claim does not allow it (--public NAME exempts one)
   2  replies that come again, also after two restarts
   3  all columns together: a sum of at most 32, learned from half of the replies, tells the other half apart more
      often than epsilon and delta allow (by counts), or than one Gaussian step does (--gaussian CLIP:SIGMA, mu 2 CLIP /
      SIGMA)
  Not seen: other pairs of data sets than these two, other messages of the server, later rounds, several clients, logs
  and timing, a secret kept in production alone, what the client sends when it evaluates. "not rejected" is not
  "verified": where the two updates lie near each other, little can show. Noise for half of the distance of two updates
  was missed at 20,000 replies (mu at least .148 was shown, .206 claimed).

exit codes:
  0  not rejected
  1  columns without noise, replies that come again, or a claim that is rejected
  2  anything else: the app cannot be loaded or ends, wrong usage, nowhere to write
"""
Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found; names of columns and numbers alone."""

    replies: int
    bare: tuple[str, ...] = ()
    repeated: bool = False
    counts: TrialCounts | None = None
    lower: float = 0.0
    claimed: float = 0.0
    distance: float = 0.0

    @property
    def rejected(self) -> bool:
        return bool(self.bare) or self.repeated or self.lower > self.claimed


def run(options: argparse.Namespace) -> int:
    """Check an app, print what is done on standard error and the result on standard output or to a file."""
    check_writable("--json", options.json)
    _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)
    _validate.number("delta", options.delta, 0.0, 0.5)
    _validate.integer("replies", options.replies, 8 * _FIRST, 10**7)
    _validate.number("timeout", options.timeout, 0.1, 3600)
    significance, curve = significance_of(options.confidence), _gaussian(options.gaussian)
    from ldp_core.checking.apps.remote import Limits, opened

    memory = None if options.memory_limit is None else size("--memory-limit", options.memory_limit)
    say("starting the app ...")
    subject, names = opened(options.folder, Limits(options.timeout, memory, 1, tuple(options.env or ())))
    try:
        found = _checked(options, subject, names, significance, curve)
    finally:
        ignore_interrupts()  # a child process is ended, however often Ctrl-C is pressed
        subject.close()
    code = REJECTED if found.rejected else NOT_REJECTED
    return conclude(code, lambda: deliver(options.json, _text(options, found), lambda: _json(options, found, code)))


def _checked(
    options: argparse.Namespace, subject: RemoteSubject, names: tuple[tuple[str, int], ...],
    significance: float, curve: float | None,
) -> _Found:  # fmt: skip
    from ldp_core.checking.apps.judge import REPEATS_SHARE, Rule, bare_columns, gaussian_lower, repeats_p
    from ldp_core.checking.apps.remote import replies
    from ldp_core.statistics.estimates import epsilon_lower_bound

    start = time.perf_counter()
    first, second = (replies(subject, world, _FIRST) for world in (0, 1))
    pace, columns = (time.perf_counter() - start) / (2 * _FIRST), _columns(names, first.shape[1])
    known = {name for name, _ in names}
    if unknown := sorted(set(options.public or ()) - known):
        raise ValueError(f"--public must name what is sent ({', '.join(sorted(known))}), got {', '.join(unknown)}")
    private = np.array([name not in (options.public or ()) for name in columns])
    if options.replies * first.shape[1] > _MOST_VALUES:
        raise ValueError(f"--replies times {first.shape[1]:,} columns must be at most {_MOST_VALUES:,}: take fewer")
    say(f"plan: {options.replies:,} replies of {first.shape[1]:,} numbers, about {options.replies * pace:,.0f} s", "\n")
    claimed = options.epsilon if curve is None else curve

    def shown(counts: TrialCounts, level: float) -> float:
        if curve is not None:
            return gaussian_lower(counts, level)
        return epsilon_lower_bound(counts, "clopper_pearson", level, delta=options.delta)

    def bare() -> list[int]:
        return [column for column in bare_columns(first, second) if private[column]]

    # So many replies without an error show that much of epsilon; fewer are no evidence against a large claim.
    while bare() and shown(TrialCounts(len(first), 0, 0, len(first)), significance / len(columns)) <= claimed:
        if 4 * len(first) > options.replies // 2:
            break
        more = [replies(subject, world, len(first)) for world in (0, 1)]
        first, second = np.concatenate((first, more[0])), np.concatenate((second, more[1]))
    found = bare()
    if found and shown(TrialCounts(len(first), 0, 0, len(first)), significance / len(columns)) > claimed:
        return _Found(2 * len(first), tuple(dict.fromkeys(columns[column] for column in found)))
    samples, restarted = [first[:_FIRST, private]], subject
    for _ in range(2):
        restarted = _restart(restarted, subject)
        try:
            samples.append(replies(restarted, 0, _FIRST)[:, private])
        finally:
            restarted.close()
    if repeats_p(samples, 0) < REPEATS_SHARE * significance:
        return _Found(2 * len(first) + 2 * _FIRST, repeated=True)
    asked, level = 2 * len(first) + 2 * _FIRST, (1.0 - REPEATS_SHARE) * significance
    left = (options.replies - asked) // 2
    sides: list[list[Rows]] = [[], []]
    for done in range(0, left, _PART):
        for world, side in enumerate(sides):
            side.append(replies(subject, world, min(_PART, left - done))[:, private])
        say(f"{2 * done:,} of {2 * left:,} replies")
    whole = [np.concatenate(side) for side in sides]
    half = left // 2
    rule = Rule.of(whole[0][:half], whole[1][:half], lambda counts: shown(counts, level))
    counts = rule.counts(whole[0][half:], whole[1][half:])
    distance = float(np.linalg.norm(whole[0].mean(axis=0) - whole[1].mean(axis=0)))
    return _Found(asked + 2 * left, (), False, counts, shown(counts, level), claimed, distance)


def _restart(last: RemoteSubject, subject: RemoteSubject) -> RemoteSubject:
    found = subject.restarted()
    assert found is not None
    return found


def _columns(names: tuple[tuple[str, int], ...], length: int) -> list[str]:
    """Return the name of each column; numbers where the app's process does not say as many as it sends."""
    columns = [name for name, count in names for _ in range(min(count, length))]
    return columns if len(columns) == length else [f"column {place}" for place in range(length)]


def _gaussian(text: str | None) -> float | None:
    """Return mu of ``CLIP:SIGMA``."""
    if text is None:
        return None
    try:
        clip, sigma = (_validate.number("--gaussian", float(word), 1e-9, 1e9) for word in text.split(":"))
    except ValueError as error:
        raise ValueError(f"--gaussian must be CLIP:SIGMA, two numbers above 0, got {text!r}") from error
    return 2.0 * clip / sigma


def _text(options: argparse.Namespace, found: _Found) -> str:
    lines = ["The claim is rejected." if found.lower > found.claimed else "Not rejected, which is not verified."]
    if found.bare:
        lines = [f"Sent without noise, and different for the two data sets: {', '.join(found.bare)}."]
    if found.repeated:
        lines = ["Replies come again: the noise is not drawn anew by every call or start."]
    if found.counts is not None:
        what = "epsilon" if options.gaussian is None else "mu"
        lower, claimed = numbers.floored(found.lower, 3), f"{found.claimed:.4g}"
        lines.append(f"Replies show {what} at least {lower}; {claimed} is claimed.")
        lines.append(f"The means of the two updates are {found.distance:.3g} apart, noise of the means included.")
    return "\n".join([*lines, f"Replies asked for: {found.replies:,}."])


def _json(options: argparse.Namespace, found: _Found, code: int) -> str:
    counts = found.counts
    told = {
        "schema": _SCHEMA,
        "claim": {"epsilon": options.epsilon, "delta": options.delta, "gaussian": options.gaussian},
        "bare": found.bare,
        "repeated": found.repeated,
        "counts": None if counts is None else [counts.first_as_first, counts.first_as_second,
                                               counts.second_as_first, counts.second_as_second],
        "lower": found.lower,
        "claimed": found.claimed,
        "replies": found.replies,
        "rejected": code == REJECTED,
    }  # fmt: skip
    return json.dumps(told, indent=2, allow_nan=False)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = add_command(commands, NAME, run, _DESCRIPTION, _EPILOG)
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="of the app, with its pyproject.toml")
    add("--epsilon", type=number, default=1.0, help="claimed privacy parameter of a reply, in nats")
    add("--delta", type=number, default=1e-5, help="claimed failure probability")
    add("--gaussian", metavar="CLIP:SIGMA", help="claimed: one step of Gaussian noise, tested by its trade-off curve")
    add("--replies", type=whole, default=20_000, help="the most replies, for both data sets together")
    add("--public", action="append", metavar="NAME", help="a part of the reply that may differ; may be given again")
    add("--confidence", type=number, default=1.0 - SIGNIFICANCE, help="chance that an app that keeps it is not blamed")
    add("--timeout", type=number, default=60.0, help="seconds for an answer; 120 or more to be loaded")
    add("--memory-limit", metavar="SIZE", help="data that the process may hold, such as 8GB; without it, no limit")
    add_env(add)
    add_shared(parser, "json")
