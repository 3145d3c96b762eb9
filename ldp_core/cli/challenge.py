"""The command ``challenge``: inputs for a mechanism that runs elsewhere, to be judged by ``check --responses``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from ldp_core.cli._terminal import NOT_REJECTED, check_writable, say
from ldp_core.cli.check import add_claims, config_of

NAME = "challenge"


def run(options: argparse.Namespace) -> int:
    """Write the challenge and its key."""
    for name in ("out", "key"):
        check_writable(f"--{name}", getattr(options, name))
        if getattr(options, name) == "-":
            raise ValueError(f"--{name} must name a file, got '-'")
    if os.path.realpath(options.out) == os.path.realpath(options.key):
        raise ValueError(f"--out and --key must name different files, got {options.out}")
    config = config_of(options, options.subject)
    say("loading torch ...")
    from ldp_core.subjects import write_challenge

    challenge, _ = write_challenge(config, None, Path(options.out), Path(options.key))
    say("done", end="\n")
    print(
        f"{options.out}: {len(challenge.order):,} reports of {len(challenge.gradients):,} inputs, for the vendor.\n"
        f"{options.key}: the key. Keep it to yourself.\n"
        "The vendor runs:\n"
        f'  challenge = np.load("{Path(options.out).name}")\n'
        '  gradients, order = challenge["gradients"], challenge["order"]\n'
        '  np.savez("responses.npz", reports=[randomize(gradients[i]) for i in order])\n'
        f"Then: python -m ldp_core check --responses responses.npz --key {options.key}"
    )
    return NOT_REJECTED


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        NAME,
        help="write inputs for a mechanism that runs elsewhere",
        description="Write the inputs of a check in random order, for a vendor, and the key, for you. The vendor sends "
        "back the reports; check --responses judges them.",
    )
    add = parser.add_argument
    add_claims(add)
    add("--subject", default="a mechanism that runs elsewhere", help="what is examined, in words for the result")
    add("--out", metavar="FILE", required=True, help="the challenge (.npz), for the vendor")
    add("--key", metavar="FILE", required=True, help="the key (.json), which the vendor must not see")
    parser.set_defaults(run=run)
