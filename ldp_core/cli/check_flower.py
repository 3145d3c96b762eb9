"""The command ``check-flower``: does what the client of a Flower app sends keep the promise that was told?"""

import argparse
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core.studies.check.replies import command, told
from ldp_core.terminal import check_html, check_writable, ignore_interrupts, say, significance_of
from ldp_core.terminal.numbers import gaussian, number, whole
from ldp_core.terminal.study_command import add_command, add_shared, limits_of, seed_of
from ldp_core.types import EPSILON_RANGE, SIGNIFICANCE

NAME, _SCHEMA = "check-flower", "ldp-check-flower/2"
_LEAST, _NEIGHBOURS = 400, ("partitions", "labels-turned", "one-class", "empty")
_DESCRIPTION = """\
Have the client of a Flower app reply to its own server's first message, for two data sets, and test what is claimed of
its replies. The app runs in processes of its own with your rights: it can read and write your files. On Linux it has no
network, unless --network gives it or the system does not let it be taken away, which is said. Of the environment it
gets PATH, HOME, the locale, numbers of threads and what --env names."""
_EPILOG = Path(__file__).with_name("check_flower.txt").read_text(encoding="utf-8")


def run(options: argparse.Namespace) -> int:
    """Check an app, print what is done on standard error and the result on standard output or to a file."""
    check_writable("--json", options.json)
    check_html(options)
    _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)
    _validate.number("delta", options.delta, 0.0, 0.5)
    _validate.integer("replies", options.replies, _LEAST, 10**7)
    _validate.number("timeout", options.timeout, 0.1, 3600)
    significance, step, seed = significance_of(options.confidence), gaussian(options.gaussian), seed_of(options)
    _validate.integer("workers", options.workers, 1, 256)
    _validate.integer("rounds", options.rounds, 1, 1_000)
    _validate.choice("neighbours", options.neighbours, _NEIGHBOURS)
    if options.must_detect is not None:
        _validate.number("must_detect", options.must_detect, 0.0, 100.0)
    if options.loader is None and (options.data is not None or options.neighbours != _NEIGHBOURS[0]):
        raise ValueError("--loader must name the app's function that --data or --neighbours change, got nothing")
    from ldp_core.checking.apps.judge import Claim
    from ldp_core.checking.apps.remote import App
    from ldp_core.checking.apps.verdict import check_detects, judged

    claim = Claim(options.epsilon, options.delta, step)
    check_detects(claim, options.replies, significance, options.must_detect)
    how = {name: getattr(options, name) or "" for name in _HOW}
    if options.message_file is not None:
        how["message_file"] = str(Path(options.message_file).resolve())
    limits = limits_of(options, network=options.network)
    say("starting the app ..." if options.network else "starting the app, without network (--network gives it) ...")
    app = App(options.folder, limits, **how)
    try:
        if app.network and not options.network:
            say("this system does not let the network be taken away: the app can use it")
        finding = judged(
            app, claim, replies=options.replies, significance=significance, seed=seed, public=options.public or (),
            tell=say,
        )  # fmt: skip
    finally:
        ignore_interrupts()  # a child process is ended, however often Ctrl-C is pressed
        app.close()
    config = {name: getattr(options, name) for name in _ASKED} | {"seed": seed}
    repeated = [name for name in _REPEATED if step is None or name not in ("epsilon", "delta")]
    again = command((NAME, options.folder), {name: getattr(options, name) for name in repeated}, seed)
    return told(finding, _SCHEMA, config, again, options)


_HOW = ("rounds", "loader", "data", "neighbours")
_ASKED = (*("epsilon", "delta", "gaussian", "replies", *_HOW, "message_file", "public", "confidence", "must_detect"),)
_REPEATED = (*_ASKED, "timeout", "workers", "memory_limit", "env", "network")
"""In the line that asks the same; the app's own random numbers are new ones."""


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = add_command(commands, NAME, run, _DESCRIPTION, _EPILOG)
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="of the app, with its pyproject.toml")
    add("--epsilon", type=number, default=1.0, help="claimed privacy parameter of a reply, in nats")
    add("--delta", type=number, default=1e-5, help="claimed failure probability")
    add("--gaussian", metavar="CLIP:SIGMA", help="claimed: one step of Gaussian noise, tested by its trade-off curve")
    add("--replies", type=whole, default=20_000, help="the most replies, for both data sets together")
    add("--rounds", type=whole, default=1, help="replies that make one, in one context")
    add("--loader", metavar="MODULE:FUNCTION", help="of the app, that loads a client's data")
    add("--data", metavar="MODULE:FUNCTION", help="in place of --loader, from the current folder")
    add("--neighbours", default=_NEIGHBOURS[0], help=f"the second data set: {', '.join(_NEIGHBOURS)}")
    add("--message-file", metavar="FILE", help="an .npz of the message that the client answers")
    add("--must-detect", type=number, metavar="VALUE", help="end with exit code 2, before anything is asked, unless "
        "so many replies catch this true epsilon (or mu, with --gaussian) with 95 %% chance")  # fmt: skip
    add("--public", action="append", metavar="NAME", help="a part of the reply that may differ; may be given again")
    add("--confidence", type=number, default=1.0 - SIGNIFICANCE, help="chance that an app that keeps it is not blamed")
    add("--network", action="store_true", help="let the app use the network")
    add_shared(
        parser, "memory_limit", "env", "json", "html", timeout="seconds for an answer; 120 or more to be loaded",
        workers="processes of the app that answer at a time",
        seed="of the order of equal numbers; the app's own random numbers are always new",
    )  # fmt: skip
