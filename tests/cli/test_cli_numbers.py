"""Numbers on the command line: how they may be written, and that a wrong one is refused at once."""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ldp_core.cli import parser
from ldp_core.terminal.numbers import number, whole
from tests.helpers.patience import PATIENCE

PLAIN = {
    "audit": ["audit"],
    "compare": ["compare"],
    "training-path": ["training-path"],
    "utility": ["utility"],
    "story": ["story"],
    "check": ["check", "nothing:There", "--epsilon", "1"],
    "challenge": ["challenge", "--epsilon", "1", "--out", "new.npz", "--key", "new.json"],
    "show": ["show", "nothing-there.json"],
    "reconstruct": ["reconstruct"],
    "channels": ["channels"],
    "capacity": ["capacity"],
    "plane": ["plane"],
    "trust": ["trust"],
    "detect": ["detect"],
    "accountant": ["accountant", "--sampling-rate", "0.01", "--steps", "10", "--noise", "1"],
    "central": ["central"],
    "central-one-run": ["central-one-run"],
    "central-table": ["central-table"],
    "check-training": ["check-training", "nothing.py:there"],
}
_BELOW_EPSILON = ("0.009", "30.1", "nan", "-1", "inf")
_NORM = ("0", "9e-7", "1.1e6", "nan")
_SEED = ("-1", str(2**63))
_TEST = {
    "--trials": ("0", "1000000001", "1.5"),
    "--measurements": ("0", "1001"),
    "--confidence": ("0.49", "1", "95", "nan"),
    "--clip-norm": _NORM,
    "--radius": ("9e-7", "1.1e9"),
    "--seed": _SEED,
    "--threads": ("0", "1025"),
}
_CLAIM = {
    "--epsilon": _BELOW_EPSILON,
    "--delta": ("-0.1", "0.51", "nan"),
    "--dimension": ("0", "1000001", "1.5"),
    "--clip-norm": _NORM,
    "--reports": ("0", "100000001"),
    "--confidence": ("0.49", "1"),
    "--seed": _SEED,
    "--scale": ("0", "1.1e12"),
    "--report-norm": ("0", "1.1e12"),
}
_WEIGHT = ("9e-4", "1.1e6", "nan")
_CENTRAL = {
    "--epsilon": ("0.09", "20.1", "nan"),
    "--delta": ("9e-10", "0.11", "nan"),
    "--records": ("9", "60001"),
    "--sampling-rate": ("0", "1.1", "nan"),
    "--steps": ("0", "20001"),
    "--noise-factor": ("0.09", "10.1", "nan"),
    "--seed": _SEED,
}
EDGES: dict[str, dict[str, tuple[str, ...]]] = {
    "audit": _TEST | {"--epsilon": _BELOW_EPSILON, "--strength": ("9e-7", "1001"), "--clients": ("0", "1001")},
    "compare": _TEST
    | {
        "--epsilons": ("1,0.009", "1,30.1", "1,x"),
        "--clients": ("1,0", "1001", "1.5"),
        "--strengths": ("1,9e-7", "1001"),
        "--workers": ("0", "1"),
    },
    "training-path": {
        "--passes": ("0,21", "-1", "0.5"),
        "--measurements": ("0", "1001"),
        "--clip-norm": _NORM,
        "--epsilon": _BELOW_EPSILON,
        "--seed": _SEED,
    },
    "utility": {
        "--epsilons": ("1,0.009", "30.1", "1,x"),
        "--clients": ("0", "100001"),
        "--rounds": ("0", "1001"),
        "--clip-norm": _NORM,
        "--learning-rate": ("9e-7", "1001"),
        "--radius": ("0.9", "10001"),
        "--seed": _SEED,
        "--threads": ("0", "1025"),
    },
    "story": {
        "--epsilon": _BELOW_EPSILON,
        "--norm": ("-0.1", "nan"),
        "--clip-norm": ("0", "nan"),
        "--reports": ("-1", "10001"),
        "--game": ("-1", "10001"),
        "--example": ("-1", "10"),
        "--seed": ("-1",),
    },
    "check": _CLAIM | {"--timeout": ("0", "3601", "nan"), "--workers": ("0", "257", "1.5")},
    "challenge": _CLAIM,
    "show": {"--epsilon": _BELOW_EPSILON},
    "reconstruct": {
        "--epsilon": _BELOW_EPSILON,
        "--pictures": ("0", "10001"),
        "--candidates": ("1", "20001"),
        "--public": ("99", "20001"),
        "--clip-norm": _NORM,
        "--capacity": ("-1", "nan"),
        "--noise": ("9e-7", "1.1e6", "nan"),
        "--keep": ("9e-7", "1.1", "nan"),
        "--importance": _WEIGHT,
        "--batch": ("0", "65"),
        "--local-steps": ("0", "101"),
        "--local-rate": ("9e-7", "1001", "nan"),
        "--steps": ("0", "100001"),
        "--restarts": ("0", "65"),
        "--seed": _SEED,
    },
    "capacity": {
        "--epsilon": _BELOW_EPSILON,
        "--capacity": ("-1", "0", "nan"),
        "--capacities": ("0", "50,x", "100,50"),
        "--rounds": ("0", "51"),
        "--factor": ("0.9", "1001"),
        "--batches": ("0", "4,1", "x"),
        "--noise": ("9e-7", "1000001"),
        "--clip-norm": ("9e-7", "1000001"),
        "--importance": _WEIGHT,
        "--public": ("199", "5001"),
        "--pictures": ("1", "10001"),
        "--passes": ("0", "101"),
        "--seed": _SEED,
    },
    "channels": {
        "--capacity": ("-1", "nan"),
        "--importance": _WEIGHT,
        "--pictures": ("1", "10001"),
        "--candidates": ("1", "20001"),
        "--passes": ("-1", "101"),
        "--seed": _SEED,
    },
    "plane": {
        "--members": ("19", "20001"),
        "--passes": ("0", "1001"),
        "--batch": ("0", "20001"),
        "--repeats": ("0", "101"),
        "--shadows": ("-1", "257"),
        "--pictures": ("1", "10001"),
        "--public": ("99", "20001"),
        "--clip-norm": _NORM,
        "--importance": _WEIGHT,
        "--timings": ("-1", "101"),
        "--seed": _SEED,
    },
    "trust": {
        "--clients": ("0", "100001"),
        "--sybils": ("-1", "100000"),
        "--epsilon": _BELOW_EPSILON,
        "--games": ("0", "1000000001"),
        "--delta": ("9e-10", "0.11", "nan"),
        "--strength": ("9e-7", "1001"),
        "--clip-norm": _NORM,
        "--confidence": ("0.49", "1", "nan"),
        "--seed": _SEED,
        "--threads": ("0", "1025"),
    },
    "detect": {
        "--pairs": ("0", "201"),
        "--epsilon": _BELOW_EPSILON,
        "--false-alarm": ("9e-4", "0.51", "nan"),
        "--trials": ("99", "1000001"),
        "--images": ("29", "3001"),
        "--clip-norm": _NORM,
        "--confidence": ("0.49", "1", "nan"),
        "--seed": _SEED,
    },
    "accountant": {
        "--sampling-rate": ("0", "1.1", "nan"),
        "--noise": ("0.09", "1001", "nan"),
        "--epsilon": _BELOW_EPSILON,
        "--steps": ("0", "1000001"),
        "--delta": ("9e-10", "0.51", "nan"),
        "--records": ("0", "1.5"),
    },
    "central": _CENTRAL
    | {
        "--games": ("19", "1000001"),
        "--threshold-games": ("-1", "1000001"),
        "--clip-norm": _NORM,
        "--learning-rate": ("-1", "1001", "nan"),
        "--threads": ("0", "1025"),
    },
    "central-one-run": _CENTRAL | {"--canaries": ("19", "1000001"), "--guesses": ("0", "1001")},
    "central-table": {
        "--epsilons": ("1,0.09", "20.1", "1,x"),
        "--games": ("19", "1000001"),
        "--seed": _SEED,
        "--threads": ("0", "1025"),
        "--workers": ("0", "1.5"),
    },
    "check-training": {
        "--sampling-rate": ("0", "1.1", "nan"),
        "--noise": ("0.09", "1001", "nan"),
        "--steps": ("0", "1000001"),
        "--clip-norm": _NORM,
        "--delta": ("9e-10", "0.51", "nan"),
        "--games": ("19", "1000001"),
        "--threshold-games": ("-1", "1000001"),
        "--records": ("-1", "1000001"),
        "--confidence": ("0.49", "1", "nan"),
        "--seed": _SEED,
        "--timeout": ("0", "nan"),
        "--workers": ("0", "1.5"),
    },
}
"""For each command each option that is a number, or a list of them, with values just outside its range."""
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


def commands() -> dict[str, argparse.ArgumentParser]:
    found = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(found.choices)


def numeric(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        if action.type in (whole, number, int, float) or _LISTS & set(action.option_strings):
            yield action.option_strings[0]


def test_every_numeric_option_of_every_command_is_below() -> None:
    for name, command in commands().items():
        assert name in PLAIN, f"{name} is a new command: PLAIN needs its plainest use"
        assert name in EDGES, f"{name} is a new command: EDGES needs what its numbers must refuse"
        assert set(numeric(command)) == set(EDGES[name]), name
    assert set(PLAIN) == set(EDGES) == set(commands())


@pytest.mark.parametrize("command", PLAIN)
def test_a_wrong_number_is_refused_before_anything_large_is_loaded(command: str) -> None:
    """In a process of its own, for this one has loaded everything."""
    cases = [[*PLAIN[command], option, value] for option, values in EDGES[command].items() for value in values]
    finished = subprocess.run(
        [sys.executable, "-c", _PROBE.format(cases=cases)], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    lines = finished.stdout.splitlines()
    assert len(lines) == len(cases)
    for case, line in zip(cases, lines, strict=True):
        code, loaded, said, sentence = line.split("\t")
        assert (code, loaded, said) == ("2", "[]", "1"), (case, line)
        assert sentence.startswith("error: "), case
        stem = re.sub("(s|ies)$", "", case[-2][2:].replace("-", "_"))  # of a list, one entry is refused or all
        assert stem in sentence.replace("-", "_"), "it names what was wrong"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e4", 10_000), ("10000", 10_000), ("1E+4", 10_000), ("1_000", 1_000), ("2.5e1", 25), ("7.0", 7), (" 3 ", 3),
     ("-2", -2), ("0e9", 0), (str(2**63 - 1), 2**63 - 1), ("9007199254740993", 2**53 + 1)],
)  # fmt: skip
def test_a_whole_number_may_be_written_as_people_write_it(text: str, value: int) -> None:
    assert whole(text) == value
    assert isinstance(whole(text), int)


@pytest.mark.parametrize(
    "text", ["1.5", "1e-1", "", "x", "1,000", "1 000", "nan", "inf", "1e999999999", "9" * 5_000, "0x10", "1e", "٠x"]
)
def test_what_is_no_whole_number_is_refused_at_once(text: str) -> None:
    """Also one that is whole and would fill the memory."""
    with pytest.raises(argparse.ArgumentTypeError, match="must be a whole number such as 10000 or 1e4, got"):
        whole(text)


def test_the_sentence_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    from ldp_core.cli import main

    assert main(["audit", "--trials", "1.5"]) == 2
    expected = (
        "error: --trials must be a whole number such as 10000 or 1e4, got '1.5'; see python -m ldp_core audit --help"
    )
    assert capsys.readouterr().err.strip() == expected
    assert main(["compare", "--clients", "1,1.5"]) == 2
    assert "--clients must be whole numbers separated by commas, got '1,1.5'" in capsys.readouterr().err


def test_1e4_is_a_number_wherever_a_whole_one_is_asked() -> None:
    for name, command in commands().items():
        for option in numeric(command):
            action = next(action for action in command._actions if option in action.option_strings)
            given = parser().parse_args([*PLAIN[name], option, "1e4"])
            if action.type is not None:
                assert getattr(given, action.dest) == 10_000, (name, option)
                assert type(getattr(given, action.dest)) is (int if action.type is whole else float)
