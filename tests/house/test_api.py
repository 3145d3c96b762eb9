"""What ``import ldp_core`` offers: whole results with the command line's counts, and one sentence for each mistake."""

import sys
from pathlib import Path

import numpy as np
import pytest

import ldp_core
from ldp_core import reports
from ldp_core.cache import Cache
from ldp_core.studies.compare import exports
from tests.cli.commands import Run
from tests.helpers.processes import printed

pytestmark = pytest.mark.usefixtures("own_cache")
QUICK = {"training": "none", "num_trials": 200, "num_measurements": 2, "seed": 7}


def test_what_is_offered_is_listed_and_loads_no_torch_before_the_first_call() -> None:
    code = (
        "import sys, ldp_core; [getattr(ldp_core, name) for name in ldp_core.__all__]; assert dir(ldp_core); "
        "print(sorted({'torch', 'torchvision', 'streamlit', 'matplotlib'} & set(sys.modules)))"
    )
    assert printed(code) == "[]\n"


def test_the_functions_keep_their_names_when_everything_else_is_imported() -> None:
    import ldp_core.checking.exam
    import ldp_core.studies.audit.run
    import ldp_core.studies.compare.run

    assert callable(ldp_core.audit)
    assert callable(ldp_core.compare)
    assert callable(ldp_core.check)


def test_an_audit_has_the_counts_of_the_command(run: Run) -> None:
    result = ldp_core.audit("gradient-flip", 2.0, **QUICK)
    assert isinstance(result, ldp_core.AuditResult)
    assert result.completed
    assert isinstance(ldp_core.summarize(result), ldp_core.AuditSummary)
    words = "audit --attack gradient-flip --epsilon 2 --training none --trials 200 --measurements 2 --seed 7 --json -"
    again = reports.from_json(run(*words.split())[1])
    assert (again.config, again.measurements) == (result.config, result.measurements)


def test_a_comparison_has_the_counts_of_the_command_and_is_continued(tmp_path: Path, run: Run) -> None:
    sure = {"significance": 1e-9}  # of a fresh seed, 5 % would blame an honest randomizer now and then
    settings = {name: value for name, value in QUICK.items() if name != "seed"} | sure
    result = ldp_core.compare(["benign", "dummy"], [1.0], store=tmp_path / "cells.sqlite", **settings)
    assert isinstance(result, ldp_core.CompareResult)
    assert result.completed
    again = ldp_core.compare(["benign", "dummy"], [1.0], store=str(tmp_path / "cells.sqlite"), **settings)
    assert again == result, "the seed is that of the store"
    words = "compare --attacks benign,dummy --epsilons 1 --training none --trials 200 --measurements 2 --json -"
    more = ("--confidence", "0.999999999", "--seed", str(result.config.seed))
    told = exports.read(run(*words.split(), *more)[1])[0]
    assert [cell.measurements for cell in told.cells] == [cell.measurements for cell in result.cells]


ECHO = """\
import sys
for line in sys.stdin:
    _, count, _, *numbers = line.split()
    print("\\n".join(int(count) * [" ".join(numbers)]), flush=True)
"""


def test_a_check_of_a_function_a_program_and_a_module_catches_a_lie() -> None:
    def sent_as_it_is(gradient: np.ndarray, num_reports: int) -> np.ndarray:
        return np.tile(gradient, (num_reports, 1))

    assert ldp_core.check(sent_as_it_is, 1.0, dimension=4, reports=5_000, seed=7).verdict == "claim_rejected"
    program = ldp_core.check([sys.executable, "-c", ECHO], 1.0, dimension=4, reports=5_000, seed=7)
    assert program.verdict == "claim_rejected"
    assert program.config.subject == f"the program {Path(sys.executable).name}"
    named = ldp_core.check("tests.helpers.vendor.mechanisms:HalfTheNoise", 1.0, dimension=4, reports=10_000, seed=7)
    assert named.verdict == "claim_rejected"
    assert named.config.scale == 1.0, "as it states itself"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ldp_core.audit("nothing"), "attack must be one of"),
        (lambda: ldp_core.compare(["dummy"], [1.0], datasets="mnist"), "datasets must be a list"),
        (lambda: ldp_core.check("ldp-sgd", 1.0, subject="x"), "a setting must be a field of CheckConfig"),
        (lambda: ldp_core.check(np.copy), "epsilon must say what the mechanism claims"),
        (lambda: ldp_core.check("ldp-sgdd", 1.0), "did you mean ldp-sgd?"),
        (lambda: ldp_core.check([], 1.0), "the command must name a program"),
        (lambda: ldp_core.check(Cache, 1.0), "function must be a function or an object"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(call: object, words: str) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=words) as error:
        call()
    assert "\n" not in str(error.value)
