"""``check --replies``: any two samples of replies, judged as ``check-flower`` judges those of an app."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ldp_core import _validate
from ldp_core.terminal import NOT_REJECTED, REJECTED, conclude, deliver, say, significance_of
from ldp_core.terminal.numbers import gaussian
from ldp_core.terminal.study_command import seed_of
from ldp_core.types import EPSILON_RANGE, SIGNIFICANCE

_SCHEMA = "ldp-check-replies/1"
TAKEN = ("replies", "epsilon", "delta", "gaussian", "confidence", "public", "must_detect", "seed", "json")
"""Options that go with ``--replies``."""


def check_replies(options: argparse.Namespace) -> int:
    """Judge a file of replies, and print the result on standard output or to a file."""
    mu = gaussian(options.gaussian)
    if (options.epsilon is None) == (mu is None):
        raise ValueError("one of --epsilon and --gaussian must say what is claimed of a reply, got none or both")
    if mu is not None and options.delta is not None:
        raise ValueError("--delta must be given with --epsilon alone, got it with --gaussian")
    epsilon, delta = options.epsilon or 0.0, options.delta or 0.0
    if mu is None:
        _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.number("delta", delta, 0.0, 0.5)
    significance = SIGNIFICANCE if options.confidence is None else significance_of(options.confidence)
    seed, wanted = seed_of(options), None
    if options.must_detect is not None:
        try:
            wanted = float(options.must_detect)
        except ValueError:
            raise ValueError(f"--must-detect must be a number with --replies, got {options.must_detect!r}") from None
    from ldp_core.checking.apps.judge import Claim
    from ldp_core.checking.apps.recorded import Recorded
    from ldp_core.checking.apps.verdict import judged

    say("reading the replies ...")
    source = Recorded(Path(options.replies))
    found = judged(
        source, Claim(epsilon, delta, mu), replies=2 * source.at_once, significance=significance, seed=seed,
        public=options.public or (), must_detect=wanted,
    )  # fmt: skip
    words = ["python", "-m", "ldp_core", "check"]
    for name in TAKEN[:-2]:
        value = getattr(options, name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            words += [f"--{name.replace('_', '-')}", str(one)]
    text = f"{found.text()}\nRepeat: {shlex.join([*words, '--seed', str(seed)])}"
    asked = {name: getattr(options, name) for name in TAKEN[1:-2]} | {"seed": seed, "significance": significance}
    return conclude(
        REJECTED if found.rejected else NOT_REJECTED,
        lambda: deliver(options.json, text, lambda: found.json(_SCHEMA, asked)),
    )
