"""The command ``challenge``: inputs for a mechanism that runs elsewhere, to be judged by ``check --responses``."""

import argparse
import os
import shlex
from pathlib import Path
from typing import Any

from ldp_core.checking.claims import CheckConfig, fewest_judged
from ldp_core.studies.check.command import add_claims, add_inputs
from ldp_core.studies.check.ways import config_of, own_inputs, requests_with, single_round
from ldp_core.terminal import NOT_REJECTED, check_writable, say
from ldp_core.terminal.study_command import add_command

NAME = "challenge"
_VENDOR_RUNS = """\
  challenge = np.load("{name}")
  gradients, order = challenge["gradients"], challenge["order"]
  reports = [randomize(gradients[i]) for i in order]
  np.savez("responses.npz", reports=reports, digest=challenge["digest"])
"""
_EPILOG = f"""\
the vendor, who finds the claim in the file too, runs:
{_VENDOR_RUNS.format(name="challenge.npz")}
The answer is one array of real numbers: a row for each entry of order, each of 1 to 2 d + 1,000,000 numbers.

Both files are written once (--force overwrites them), the key with mode 0600. A digest stands in both: SHA-256 of the
whole claim, the inputs, and 256 random bits that only the key holds. So a key whose epsilon was edited, and answers to
another challenge, are refused. The vendor may leave the digest out; then a sentence says what was not seen.
"""


def run(options: argparse.Namespace) -> int:
    """Write the challenge and its key."""
    _check_files(options)
    inputs = own_inputs(options)
    config = single_round(config_of(options, options.subject), inputs)
    say("loading torch ...")
    from ldp_core.checking.subjects.files import write_challenge

    requests = requests_with(config, inputs)
    challenge, _ = write_challenge(config, requests, Path(options.out), Path(options.key), force=options.force)
    say("done", end="\n")
    again = f" --inputs {shlex.quote(options.inputs)}" if inputs else ""
    print(
        f"{options.out}: {len(challenge.order):,} reports of {len(challenge.gradients):,} inputs, for the vendor.\n"
        f"{options.key}: the key. Keep it to yourself.\n"
        f"{_judged(config)}\n"
        "The vendor runs:\n"
        f"{_VENDOR_RUNS.format(name=Path(options.out).name)}"
        "Then:\n"
        f"python -m ldp_core check --responses responses.npz --key {shlex.quote(options.key)}{again}"
    )
    return NOT_REJECTED


def _judged(config: CheckConfig) -> str:
    """Return whether answers to a challenge can be judged whatever length their rows have."""
    fewest = fewest_judged(config)
    if config.reports >= fewest:
        return f"Answers can be judged whatever length their rows have (from --reports {fewest} on)."
    return (
        f"So few answers can be judged only if their rows have the {config.dimension:,} numbers of an input; "
        f"for rows of another length --reports {fewest} are the fewest."
    )


def _check_files(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` unless both files can be written, and nothing is lost by it."""
    from ldp_core.checking.subjects.files import check_free

    for name in ("out", "key"):
        check_writable(f"--{name}", getattr(options, name))
        if getattr(options, name) == "-":
            raise ValueError(f"--{name} must name a file, got '-'")
        check_free(f"--{name}", Path(getattr(options, name)), force=options.force)
    out, key = Path(options.out), Path(options.key)
    if os.path.realpath(out) == os.path.realpath(key) or (out.exists() and key.exists() and out.samefile(key)):
        raise ValueError(f"--out and --key must name different files, got {options.out}")


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    description = (
        "Write the inputs of a check in random order, for a vendor, and the key, for you. The vendor\n"
        "sends back the reports; check --responses judges them."
    )
    add = add_command(commands, NAME, run, description, _EPILOG).add_argument
    add_claims(add)
    add_inputs(add)
    add("--subject", default="a mechanism that runs elsewhere", help="what is examined, in words for the result")
    add("--out", metavar="FILE", required=True, help="the challenge (.npz), for the vendor")
    add("--key", metavar="FILE", required=True, help="the key (.json), which the vendor must not see")
    add("--force", action="store_true", help="overwrite a challenge and a key that are there")
