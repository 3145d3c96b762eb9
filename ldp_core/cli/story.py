"""The command ``story``: every number on the overview's pictures, from its seed."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ldp_core import _validate, illustrate
from ldp_core.record import shortest
from ldp_core.terminal import NOT_REJECTED, check_writable, deliver, opened_cache, say, stage_line, write
from ldp_core.terminal.numbers import number, whole
from ldp_core.terminal.study_command import seed_of

if TYPE_CHECKING:
    from ldp_core.datasets import ImageData
    from ldp_core.learning.models import ThreeLayerCnn

NAME = "story"
_CLASSES = 10


def run(options: argparse.Namespace) -> int:
    """Repeat one step of the story, or make the packaged examples anew."""
    check_writable("--json", options.json)
    check_writable("--prepare", options.prepare)
    if options.prepare is not None:
        return _prepare(options.prepare)
    if options.example is not None:
        _validate.integer("example", options.example, 0, _CLASSES - 1)
    if options.game is not None:
        _validate.integer("game", options.game, 0, illustrate.MOST_REPORTS)
    options.seed = seed_of(options)
    step = _found(options)
    deliver(options.json, _text(options, step), lambda: json.dumps(step, indent=2))
    return NOT_REJECTED


def command(options: argparse.Namespace) -> str:
    """Return the command line that repeats a step."""
    if options.game is not None:
        step = f"--game {options.game}"
    elif options.example is not None:
        step = f"--example {options.example} --clip-norm {shortest(options.clip_norm)}"
    else:
        norms = f"--norm {shortest(options.norm)} --clip-norm {shortest(options.clip_norm)}"
        step = f"--reports {options.reports} {norms}"
    return f"python -m ldp_core {NAME} {step} --epsilon {shortest(options.epsilon)} --seed {options.seed}"


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        NAME, description="Send reports of one update, play the guessing game, or randomize a packaged example."
    )
    add = parser.add_argument
    add("--epsilon", type=number, default=1.0, help="claimed privacy parameter, in nats")
    add("--norm", type=number, default=1.0, help="length of the update")
    add("--clip-norm", type=number, default=1.0, help="L2 bound L on an update")
    add("--reports", type=whole, default=200, help="how many reports of it are sent")
    step = parser.add_mutually_exclusive_group()
    step.add_argument("--game", type=whole, metavar="ROUNDS", help="play the guessing game instead")
    step.add_argument("--example", type=whole, metavar="DIGIT", help="randomize the packaged update of a digit instead")
    step.add_argument("--prepare", metavar="FILE", help="make the file of packaged examples anew (trains a model)")
    add("--seed", type=whole, help="of all randomness; without it, from the operating system, and printed")
    add("--json", metavar="FILE", help="write the numbers as JSON to a file, or - for standard output")
    parser.set_defaults(run=run)


def _found(options: argparse.Namespace) -> dict[str, Any]:
    settings = {"schema": "ldp-story/1", "epsilon": options.epsilon, "seed": options.seed}
    if options.game is not None:
        rounds = illustrate.play(options.epsilon, options.game, options.seed)
        shown = [
            {
                "sent": turn.sent,
                "report": list(turn.report),
                "side": "A" if turn.report[1] > 0.0 else "B",
                "attacker": turn.attacker,
            }
            for turn in rounds
        ]
        score = sum(turn.attacker == turn.sent for turn in rounds)
        limit = illustrate.near_probability(options.epsilon, 1.0)
        return settings | {"rounds": shown, "attacker_score": score, "law": limit}
    settings["clip_norm"] = options.clip_norm
    if options.example is not None:
        example = illustrate.examples()[options.example]
        report, near = illustrate.randomize(example.update, options.epsilon, options.seed, clip_norm=options.clip_norm)
        return settings | {
            "example": example.label,
            "norm": example.norm,
            "length": len(report),
            "near": near,
            "report": [float(value) for value in report[:3]],
            "law": illustrate.near_probability(options.epsilon, example.norm, options.clip_norm),
        }
    sent = illustrate.send(options.epsilon, options.norm, options.reports, options.seed, clip_norm=options.clip_norm)
    return settings | {
        "norm": options.norm,
        "reports": options.reports,
        "near": sent.num_near,
        "share": sent.num_near / options.reports if options.reports else None,
        "law": illustrate.near_probability(options.epsilon, options.norm, options.clip_norm),
    }


def _text(options: argparse.Namespace, step: dict[str, Any]) -> str:
    """Return the numbers of one step for a person."""
    law = f"{100 * step['law']:.2f} of 100"
    if options.game is not None:
        lines = ["round  sent  report's side  attacker's guess"]
        for number, turn in enumerate(step["rounds"], start=1):
            mark = "right" if turn["attacker"] == turn["sent"] else "wrong"
            lines.append(f"{number:>5}  {turn['sent']:>4}  {turn['side']:>13}  {turn['attacker']:>16}  {mark}")
        lines.append(f"The attacker is right {step['attacker_score']} of {options.game} times; on average {law}.")
    elif options.example is not None:
        first = ", ".join(f"{value:.6f}" for value in step["report"])
        side = "near" if step["near"] else "far"
        lines = [
            f"digit {step['example']}: an update of {step['length']:,} numbers and length {step['norm']:.4g}",
            f"its report lies on the {side} side and begins with {first}",
            f"a report of it lies on the near side {law} times",
        ]
    else:
        share = "" if step["share"] is None else f", {100 * step['share']:.2f} of 100"
        lines = [f"{step['near']} of {step['reports']} reports lie on the near side{share}; on average {law}."]
    return "\n".join([*lines, f"Seed {options.seed}. Repeat:\n{command(options)}"])


def _prepare(name: str) -> int:
    """Train the light model on the digits and write an example of each class."""
    say("loading torch ...")
    from ldp_core.game.setup import ended, one_thread_per_operation, prepare

    def tell(stage: str, done: int, total: int) -> None:
        say(stage_line(stage, "digits", done, total))

    with one_thread_per_operation():
        ready = ended(prepare(tell, "digits", "light", opened_cache()))
        write("--prepare", name, illustrate.pack(_examples(ready.data, ready.model)))
    say(f"an example of each digit is in {name}", end="\n")
    return NOT_REJECTED


def _examples(data: ImageData, model: ThreeLayerCnn) -> list[illustrate.Example]:
    """Return the first held-out image of each class and its gradient."""
    import numpy as np

    from ldp_core.learning.gradients import client_gradient

    examples = []
    for label in range(_CLASSES):
        image = data.images[int((data.labels == label).nonzero()[0])]
        update = client_gradient(model, image, label).double().numpy()
        examples.append(illustrate.Example(label, np.rint(255.0 * image[0].numpy()).astype(np.uint8), update))
    return examples
