"""A mechanism that a Python program defines, and one of our own by its name."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ldp_core.claims import CheckConfig
from ldp_core.errors import MechanismContractError, MechanismUnavailableError
from ldp_core.mechanisms import MECHANISMS
from ldp_core.mechanisms.faulty import FAULTY
from ldp_core.subjects import builtin, mechanism_class, stated
from ldp_core.subjects._calls import CalledSubject
from ldp_core.subjects.python import load
from tests.helpers.patience import PATIENCE
from tests.helpers.vendor import mechanisms

CONFIG = CheckConfig("somebody's", 1.0, 3, dimension=8, clip_norm=2.0, delta=1e-5)
GRADIENT = np.linspace(-1, 1, 8, dtype=np.float32)
MODULE = "tests.helpers.vendor.mechanisms"


def reports_of(name: str, count: int = 40, arrays: str = "auto") -> Any:
    return load(f"{MODULE}:{name}", CONFIG, arrays).randomize(GRADIENT, count)


# Forms that are taken.


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *(("single", 1), ("batched", 1), ("number", 1), ("torch_only", 8), ("torch_by_deed", 8)),
        *(("Laplace", 8), ("factory", 1), ("ready", 8), ("ready.randomize", 8), ("Server", 8), ("one_buffer", 4)),
    ],
)
def test_every_form_gives_rows_of_numbers(name: str, length: int) -> None:
    reports = reports_of(name)
    assert reports.shape == (40, length)
    assert reports.dtype.kind in "fiu"
    assert np.isfinite(reports).all()


def test_a_factory_gets_what_it_names_and_nothing_else() -> None:
    made = mechanism_class("gaussian")
    assert load("ldp_core.mechanisms:Gaussian", CONFIG)._randomize.__self__ == made(1.0, 2.0, delta=1e-5)  # type: ignore[attr-defined]
    assert load(f"{MODULE}:Laplace", CONFIG)._randomize.__self__.scale == 2 * 2 * 8**0.5  # type: ignore[attr-defined]


def test_the_input_cannot_be_harmed_and_a_report_cannot_change_later() -> None:
    before = GRADIENT.copy()
    assert len(set(reports_of("ready")[:, 0])) > 30
    assert (before == GRADIENT).all()
    assert len(set(reports_of("one_buffer")[:, 0])) == 40


def test_what_the_vendor_prints_does_not_pass_for_a_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, MODULE)
    load(f"{MODULE}:single", CONFIG)
    out, err = capsys.readouterr()
    assert out == ""
    assert "greets you" in err


def test_batches_have_a_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ldp_core.subjects._calls._BATCH_VALUES", 80)
    sizes = []

    def record(gradient: Any, num_reports: int) -> Any:
        sizes.append(num_reports)
        return np.zeros((num_reports, 2))

    assert CalledSubject(record).randomize(GRADIENT, 25).shape == (25, 2)
    assert sizes == [10, 10, 5]


def test_a_restart_is_a_process_of_its_own_that_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed fixed at import gives the same reports again; an honest mechanism does not."""
    for name, repeats in (("seeded_at_import", True), ("Laplace", False)):
        monkeypatch.delitem(sys.modules, MODULE)
        first = load(f"{MODULE}:{name}", CONFIG)
        before = first.randomize(GRADIENT, 50)
        again = first.restarted()
        assert again is not None
        try:
            after = again.randomize(GRADIENT, 50)
        finally:
            again.close()
        assert after.shape == (50, 8)
        assert (before == after).all() == repeats


def test_what_a_library_prints_does_not_pass_for_an_answer_after_a_restart() -> None:
    again = load(f"{MODULE}:loud", CONFIG).restarted()
    assert again is not None
    try:
        assert again.randomize(GRADIENT, 20).shape == (20, 8)
    finally:
        again.close()


# What a mechanism says of itself.


def test_what_a_mechanism_states_is_read() -> None:
    assert stated(mechanisms.Laplace(1.0, 2.0, 8), 8) == {
        "epsilon": 1.0, "clip_norm": 2.0, "clip_order": "l2", "scale": 1.0,
    }  # fmt: skip
    assert stated(mechanisms.Server(), 9) == {"scale": pytest.approx(3.5), "report_norm": 3.0}
    assert "scale" not in stated(mechanisms.Slope(), 9)
    assert mechanisms.Laplace(1.0, 2.0, 8).scale > 1.0  # of the noise: no number of the server's
    assert stated(mechanisms.single, 9) == {}
    assert stated(object(), 9) == {}


@pytest.mark.parametrize("name", MECHANISMS)
def test_our_family_states_a_scale_that_its_server_uses(name: str) -> None:
    made = MECHANISMS[name](1.0)
    found = stated(made, 16)
    assert found["epsilon"] == 1.0
    assert found["scale"] > 0  # type: ignore[operator]
    assert found["delta"] == made.delta


# Forms that are refused.


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("tests.no_such_module:f", "importable, got ModuleNotFoundError: No module named 'tests.no_such_module'"),
        (f"{MODULE}:none", "importable, got AttributeError"),
        (f"{MODULE}:NeedsAKey", "only epsilon, delta, clip_norm, dimension, got a parameter 'licence'"),
        (f"{MODULE}:Refuses", "without an error, got RuntimeError: no licence [2J for 1.0"),
        (f"{MODULE}:nothing", "method randomize or be a function, got int"),
    ],
)
def test_what_cannot_be_made_is_named(target: str, words: str) -> None:
    with pytest.raises(MechanismUnavailableError) as raised:
        load(target, CONFIG)
    assert words in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("target", ["", "tests", "tests:", ":x", "tests:x y", "os;x:y", "../x:y", "a.b:c()"])
def test_a_target_has_one_form(target: str) -> None:
    with pytest.raises(ValueError, match=r"package\.module:Name, got"):
        load(target, CONFIG)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "KeyError: \"the vendor's mistake\"|KeyError: 'the vendor"),
        ("quits", "SystemExit: 3"),
        ("speechless", "xxx for a NumPy array"),
        ("too_long", "at most 1,040 numbers, got 1,041"),
        ("words", "real numbers, got the type <U1"),
        ("ragged", "ValueError"),
        ("growing", "all reports must have one length"),
        ("too_few", "shape (40, m), got shape (39, 3)"),
        ("cube", "a report must be a row, got shape (2, 2, 2)"),
        ("imaginary", "real numbers, got the type complex128"),
    ],
)
def test_what_is_no_batch_of_reports_gets_one_sentence(name: str, words: str) -> None:
    with pytest.raises(MechanismContractError) as raised:
        reports_of(name)
    assert any(word in str(raised.value) for word in words.split("|")), raised.value
    assert str(raised.value).isprintable()


def test_what_was_tried_is_said() -> None:
    with pytest.raises(MechanismContractError, match=r"for a NumPy array; and KeyError.* for a torch tensor"):
        reports_of("raises")
    with pytest.raises(MechanismContractError, match=r"for a torch tensor$"):
        reports_of("raises", arrays="torch")
    with pytest.raises(ValueError, match="arrays must be one of auto, numpy, torch"):
        reports_of("single", arrays="jax")


# Our own.


@pytest.mark.parametrize("name", [*MECHANISMS, *FAULTY])
def test_each_of_ours_is_there_by_its_name(name: str) -> None:
    subject = builtin(name, CONFIG)
    assert subject.seeded
    assert subject.ordered
    assert subject.randomize(GRADIENT, 7).shape[0] == 7
    assert subject.restarted() is not None


def test_ours_repeat_with_the_seed_and_differ_after_a_restart() -> None:
    first, second = builtin("ldp-sgd", CONFIG), builtin("ldp-sgd", CONFIG)
    reports = first.randomize(GRADIENT, 5)
    assert (reports == second.randomize(GRADIENT, 5)).all()
    assert not (reports == first.randomize(GRADIENT, 5)).any()
    restarted = [subject.restarted() for subject in (first, second, first, second)]
    again = [subject.randomize(GRADIENT, 5) for subject in restarted if subject is not None]
    assert (again[0] == again[1]).all()
    assert (again[2] == again[3]).all()
    assert not (again[0] == reports).any()
    assert not (again[0] == again[2]).any()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="mechanism must be one of ldp-sgd"):
        builtin("none", CONFIG)


# Never from a page.


def test_what_pages_may_import_cannot_run_a_stranger() -> None:
    """``subjects`` itself loads neither the way to a module nor the one to a program."""
    ways = "{'ldp_core.subjects.python', 'ldp_core.subjects.command'}"
    code = f"import ldp_core.subjects, sys; print(sorted({ways} & set(sys.modules)))"
    root = Path(__file__).resolve().parents[1]
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert finished.stdout.strip() == "[]"
