"""Prepared examples against the same runs for real."""

import json
import shlex
from pathlib import Path

import pytest
from scipy.stats import binom

from ldp_core import record, reports, results
from ldp_core.checking import claims
from ldp_core.cli import main
from ldp_core.statistics import theory
from ldp_core.types import AuditResult
from pages.state import prepared
from tests.helpers.binomial import accepts

pytestmark = pytest.mark.usefixtures("own_cache")


def right(result: AuditResult) -> tuple[int, int]:
    return result.counts.num_right, result.counts.num_trials


@pytest.mark.nightly
def test_the_commands_of_the_comparison_and_of_the_check_repeat_them(capsys: pytest.CaptureFixture[str]) -> None:
    names = (prepared.COMPARE, prepared.CHECK)
    compared, checked = (prepared.job(name).result for name in names)
    lines = (
        record.command(compared.config),
        claims.command(checked.config).replace("MECHANISM", checked.config.subject),
    )
    for name, kept, line in zip(names, (compared, checked), lines, strict=True):
        main([*shlex.split(line)[3:], "--json", "-"])
        out = capsys.readouterr().out
        again, known = results.read(out.encode()).result, json.loads((prepared.FOLDER / f"{name}.json").read_bytes())
        assert again.config == kept.config
        if known["versions"].items() <= json.loads(out)["versions"].items():
            shown = [
                [part.counts for part in getattr(one, "cells", getattr(one, "looks", ()))] for one in (kept, again)
            ]
            assert shown[0] == shown[1] != []


@pytest.mark.soak  # an hour
def test_the_papers_are_rebuilt_by_their_command(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = prepared.job(prepared.REPRODUCE).result
    assert main([*shlex.split(record.command(kept.config))[3:], "--data-dir", str(data_dir), "--json", "-"]) == 0
    again = results.read(capsys.readouterr().out.encode()).result
    assert again.config == kept.config
    if kept.versions.items() <= again.versions.items():
        assert again.verdicts == kept.verdicts


def test_its_command_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    kept = prepared.job().result
    words = shlex.split(record.command(kept.config))
    assert words[:4] == ["python", "-m", "ldp_core", "audit"]
    assert main([*words[3:], "--json", "-"]) == 0
    again = reports.from_json(capsys.readouterr().out)
    assert again.config == kept.config
    if kept.versions.items() <= again.versions.items():
        assert again.counts == kept.counts
    promise = theory.worst_case_identification(1.0)
    assert accepts(*right(again), promise)
    assert accepts(*right(kept), promise)
    assert not accepts(round(0.69 * kept.counts.num_trials), kept.counts.num_trials, promise), "a liar"
    assert binom.sf(right(kept)[0] - 1, right(kept)[1], 0.5) < 1e-9, "it tells more than a coin"
