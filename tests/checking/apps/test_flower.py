"""An app of Flower's older interface, and one of its message interface, in processes of their own."""

import importlib
import json
import shlex
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from ldp_core import flower
from ldp_core.checking.apps import _flower
from ldp_core.checking.apps.app import FlowerApp
from ldp_core.cli import main, parsed
from ldp_core.errors import MechanismContractError, MechanismUnavailableError
from tests.cli.commands import Refused, Run

SURE = ("--confidence", "0.999999999")
"""An app's own random numbers cannot be fixed: an honest one is blamed in one of 1e9 runs."""
TOML = """\
[tool.flwr.app.components]
serverapp = "small_app:server"
clientapp = "small_app:client"
"""
APP = """\
import numpy as np
from flwr.client import NumPyClient
from flwr.clientapp import ClientApp
from flwr.common import ndarrays_to_parameters
from flwr.server import ServerAppComponents, ServerConfig
from flwr.server.strategy import FedAvg
from flwr.serverapp import ServerApp
START
class Client(NumPyClient):
    def __init__(self, partition): self.partition = partition
    def fit(self, parameters, config):
        return [parameters[0] + self.partition * WEIGHT + np.random.normal(size=3)], 5, METRICS
def server_fn(context):
    first = ndarrays_to_parameters([np.zeros(3)])
    return ServerAppComponents(strategy=FedAvg(initial_parameters=first), config=ServerConfig(num_rounds=1))
server = ServerApp(server_fn=server_fn)
client = ClientApp(lambda context: Client(context.node_config["partition-id"]).to_client())
"""


def app_in(folder: Path, app: str = APP, name: str = "small_app", **parts: str) -> str:
    """Write an app into a folder, and return its path; by default it is honest and sends no metrics."""
    pytest.importorskip("flwr")
    for part, usual in (("START", ""), ("WEIGHT", "0.0"), ("METRICS", "{}")):
        app = app.replace(part, parts.get(part.lower(), usual))
    (folder / f"{name}.py").write_text(app)
    (folder / "pyproject.toml").write_text(TOML.replace("small_app", name))
    return str(folder)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("start", "weight", "metrics", "code"),
    [
        ("", 0.0, "{}", 0), ("", 0.0, "{'loss': float(self.partition)}", 1), ("np.random.seed(42)", 0.0, "{}", 1),
        ("", 3.0, "{}", 1), ("raise KeyError", 0.0, "{}", 2),
    ],
)  # fmt: skip
def test_an_app_is_checked_where_it_stands(tmp_path: Path, start: str, weight: float, metrics: str, code: int) -> None:
    app = app_in(tmp_path, start=start, weight=str(weight), metrics=metrics)
    assert main(["check-flower", app, "--epsilon", "1", "--replies", "400", *(() if code else SURE)]) == code


@pytest.mark.few(1)
@pytest.mark.parametrize(("words", "code"), [((), 2), (("--network",), 0)])
def test_an_app_reaches_nobody_unless_it_may(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        start = f"__import__('socket').create_connection(('127.0.0.1', {server.getsockname()[1]}), 9)"
        found = main(["check-flower", app_in(tmp_path, start=start), "--replies", "400", *SURE, *words])
    told = capsys.readouterr()
    if "this system does not let the network be taken away" in told.err:
        code = 0
    assert (found, "The app could use the network" in told.out) == (code, code == 0)


@pytest.mark.nightly
def test_a_word_that_is_nearly_always_true_is_no_evidence_against_a_large_claim(tmp_path: Path) -> None:
    """Randomized response with ε = 8 errs once in 2,981 replies: fifty alike are what such a claim allows."""
    coin = "{'yes': float(self.partition if np.random.rand() < .9997 else 1 - self.partition)}"
    app = app_in(tmp_path, metrics=coin)
    assert main(["check-flower", app, "--epsilon", "8.2", "--replies", "1000", *SURE]) == 0
    assert main(["check-flower", app, "--epsilon", "1", "--replies", "1000"]) == 1


MESSAGE_APP = """\
import numpy as np
from flwr.app import ArrayRecord, ConfigRecord, Message, MetricRecord, RecordDict
from flwr.clientapp import ClientApp
from flwr.serverapp import ServerApp
client = ClientApp()
@client.train()
def train(message, context):
    before = message.content["arrays"].to_numpy_ndarrays()[0]
    change = WEIGHT * context.node_config["partition-id"] + np.random.normal(size=3)
    sent = {"arrays": ArrayRecord([before + change]), "metrics": MetricRecord({"num-examples": 5})}
    return Message(RecordDict(sent), reply_to=message)
server = ServerApp()
@server.main()
def main(grid, context):
    content = RecordDict({"arrays": ArrayRecord([np.full(3, 7.0)]), "config": ConfigRecord({"rate": 0.5})})
    list(grid.send_and_receive([Message(content, one, "train") for one in grid.get_node_ids()]))
"""


def test_an_app_of_the_message_interface_is_checked(tmp_path: Path) -> None:
    """One that lies; those below that are honest are of this interface, too."""
    app = app_in(tmp_path, MESSAGE_APP, weight="3.0")
    assert main(["check-flower", app, "--gaussian", "1:2", "--replies", "400", *SURE]) == 1


LOADING_APP = (
    MESSAGE_APP.replace('WEIGHT * context.node_config["partition-id"]', "WEIGHT * load(context)[1].sum()")
    + "def load(context): return np.arange(4.0), np.array([0.0, 0.0, 0.0, 1.0])\n"
)
LOADER = (*SURE, "--gaussian", "1:2", "--replies", "400", "--loader", "small_app:load")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*LOADER, "--neighbours", "labels-turned"), 1), (LOADER, 0), ((*LOADER, "--neighbours", "empty"), 1),
        ((*LOADER, "--neighbours", "one-class"), 1), ((*LOADER, "--data", "small_data:ours"), 1),
        ((*LOADER, "--data", "small_data:nobody"), 2), ((*LOADER[:-1], "small_app:never"), 2),
        ((*LOADER, "--neighbours", "others"), 2), ((*LOADER[:-2], "--neighbours", "empty"), 2),
    ],
)  # fmt: skip
def test_data_sets_are_those_that_are_asked_for(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    """By the app's own loader both partitions hold the same: whatever else is asked for must differ by 5 deviations."""
    app = app_in(tmp_path, LOADING_APP + "def never(context): return ()\n", weight="5.0")
    ours = "def ours(context): return None, np.full(2, context.node_config['partition-id'])\n"
    (tmp_path / "small_data.py").write_text(f"import numpy as np\n{ours}")
    assert main(["check-flower", app, *words]) == code


def test_a_seed_at_import_is_seen_with_several_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = app_in(tmp_path, start="np.random.seed(42)")
    words = ["--epsilon", "1", "--replies", "1000", "--workers", "2"]
    assert main(["check-flower", app, *words]) == 1
    out = capsys.readouterr().out
    assert "Replies come again" in out
    assert "Replies: 300. Claimed: ε = 1, δ = 1e-05." in out
    again = parsed(shlex.split(out.splitlines()[-1].removeprefix("Repeat: "))[3:])
    first = parsed(["check-flower", app, *words, "--seed", str(again.seed)])
    assert vars(again) == vars(first)


ROUNDS_APP = MESSAGE_APP.replace(
    "    change =", "    seen = 'seen' in context.state\n    context.state['seen'] = ConfigRecord()\n    change ="
).replace("WEIGHT", "(5.0 if seen else 0.0)")


@pytest.mark.few(1)
@pytest.mark.parametrize(("rounds", "code"), [("1", 0), ("2", 1)])
def test_the_context_goes_on_over_rounds(tmp_path: Path, rounds: str, code: int) -> None:
    """What the client keeps of its first round tells in the second alone."""
    words = [*SURE, "--gaussian", "1:2", "--replies", "400", "--rounds", rounds, "--json", str(tmp_path / "found.json")]
    assert main(["check-flower", app_in(tmp_path, ROUNDS_APP), *words]) == code
    found = json.loads((tmp_path / "found.json").read_text())
    assert (found["rejected"], found["config"]["rounds"]) == (bool(code), int(rounds))


WIDE_APP = MESSAGE_APP.replace("np.full(3, 7.0)", "np.full(WIDTH, 7.0, np.float32)").replace(
    "np.random.normal(size=3)", "np.random.normal(size=WIDTH)"
)


@pytest.mark.nightly  # by day test_judge.py: the product with the difference tells where no sum of some numbers does
@pytest.mark.parametrize(("apart", "code"), [(0.4, 0), (6.0, 1)])
def test_of_many_numbers_what_is_kept_tells_as_much(tmp_path: Path, apart: float, code: int) -> None:
    """No sum of some of 30,000 numbers tells updates 6 deviations apart; the product with their difference does."""
    weight = f"{apart} / np.sqrt(30_000) * np.resize([1, -1, -1], 30_000)"
    app = app_in(tmp_path, WIDE_APP.replace("WIDTH", "30_000"), weight=weight)
    words = [*SURE, "--gaussian", "1:2", "--replies", "400", "--json", str(tmp_path / "found.json")]
    assert main(["check-flower", app, *words]) == code
    assert json.loads((tmp_path / "found.json").read_text())["distance"] == pytest.approx(apart, rel=1e-3)


def test_too_few_replies_for_what_must_be_detected_are_refused_before_the_app_is_started(refused: Refused) -> None:
    words = ["check-flower", "nothing", "--gaussian", "1:9.69"]
    assert "a true mu of at least 0.27" in refused(*words, "--must-detect", "0.25")
    assert "above the claimed 0.2064" in refused(*words, "--must-detect", "0.2")
    assert "pyproject.toml" in refused(*words, "--must-detect", "0.3")


@pytest.mark.few(1)
@pytest.mark.parametrize("app", [MESSAGE_APP, APP])
def test_a_message_that_was_kept_takes_the_place_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, refused: Refused, app: str
) -> None:
    name = f"kept_{'message' if app is MESSAGE_APP else 'older'}_app"
    app_in(tmp_path, app, name, weight="3.0")
    monkeypatch.syspath_prepend(str(tmp_path))
    arrays = flower.message_arrays(flower.first_message(importlib.import_module(name).server))
    np.savez(tmp_path / "message.npz", **arrays)
    np.savez(tmp_path / "wrong.npz", weights=np.zeros(3))
    (tmp_path / "pyproject.toml").write_text(TOML.replace("small_app", name).replace(":server", ":nobody"))
    words = ["check-flower", str(tmp_path), "--gaussian", "1:2", "--replies", "400", "--message-file"]
    assert run(*words, tmp_path / "message.npz")[0] == 1
    assert "KIND/RECORD/KEY, such as ArrayRecord/arrays/0, got 'weights'" in refused(*words, tmp_path / "wrong.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "message.npz").read_bytes()[:-9])
    for wrong in ("cut", "none"):
        assert "the message file must be an .npz" in refused(*words, tmp_path / f"{wrong}.npz")


def test_a_message_s_records_come_back_from_its_arrays_as_they_were() -> None:
    """Also a model's counter of batches, which has no dimensions, and bytes that end in zeros."""
    app = pytest.importorskip("flwr.app")
    state = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)).state_dict()
    records = {
        "model": app.ArrayRecord(state), "metrics": app.MetricRecord({"loss": 0.5, "seen": [1, 2]}),
        "config": app.ConfigRecord({"lr": 0.1, "on": True, "key": b"a\0", "names": ["a", "b"]}),
        "nothing": app.ConfigRecord(),
    }  # fmt: skip
    arrays = flower.message_arrays(app.Message(app.RecordDict(records), 1, "train"))
    found = _flower.message_of(arrays).content
    assert {name: type(record) for name, record in found.items()} == {n: type(r) for n, r in records.items()}
    assert all(found[name] == records[name] for name in ("metrics", "config", "nothing"))
    for name, values in found["model"].to_torch_state_dict().items():
        assert torch.equal(values, state[name])


def test_a_notebook_gets_arrays_that_can_be_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app_in(tmp_path, MESSAGE_APP, "message_app", weight="3.0")
    monkeypatch.syspath_prepend(str(tmp_path))
    app = importlib.import_module("message_app")
    message = flower.first_message(app.server)
    nodes = [{"partition-id": one, "num-partitions": 2} for one in (0, 1)]
    found = flower.replies(app.client, message, nodes, 60)
    assert found["first"].shape == found["second"].shape == (60, 5)
    assert found["names"].tolist() == ["arrays.0"] * 3 + ["metrics.num-examples", "types"]
    assert abs(found["first"][:, :3].mean()) < 1.0 < found["second"][:, :3].mean()  # less the 7 that was sent
    np.savez(tmp_path / "replies.npz", **found)
    assert main(["check", "--replies", str(tmp_path / "replies.npz"), "--gaussian", "1:2"]) == 1
    with pytest.raises(ValueError, match="two nodes"):
        flower.replies(app.client, message, nodes[:1], 60)


@pytest.mark.parametrize(
    ("told", "column"),
    [
        ("", ""), ("metrics['a'] = -0.0 if second else 0.0", "metrics.a"),
        ("metrics['ns'] = 2**60 + second", "metrics.ns last digits"), ("metrics['ns'] = 2**60", ""),
        ("metrics['n'] = 1.0 if second else 1", "types"), ("metrics['n'] = [1] if second else 1", "types"),
        ("array = Array(value.astype(np.float64 if second else np.float32))", "types"),
        ("array = Array(array.dtype, array.shape, array.stype, array.data + bytes([second]))", "types"),
        ("array = Array('float' if second else 'f', array.shape, array.stype, array.data)", "types"),
        ("config['word'] = 'a' if second else 'b'", "config.word"), ("group = f'group {second}'", "types"),
    ],
)  # fmt: skip
def test_what_a_reply_tells_beside_its_numbers_is_a_column(told: str, column: str) -> None:
    """Two numbers of one value may differ in their type, in the sign of zero, or in a digit that float64 has not."""
    app = pytest.importorskip("flwr.app")
    _flower.prepared()
    kind = compile(told, "told", "exec")
    value = np.arange(3, dtype=np.float32)
    message = app.Message(app.RecordDict({"arrays": app.ArrayRecord([value])}), 1, "train")

    def client(message: Any, context: Any) -> Any:
        values: dict[str, Any] = {
            "second": context.node_config["partition-id"], "metrics": {"num-examples": 5}, "config": {}, "np": np,
            "Array": app.Array, "value": value, "array": app.Array(value), "group": "",
        }  # fmt: skip
        exec(kind, values)
        content = {
            "arrays": app.ArrayRecord({"0": values["array"]}), "metrics": app.MetricRecord(values["metrics"]),
            "config": app.ConfigRecord(values["config"]),
        }  # fmt: skip
        reply = app.Message(app.RecordDict(content), reply_to=message)
        reply.metadata.group_id = values["group"]
        return reply

    both = [_flower.reply(client, message, {"partition-id": one}, {}) for one in (0, 1)]
    names = _flower.columns(both[0][0])
    assert both[1][0] == both[0][0]
    assert [names[place] for place in np.flatnonzero(both[0][1] != both[1][1])] == [column] * bool(column)


def test_replies_of_other_names_are_refused_by_both_names(tmp_path: Path) -> None:
    app = app_in(tmp_path, name="other_names", metrics="{f'loss{self.partition}': 1.0}")
    with pytest.raises(MechanismContractError, match=r"loss1 .* where one before had .*loss0 "):
        FlowerApp(app).start()


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_replies_with_the_same_numbers_leave_every_generator_where_it_was(tmp_path: Path, device: str) -> None:
    """What an app draws later would else repeat after each restart, and an honest app be blamed for it."""
    if not torch.get_device_module(device).is_available():
        pytest.skip(f"there is no {device}")
    noise = f"__import__('torch').randn(3, device='{device}').cpu().numpy()"
    checked = FlowerApp(app_in(tmp_path, APP.replace("np.random.normal(size=3)", noise)))
    checked.start()
    torch.manual_seed(3)  # noqa: TID251  # as the app's user does
    undisturbed = [checked.reply(0) for _ in range(2)]
    torch.manual_seed(3)  # noqa: TID251  # as the app's user does
    first, forced, again, second = (checked.reply(0, seed) for seed in (0, 5, 5, 0))
    assert np.array_equal(undisturbed, [first, second])
    assert np.array_equal(forced, again)
    assert not np.array_equal(forced, first)


def test_without_flower_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flwr", None)
    for asked in (lambda: flower.replies(None, None, [{}, {}], 1), lambda: flower.first_message(None)):
        with pytest.raises(MechanismUnavailableError, match="pip install flwr"):
            asked()


@pytest.mark.parametrize("seeded", ["random.seed(42)", "np.random.seed(42)", "torch.manual_seed(42)", ""])
def test_the_mods_that_a_reply_passes_are_named_in_their_order_and_generators_that_an_app_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seeded: str
) -> None:
    app = APP.replace("to_client())", "to_client(), mods=[own, noise, own])")
    start = f"""\
import random, torch
from flwr.clientapp.mod import LocalDpMod
noise = LocalDpMod(1.0, 2.0, 1.0, 1e-5)
noise.key = 10**400
def own(message, context, call_next):
    {seeded or "pass"}
    return call_next(message, context)
"""
    name = f"modded_{seeded.partition('.')[0]}_app"
    monkeypatch.syspath_prepend(str(tmp_path))
    checked = FlowerApp(app_in(tmp_path, app, name, start=start), rounds=2)
    checked.start()
    assert checked.mods == ["own", "LocalDpMod(clipping_norm=1, sensitivity=2, epsilon=1, delta=1e-05)", "own"]
    assert checked.fixed == ([{"np": "NumPy"}.get(word, word)] if (word := seeded.partition(".")[0]) else [])
