"""Numbers on the command line: how they may be written, and that a wrong one is refused at once."""

import argparse
import re
from collections.abc import Iterator

import pytest

from ldp_core.cli import DOES, parser
from ldp_core.terminal.numbers import number, whole
from tests.helpers.processes import printed

PLAIN = {name: [name] for name in DOES} | {
    "check": ["check", "nothing:There", "--epsilon", "1"],
    "challenge": ["challenge", "--epsilon", "1", "--out", "new.npz", "--key", "new.json"],
    "show": ["show", "nothing-there.json"],
    "accountant": ["accountant", "--sampling-rate", "0.01", "--steps", "10", "--noise", "1"],
    "check-training": ["check-training", "nothing.py:there"],
    "check-flower": ["check-flower", "nothing"],
}
"""Every command in its plainest use."""
_LISTS = {"--epsilons", "--clients", "--strengths", "--passes", "--capacities", "--batches"}
_PROBE = """
import contextlib, io, sys
from ldp_core.cli import main
for words in {cases!r}:
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main(words)
    heavy = sorted({{"torch", "scipy", "sklearn", "torchvision"}} & set(sys.modules))
    print(code, heavy, len(said.getvalue().splitlines()), said.getvalue().strip()[:200], sep="\\t")
"""


def command_parser(name: str) -> argparse.ArgumentParser:
    found = next(action for action in parser(name)._actions if isinstance(action, argparse._SubParsersAction))
    return found.choices[name]


def numeric(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        if action.type in (whole, number, int, float) or _LISTS & set(action.option_strings):
            yield action.option_strings[0]


@pytest.mark.few(3)
@pytest.mark.parametrize("command", PLAIN)
def test_a_wrong_number_is_refused_before_anything_large_is_loaded(command: str) -> None:
    """In a process of its own, for this one has loaded everything; where each range ends, others test."""
    options = list(numeric(command_parser(command)))
    cases = [[*PLAIN[command], option, value] for option in options for value in ("nan", "-1e9", "x")]
    assert cases
    lines = printed(_PROBE.format(cases=cases)).splitlines()
    assert len(lines) == len(cases)
    for case, line in zip(cases, lines, strict=True):
        code, loaded, said, sentence = line.split("\t")
        assert (code, loaded, said) == ("2", "[]", "1"), (case, line)
        assert sentence.startswith("error: "), case
        stem = re.sub("(s|ies)$", "", case[-2][2:].replace("-", "_"))  # of a list, one entry is refused or all
        assert stem in sentence.replace("-", "_"), "it names what was wrong"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e4", 10_000), ("1_000", 1_000), ("7.0", 7), (" 3 ", 3), ("-2", -2), ("9007199254740993", 2**53 + 1)],
)  # fmt: skip
def test_a_whole_number_may_be_written_as_people_write_it(text: str, value: int) -> None:
    assert whole(text) == value
    assert isinstance(whole(text), int)


@pytest.mark.parametrize("text", ["1.5", "", "x", "1,000", "nan", "inf", "1e999999999", "9" * 5_000, "0x10"])
def test_what_is_no_whole_number_is_refused_at_once(text: str) -> None:
    """Also one that is whole and would fill the memory."""
    with pytest.raises(argparse.ArgumentTypeError, match="must be a whole number such as 10000 or 1e4, got"):
        whole(text)
