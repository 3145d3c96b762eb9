"""The command line: ``python -m ldp_core audit``.

Exit code 0: the claim was not rejected; 1: it was rejected; 2: wrong usage or environment.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ldp_core import _validate
from ldp_core.cache import Cache, write_atomically
from ldp_core.errors import LdpCoreError
from ldp_core.reports import to_json, to_text
from ldp_core.summary import planned_max_provable, planned_trials_needed, summarize
from ldp_core.types import BOUNDS, CLAIM_REJECTED, SAMPLINGS, TRAININGS, AuditConfig, AuditResult

if TYPE_CHECKING:
    from ldp_core.audit import AuditProgress

NOT_REJECTED, REJECTED, FAILED = 0, 1, 2
_REDRAW_SECONDS = 0.25


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every expected failure prints one sentence."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        options = parser().parse_args(arguments)
        return _audit(options)
    except (ValueError, LdpCoreError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("stopped before the first trial, so there is no result")
    except OSError as error:  # what is left in the buffer would fail once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return FAILED
        return _fail(f"the system refused: {error.strerror or type(error).__name__}")
    except Exception as error:  # exit code 1 means "claim rejected", which a bug must never say
        return _fail(f"a mistake in this program, not in your input ({type(error).__name__}); please report it")


def _audit(options: argparse.Namespace) -> int:
    """Run a test, print progress on standard error and the result on standard output or to a file."""
    if options.json not in (None, "-"):
        target = Path(os.path.realpath(options.json))
        if target.is_dir() or not target.parent.is_dir() or not os.access(target.parent, os.W_OK | os.X_OK):
            raise ValueError(f"--json must name a file in an existing folder that can be written, got {options.json!r}")
    _say("loading torch ...")
    from ldp_core.audit import audit

    config = config_of(options)
    if warning := _too_few(config):
        _say(warning, end="\n")
    cache = Cache()
    if cache.notice:
        _say(cache.notice, end="\n")
    run = audit(
        config,
        cache,
        device=options.device,
        threads=options.threads,
        data_dir=options.data_dir,
        download=options.download,
    )
    result: AuditResult | None = None
    shown, stage = 0.0, ""
    try:
        for progress in run:
            result = progress.result
            if progress.stage != stage or time.monotonic() - shown > _REDRAW_SECONDS:
                shown, stage = time.monotonic(), progress.stage
                _say(_progress_line(progress, config))
    except KeyboardInterrupt:
        _ignore_interrupts()
        if result is None or not result.counts.num_trials:
            raise
        _say(f"stopped after {result.counts.num_trials} trials; they are valid and shown", end="\n")
    else:
        _ignore_interrupts()
        _say("done", end="\n")
    assert result is not None
    _print(result, options.json)
    return REJECTED if summarize(result).verdict == CLAIM_REJECTED else NOT_REJECTED


def config_of(options: argparse.Namespace) -> AuditConfig:
    """Return the checked configuration that parsed options ask for."""
    from ldp_core.audit import make_config

    _validate.integer("trials", options.trials, 1, 10**9)
    _validate.integer("measurements", options.measurements, 1, 1_000)
    if not 0.5 <= options.confidence <= 1.0 - 1e-9:
        raise ValueError(f"confidence must be a number from 0.5 to 0.999999999, got {options.confidence!r}")
    return make_config(
        seed=options.seed,
        bound=options.bound.replace("-", "_") if options.bound else None,
        attack=options.attack,
        epsilon=options.epsilon,
        mechanism=options.mechanism,
        distinguisher=options.distinguisher,
        clip_norm=options.clip_norm,
        dataset=options.dataset,
        training=options.training,
        num_trials=options.trials,
        num_measurements=options.measurements,
        significance=round(1.0 - options.confidence, 12),
        watch=options.watch,
        sampling=options.sampling,
    )


def _print(result: AuditResult, destination: str | None) -> None:
    print(to_json(result) if destination == "-" else to_text(result))
    sys.stdout.flush()
    if destination not in (None, "-"):
        try:
            target, content = Path(os.path.realpath(destination)), (to_json(result) + "\n").encode()
            if target.exists() and not target.is_file():  # such as /dev/null or a pipe
                target.write_bytes(content)
            else:
                write_atomically(target, content)
        except OSError as error:
            raise ValueError(
                f"--json must name a file that can be written, got {destination!r}: {error.strerror}"
            ) from error


def _too_few(config: AuditConfig) -> str:
    """Say before the run if even a perfect attack could not show epsilon with these trials; else "" ."""
    most = planned_max_provable(config)
    if most >= config.epsilon:
        return ""
    needed = planned_trials_needed(config)
    enough = "no practical number of trials can" if needed is None else f"{needed:,} trials a measurement could"
    return f"note: these trials can show at most epsilon {most:.2f}, below the claimed {config.epsilon:g}; {enough}"


def _progress_line(progress: AuditProgress, config: AuditConfig) -> str:
    """Describe the state; counts are shown only in a watched run, whose bound allows for looking."""
    if progress.stage == "data":
        return f"loading {config.dataset} ..."
    if progress.stage == "training":
        if progress.done == progress.total:
            return "model ready"
        return f"training the model: pass {progress.done} of at most {progress.total}"
    if progress.stage == "crafting":
        return f"crafting pair {progress.done + 1} of {progress.total}"
    line = f"trial {progress.done:,} of {progress.total:,} ({100 * progress.done // progress.total} %)"
    if config.watch:
        summary = summarize(progress.result)
        share = summary.identification.point if summary.identification else 0.0
        line += f", right {share:.4f}, epsilon at least {summary.epsilon.lower:.3f}"
    return line


def _say(text: str, end: str = "") -> None:
    """Write to standard error: on a terminal over the last line, else one line each."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[2K" + text + end)
    else:
        sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _fail(sentence: str) -> int:
    _say(f"error: {sentence}", end="\n")
    return FAILED


def _ignore_interrupts() -> None:
    """Let the result be printed whole, however often Ctrl-C is pressed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}; see python -m ldp_core audit --help")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = _Parser(prog="python -m ldp_core", description="Measure what a claimed epsilon protects, on this device.")
    commands = top.add_subparsers(dest="command", required=True, metavar="audit", parser_class=_Parser)
    audit = commands.add_parser(
        "audit",
        help="test one attack at one epsilon",
        description="Test one attack at one epsilon: craft pairs of gradients, randomize, guess, count, bound.",
        epilog="Exit code 0: claim not rejected (which does not prove it); 1: rejected; 2: wrong usage or environment.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = audit.add_argument
    add("--attack", default="dummy", help="benign, label-flip, gradient-flip, collusion or dummy")
    add("--epsilon", type=float, default=1.0, help="claimed privacy parameter, 0.01 to 30")
    add("--trials", type=int, default=10_000, help="trials of one measurement, both gradients together")
    add("--measurements", type=int, default=10, help="measurements, each with a pair of its own")
    add("--dataset", default="digits", help="digits (built in) or mnist")
    add("--training", default="light", help=f"how far the global model is trained: {', '.join(TRAININGS)}")
    add("--distinguisher", default="cosine", help="cosine (always guesses) or selective (speaks only when sure)")
    add("--clip-norm", type=float, default=1.0, help="L2 bound L on a gradient")
    add("--confidence", type=float, default=0.95, help="of the stated lower bound")
    add("--bound", choices=[name.replace("_", "-") for name in BOUNDS] + ["clopper_pearson"], metavar="BOUND",
        help="pooled or clopper-pearson; without it, the distinguisher's own")  # fmt: skip
    add("--watch", action="store_true", help="show counts and bound during the run, and pay for looking")
    add("--sampling", default="full", help=f"{' or '.join(SAMPLINGS)}; projected simulates our own mechanism fast")
    add("--mechanism", default="ldp-sgd", help="ldp-sgd, or overclaiming: a demonstration that breaks its promise")
    add("--seed", type=int, help="of all random streams; without it, from the operating system, and printed")
    add("--device", default="cpu", help="cpu, cuda or auto")
    add("--threads", type=int, help="worker threads; without it, all cores")
    add("--data-dir", type=Path, help="folder that holds torchvision's data, such as MNIST/raw")
    add("--download", action="store_true", help="allow a missing data set to be downloaded")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    return top
