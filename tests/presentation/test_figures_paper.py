"""Saved files: what is there, what it holds, and that the same comparison gives the same bytes."""

import threading
from functools import partial
from pathlib import Path

import matplotlib
import pytest

from ldp_core.game.sweep import CompareResult
from ldp_core.presentation.figures import paper
from ldp_core.presentation.figures.utility import utility_chart
from ldp_core.studies.compare.report import save_charts
from ldp_core.studies.reading import english
from tests.helpers.comparisons import comparison


@pytest.fixture(scope="module")
def result() -> CompareResult:
    return comparison(
        attacks=("benign", "gradient-flip", "dummy"), tests=("white", "black"), epsilons=(1.0, 4.0), curves=True,
        datasets=("mnist", "digits"), num_trials=1_000, num_measurements=2, clients=(1, 2),
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(result: CompareResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("paper")
    written = save_charts(result, place, english(), ("svg",))
    assert written == [path for path in written if path.parent == place and path.suffix == ".svg"]
    assert {path.name for path in place.iterdir()} == {path.name for path in written}
    return place


def test_there_is_a_file_for_every_figure_that_has_cells(folder: Path) -> None:
    names = {path.stem for path in folder.iterdir()}
    each = {"fig1b-m", "fig1b-j", "fig3", "table3-m", "map", "tradeoff-white"}
    datasets, epsilons = ("mnist", "digits"), ("1", "4")
    assert names == (
        {f"{name}-{dataset}-eps{epsilon}" for name in each for dataset in datasets for epsilon in epsilons}
        | {"fig2-mnist", "fig2-digits", "table1-j-mnist"}
        | {f"fig4-{test}-eps{epsilon}" for test in ("white", "black") for epsilon in epsilons}
    )


def test_a_wrong_format_is_refused_and_nothing_half_written_stays(
    result: CompareResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="format must be one of svg, pdf, png"):
        save_charts(result, tmp_path, english(), ("svg", "jpg"))
    assert list(tmp_path.iterdir()) == []

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="no space"):
        paper.save_chart(partial(utility_chart, [(None, (0.1, 0.9), (), ())]), tmp_path, "utility", ("svg",))
    assert list(tmp_path.iterdir()) == []


def test_no_setting_of_matplotlib_stays_changed_and_threads_may_save(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    describe = partial(utility_chart, [(None, (0.1, 0.9), (), ()), (2.0, (0.1, 0.4), (), ())])
    threads = [
        threading.Thread(target=paper.save_chart, args=(describe, tmp_path, f"u{number}", ("svg",)))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    contents = {(tmp_path / f"u{number}.svg").read_bytes() for number in range(4)}
    assert len(contents) == 1
    assert dict(matplotlib.rcParams) == before
