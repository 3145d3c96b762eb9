"""The command ``check``: is a mechanism that we did not write what it claims to be?"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import adapters
from ldp_core.checking.claims import CLIP_ORDERS, DEFAULT, LEAKS, CheckResult, Subject, kept, to_json
from ldp_core.studies.check.replies import check_replies
from ldp_core.studies.check.ways import check_numbers, check_way, opened, own_inputs
from ldp_core.studies.check.workload import caught_as_wanted, must_detect, refuse_too_little, refuse_too_long
from ldp_core.studies.reading import english
from ldp_core.terminal import (
    FAILED,
    NOT_REJECTED,
    REJECTED,
    check_html,
    check_writable,
    conclude,
    deliver,
    fail,
    follow,
    ignore_interrupts,
    say,
    write_html,
)
from ldp_core.terminal.numbers import number, range_help, whole
from ldp_core.terminal.study_command import add_command, add_shared
from ldp_core.types import CLAIM_REJECTED
from ldp_core.words import numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ldp_core.checking.claims import CheckConfig
    from ldp_core.checking.exam import CheckProgress

NAME = "check"
_DESCRIPTION = """\
Examine a randomizer, then test its claimed epsilon. MECHANISM is package.module:Name, or a name of ours or of an
adapter (below); or give --command, or --responses with --key, or --replies. Code of others runs in processes of its
own, which get the inputs, and of the environment PATH, HOME, the locale, numbers of threads and what --env names. They
are ended with all of theirs that the system shows us (Linux; elsewhere with their group); what they had others start
(cron, a service) may go on, and rewrite the files of a result: the exit code is out of its reach. With your rights such
code can do whatever a program of yours can: read and write your files, look into other processes (a --seed on this
command line is visible to all), use the network. Where that matters, run it as another user or in a container, or take
--responses or --replies, which run nothing."""
_SECONDS_OF_MEASURING, _FIRST = 1.0, 16


def run(options: argparse.Namespace) -> int:
    """Check a mechanism, print progress on standard error and the result on standard output or to a file."""
    check_writable("--json", options.json)
    check_html(options)
    check_way(options)
    if options.replies is not None:
        return check_replies(options)
    check_numbers(options)
    wanted = must_detect(options.must_detect)
    inputs = own_inputs(options)
    say("loading torch ...")
    from ldp_core.checking.exam import Fresh, check, own_pairs

    reached, repeat = opened(options, inputs)
    try:
        config = reached.config
        refuse_too_little(config, wanted)
        refuse_too_long(config)
        pairs = own_pairs(inputs.first, inputs.second) if inputs else None
        subject: Subject = Measured(reached.subject, config) if reached.foreign else reached.subject
        notice = "seed-given" if reached.foreign and options.seed is not None else ""
        if options.memoizes:
            subject = Fresh(subject, config, "fresh-and-seed-given" if notice else "fresh-inputs")
        last = follow(check(config, subject, pairs, notice, reached.maker), _progress_line, _stopped)
    finally:
        ignore_interrupts()  # a child process is ended, however often Ctrl-C is pressed
        reached.subject.close()
    result = last.result
    if last.problem:
        fail(f"{last.problem}; what was asked until then is judged")
    code = code_of(result)
    if code == NOT_REJECTED and wanted is not None and not caught_as_wanted(result, wanted):
        code = fail(
            f"--must-detect {wanted.words} cannot be promised for what was checked: see what it would have caught"
        )
    unasked = [clause.name for clause in result.unjudged if clause.finding != "no-entries"]
    if code == NOT_REJECTED and wanted is not None and unasked:
        code = fail(
            f"--must-detect needs an answer to every question of the exam, got none on {', '.join(unasked)}: a class "
            "named as package.module:Name can be asked all of them"
        )
    from ldp_core.studies.check.report import report
    from ldp_core.terminal.told import text

    study_report = replace(report(result, english()), command=repeat)
    return conclude(
        code,
        lambda: write_html(options.html, result),
        lambda: deliver(options.json, text(study_report, result, ()), lambda: to_json(result)),
    )


def code_of(result: CheckResult) -> int:
    """Return the exit code of a check."""
    if result.verdict == CLAIM_REJECTED or result.failed:
        return REJECTED
    return NOT_REJECTED if kept(result) else FAILED


class Measured:
    """A subject whose first reports are timed, so that a plan can be said before many are asked for."""

    seeded, notice = False, ""

    def __init__(self, subject: Subject, config: CheckConfig) -> None:
        self._subject, self._config, self._said = subject, config, False
        self.ordered, self.alike = subject.ordered, subject.alike

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return reports; see ``claims.Subject``."""
        if self._said or num_reports < _FIRST:
            return self._subject.randomize(gradient, num_reports)
        from ldp_core.checking.exam import plan_sentences
        from ldp_core.checking.subjects.calls import joined

        parts = [self._subject.randomize(gradient, 1)]  # what is loaded at the first call is not its speed
        count, start, wanted = 1, time.perf_counter(), _FIRST
        while count < num_reports and time.perf_counter() - start < _SECONDS_OF_MEASURING:
            wanted = min(2 * wanted, num_reports - count)
            parts.append(self._subject.randomize(gradient, wanted))
            count += wanted
        speed, self._said = (count - 1) / max(time.perf_counter() - start, 1e-9), True
        say(plan_sentences(self._config, speed), end="\n")
        if count < num_reports:
            parts.append(self._subject.randomize(gradient, num_reports - count))
        return joined(parts)

    def restarted(self) -> Subject | None:
        """As of the subject."""
        return self._subject.restarted()

    def close(self) -> None:
        """As of the subject."""
        self._subject.close()


def _progress_line(progress: CheckProgress) -> str:
    reports = f"{progress.done:,} of at most {progress.total:,} reports"
    if progress.stage == "exam":
        return f"exam: {len(progress.result.clauses)} questions answered, {reports}"
    return f"privacy test: {reports}, epsilon at least {numbers.floored(progress.result.epsilon_lower, 3)}"


def _stopped(progress: CheckProgress) -> str:
    used = progress.result.reports_used
    return f"stopped after {used:,} reports; what they show is shown" if used else ""


def add_claims(add: Any) -> None:
    """Add the options that say what is asked."""
    add("--epsilon", type=number, help=f"claimed privacy parameter, {range_help(type(DEFAULT), 'epsilon')}")
    add("--delta", type=number, help="claimed failure probability (default 0)")
    add("--dimension", type=whole, help=f"length of the inputs (default {DEFAULT.dimension})")
    add("--clip-norm", type=number, help=f"bound L on an input (default {DEFAULT.clip_norm:g})")
    add(
        "--clip-order",
        help=f"what L bounds: {' (norm) or '.join(CLIP_ORDERS)} (each number); default {DEFAULT.clip_order}",
    )
    add("--reports", type=whole, help=f"the most reports that are asked for (default {DEFAULT.reports:,})")
    add("--confidence", type=number, help="of the verdict, over all questions and looks together (default 0.999)")
    add(
        "--seed",
        type=whole,
        help="of the inputs, to repeat a check; a program that knows it can behave well on these alone. Without it, "
        "from the operating system, and printed at the end",
    )
    add("--scale", type=number, help="number that makes a report an unbiased estimate of the input, if it is stated")
    add("--report-norm", type=number, help="largest norm of a report, if it is stated")


def add_inputs(add: Any) -> None:
    """Add the option for the client's own pairs."""
    add(
        "--inputs",
        metavar="FILE",
        help="try your own pairs of inputs too: an .npz with arrays first and second, of shape (k, d), k at most 64; "
        "results hold a digest of them and their lengths and angles, never their values",
    )
    add("--longer-inputs", action="store_true", help="let them be up to 100 times as long as the limit, which clips")


def epilog() -> str:
    """Return what stands below the options in the help."""
    text = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
    return text.replace("{adapters}", adapters.help_text())


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = add_command(commands, NAME, run, _DESCRIPTION, epilog())
    add = parser.add_argument
    add(
        "mechanism",
        metavar="MECHANISM",
        nargs="?",
        help="package.module:Name, or the name of one of ours, which wins; python:package.module:Name reaches anything",
    )
    add("--command", dest="command_line", metavar="WORDS", help="a program that speaks the line protocol below")
    add("--responses", metavar="FILE", help="what the vendor answered to a challenge (.npz)")
    add("--key", metavar="FILE", help="what you kept of that challenge")
    add("--replies", metavar="FILE", help="replies of anything for two data sets (.npz), judged as below")
    add("--gaussian", metavar="CLIP:SIGMA", help="with --replies, claimed in place of epsilon: one Gaussian step")
    add("--public", action="append", metavar="NAME", help="with --replies, a column that may differ; may come again")
    add_claims(add)
    add("--whole", action="store_true", help="test on where the claim is rejected, to show how much leaks")
    add(
        "--claim-from-mechanism",
        action="store_true",
        help="take epsilon, delta, clip norm and clip order, where they are left out, from what Python code states; "
        "without it, code that states another claim than the one given here is refused",
    )
    add("--timeout", type=number, help="seconds for an answer (default 30); Python code has 120 to be imported")
    add("--arrays", help="what Python code takes: auto (default), numpy or torch")
    add("--workers", type=whole, metavar="N", help="processes of the mechanism that answer at a time (default 1)")
    add(
        "--memory-limit",
        metavar="SIZE",
        help="data that each process of the mechanism may hold, such as 2GB (default: no limit); torch needs 1GB",
    )
    add(
        "--memoizes",
        action="store_true",
        help="the mechanism keeps an answer for each input, as RAPPOR does: ask for every report with an input of its "
        "own, whose numbers are smaller by up to 1/256; one request a report, so slower",
    )
    add_shared(parser, "env")
    add_inputs(add)
    add(
        "--must-detect",
        metavar="EPSILON[:KIND]",
        help="end with exit code 2, before anything is asked, unless the planned check would catch this true epsilon "
        f"with 95 %% chance; KIND says how it shows: {', '.join(LEAKS)} (default {LEAKS[0]}); "
        "learned is a region of few pieces, no fine comb",
    )
    add_shared(parser, "json", "html")
