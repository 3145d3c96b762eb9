"""What the page shows before a run is what its command writes, and what is said where little was learned."""

import dataclasses
import json
import math
from dataclasses import asdict

import pytest

from ldp_core import record
from ldp_core.cli import main
from ldp_core.studies.utility.report import drawn
from ldp_core.studies.utility.result import UtilityConfig, UtilityCurve, UtilityResult
from tests.helpers.words import report_of


def test_it_is_what_the_page_proposes() -> None:
    assert asdict(record.measured(UtilityResult).config) == asdict(
        UtilityConfig((0.5, 1.0, 2.0, 4.0), seed=1, rounds=20, repeats=10)
    )


def test_more_privacy_learns_slower_on_average_and_one_training_may_say_otherwise() -> None:
    """The title of the page is about means; what one seed may show instead is in the band and in the sentence."""
    curves = record.measured(UtilityResult).curves
    means = [curve.accuracy[-1] for curve in sorted(curves, key=lambda curve: curve.epsilon or math.inf)]
    assert means == sorted(means)
    kept = [curve for curve in curves if curve.epsilon in (None, 1.0, 2.0)]
    one = UtilityResult(
        UtilityConfig((1.0, 2.0), 5, rounds=20),
        tuple(UtilityCurve(curve.epsilon, curve.trainings[4:5]) for curve in kept),
        True, 1.0, {},
    )  # fmt: skip
    for (epsilon, shares, lowest, highest), curve in zip(drawn(one), one.curves, strict=True):
        assert (epsilon, shares) == (curve.epsilon, curve.accuracy)
        assert all(low <= share <= high for low, share, high in zip(lowest, shares, highest, strict=True))
    apart = max(curve.highest[-1] - curve.lowest[-1] for curve in curves)
    assert f"up to {math.ceil(100 * apart)} of 100 apart" in "\n".join(report_of(one).findings)
    other = dataclasses.replace(one, config=dataclasses.replace(one.config, clients=9_999))
    assert drawn(other)[0][2] == ()


@pytest.mark.nightly
def test_its_command_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    line = record.command(record.measured(UtilityResult).config).removeprefix("python -m ldp_core ").split()
    assert main([*line, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["curves"] == record.plain(record.measured(UtilityResult))["curves"]


@pytest.mark.parametrize(("last", "told"), [(0.1, (1.0,)), (0.29, (1.0,)), (0.31, ()), (0.9, ())])
def test_too_little_learned_is_told(last: float, told: tuple[float, ...]) -> None:
    config = UtilityConfig((1.0,), 7, rounds=1)
    none, one = UtilityCurve(None, ((0.1, 0.9),)), UtilityCurve(1.0, ((0.1, last),))
    assert UtilityResult(config, (none, one), True, 1.0, {}).unlearned == told
    for curves in ((none, UtilityCurve(1.0, ((),))), (UtilityCurve(None, ((0.1, 0.1),)), one)):
        short = UtilityResult(config, curves, len(curves[1].accuracy) == 2, 1.0, {})
        assert short.unlearned == ((1.0,) if not curves[1].accuracy else ())
