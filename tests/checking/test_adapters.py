"""The catalogue of adapters, and what each states; what is found in the libraries is in ``test_peers.py``."""

import importlib
import importlib.util
import sys

import numpy as np
import pytest

from ldp_core import adapters
from ldp_core.checking.subjects._child import imported
from ldp_core.checking.subjects.calls import ARGUMENTS, made, stated
from ldp_core.errors import MechanismUnavailableError
from tests.helpers.places import ROOT
from tests.helpers.processes import ended

NORMAL = [name for name in adapters.NAMES if not name.endswith("laplace")]


def adapter_class(name: str) -> type:
    """Return an adapter's class, also where its library is missing."""
    module, _, kind = adapters._CATALOGUE[name].place.partition(":")
    return getattr(importlib.import_module(f"ldp_core.adapters.{module}"), kind)


def test_a_missing_library_is_one_sentence_that_says_how_to_install_it() -> None:
    """In a process that sees no installed package at all, and a folder that is merely called like one."""
    code = """
import tempfile, pathlib
folder = tempfile.mkdtemp()
pathlib.Path(folder, "opacus").mkdir()
sys.path.append(folder)
from ldp_core import adapters
for name in adapters.NAMES:
    try:
        adapters.find(name)
    except Exception as error:
        print(type(error).__name__, error)
print(adapters.find("nothing"))
"""
    found = ended([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"])
    *lines, unknown = found.stdout.splitlines()
    assert unknown == "None"
    assert len(lines) == len(adapters.NAMES)
    for name, line in zip(adapters.NAMES, lines, strict=True):
        start = f"{MechanismUnavailableError.__name__} {name} needs a library that is not installed: pip install "
        assert line.startswith(start)
    assert lines[0].endswith(": pip install opendp")
    assert lines[-1].endswith(": pip install jax-privacy")


@pytest.mark.parametrize("name", adapters.NAMES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning:optax")
def test_an_adapter_states_what_the_catalogue_says(name: str) -> None:
    entry = adapters._CATALOGUE[name]
    if importlib.util.find_spec(entry.module) is None:
        pytest.skip(f"{entry.module} is not installed")
    values = {"epsilon": 0.5, "delta": 1e-3, "clip_norm": 2.0, "dimension": 3}
    target = adapters.find(name)
    mechanism = made(imported(target), values, ARGUMENTS)
    delta = 1e-3 if name in NORMAL else 0.0
    assert stated(mechanism, 3) == {
        "epsilon": 0.5,
        "delta": delta,
        "clip_norm": 2.0,
        "clip_order": entry.clip_order,
        "scale": entry.scale,
    }
    for number in (1, 3):
        reports = mechanism.randomize(np.array([3.0, 0.0, -1.0], np.float32), number)
        assert reports.shape == (number, 3)
        assert np.isfinite(reports).all()


@pytest.mark.parametrize("name", adapters.NAMES)
def test_a_bad_argument_is_one_sentence_before_the_library_is_needed(name: str) -> None:
    for wrong in ({"epsilon": 31.0}, {"clip_norm": 0.0}, *([{"delta": 0.6}] if name in NORMAL else [])):
        with pytest.raises(ValueError, match=rf"^{next(iter(wrong))} must be a number [^\n]+$"):
            adapter_class(name)(**({"epsilon": 0.5} | wrong))


def test_the_classic_calibration_is_refused_beyond_epsilon_1() -> None:
    with pytest.raises(ValueError, match=r"epsilon must be a number from 0\.01 to 1, got 2"):
        adapter_class("diffprivlib-gaussian")(2.0)
