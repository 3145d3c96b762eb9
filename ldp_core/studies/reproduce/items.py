"""What the papers hold, item by item, and which runs of which studies rebuild it: ``items.csv``, as data. No torch.

An item is a figure, a table, a formula or a claim. Each of its rows is one quantity with what is published of it: a
number that agrees within a tolerance (half a unit of its last digit, unless the row says more); ``= READING``, what the
paper's formula gives; ``< READING`` or ``> READING``, an order that the paper states; ``~<`` or ``~>``, an order that
only its chart shows; or nothing. A reading is a number, or a path into a run's JSON (see ``readings``), of another run
behind ``RUN:``.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SCALES = ("quick", "hour", "paper")
PAPERS = ("m", "j", "c", "n")
"""Names of the papers; words say what each is."""
FOLDER = Path(__file__).parents[1]
LAW = "law"
"""Stands for what is computed and not run."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One row of an item: a word for what is measured, and after ":" of what; ``published``: see the module.

    ``tolerance``: by which our interval is widened before a published number must lie in it; ``run``: a key of
    ``RUNS``, or "law" for what is computed here; ``read``: where the number stands.
    """

    name: str
    published: str
    tolerance: float
    run: str
    read: str


@dataclass(frozen=True, slots=True)
class Item:
    """One figure, table, formula or claim of a paper, a capital letter of ``PAPERS``, as this project's list names it.

    ``why``: key of the reason why it differs or is out of reach; "" if none is known. Without ``quantities`` it is out
    of reach.
    """

    paper: str
    title: str
    why: str
    quantities: tuple[Quantity, ...]

    @property
    def name(self) -> str:
        """Name on the command line and of its files."""
        letters = (letter if letter.isalnum() or letter in "._" else "-" for letter in f"{self.paper}-{self.title}")
        return "-".join(filter(None, "".join(letters).lower().split("-")))


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a study that serves many quantities.

    Args:
        words: its command, with a place for the data set; "" for what is only measured in advance.
        more: options that a scale adds.
        seconds: about how long it takes, at the quick scale unless it is prepared there.
        prepared: file of what was measured in advance, which stands for it at the quick scale, below the studies.
        needs: data set that it needs beside the chosen one.
        command: prints what is prepared, where no configuration does.
    """

    words: str = ""
    more: tuple[tuple[str, str], ...] = ()
    seconds: float = 10.0
    prepared: str = ""
    needs: str = ""
    command: str = ""


_SMALL = (("quick", "--trials 2000"),)
_DATA = "--dataset {dataset}"
_ROUNDS = (  # all members in each batch: a pass is a round
    "plane --points sgd,natural:100,white:800,personalized:800 --members 200 --batch 200 --shadows 0 --timings 0 "
    "--pictures 20"
)
_REPEATS = (("hour", "--repeats 10"), ("paper", "--repeats 50"))
RUNS: dict[str, Run] = {
    "white": Run(f"compare --attacks all --epsilons 0.5,1,2,4 {_DATA}", seconds=10.0),
    "black": Run(f"compare --attacks all --epsilons 4 --tests black --server-steps unbiased {_DATA}", _SMALL),
    "clients": Run(
        f"compare --attacks benign --epsilons 4 --tests black --clients 1,2,4,10 --server-steps unbiased {_DATA}",
        _SMALL,
        13.0,
    ),
    "untrained": Run(
        "compare --attacks benign --epsilons 4 --tests black --clients 1,2,4,10 --server-steps unbiased "
        f"--training none {_DATA}",
        _SMALL,
        20.0,
    ),
    "eight": Run(f"compare --attacks benign --epsilons 8 --white-rules cosine,selective {_DATA}"),
    "norms": Run("compare --attacks dummy --epsilons 4 --strengths 0.25,0.5,0.75,1,2"),
    "fashion": Run("compare --attacks all --epsilons 4 --dataset fashion-mnist", needs="fashion-mnist"),
    "cifar": Run("compare --attacks all --epsilons 4 --dataset cifar10", needs="cifar10"),
    "svhn": Run("compare --attacks all --epsilons 4 --dataset svhn", needs="svhn"),
    "gaussian": Run("audit --attack dummy --epsilon 1 --mechanism gaussian", _SMALL),
    "path": Run(f"training-path --attacks label-flip --passes 0,5,20 {_DATA}", seconds=12.0),
    "uniform": Run("trust --epsilon 8 --view shuffled --others uniform", (("quick", "--games 20000"),), 3.0),
    "agree": Run("trust --epsilon 8 --view shuffled --others agree", (("quick", "--games 20000"),), 1.0),
    "detect": Run(
        f"detect --attacks dummy,border-image {_DATA}", (("quick", "--pairs 3 --trials 200 --images 200"),), 6.0
    ),
    "channels": Run(f"channels --channel natural --capacity 100 {_DATA}", seconds=6.0),
    "white_channel": Run(f"channels --channel white --capacity 100 {_DATA}", seconds=5.0),
    "personalized": Run(f"channels --channel personalized --capacity 100 {_DATA}", seconds=4.0),
    "local": Run(
        f"reconstruct --attacker linear --protection none --local-steps 5 --reports 1 {_DATA}",
        (("quick", "--pictures 20"),),
    ),
    "inversion": Run(
        f"reconstruct --attacker inversion --protection natural --capacity 100 --reports 1 {_DATA}",
        (("quick", "--pictures 4 --steps 100 --restarts 1"), ("hour", "--pictures 30")),
    ),
    "inversion_white": Run(
        f"reconstruct --attacker inversion --protection white --capacity 100 --reports 1 {_DATA}",
        (("quick", "--pictures 4 --steps 100 --restarts 1"), ("hour", "--pictures 30")),
    ),
    "told": Run(
        f"reconstruct --attacker linear --protection natural --capacity 100 --reports 1,20 {_DATA}",
        (("quick", "--pictures 20"),),
        5.0,
    ),
    "rounds_few": Run(f"{_ROUNDS} --passes 10 {_DATA}", _REPEATS),
    "rounds_many": Run(f"{_ROUNDS} --passes 80 {_DATA}", _REPEATS, 20.0),
    "law6": Run("central --adversary malicious-data --law --epsilon 4 --games 1000", seconds=1.0),
    "million": Run("central --adversary malicious-data --law --epsilon 4 --games 1000000", seconds=7.0),
    "watermark": Run(
        "central --adversary gradient --direction watermark --epsilon 4", (("quick", "--games 100"),), 10.0
    ),
    "capacity": Run(prepared="capacity/measured.json", seconds=400.0),
    "plane": Run(prepared="plane/measured.json", seconds=1100.0),
    "central": Run(
        prepared="central/measured.json",
        command="python -m ldp_core central-table --games 500 --seed 1 --epsilons 1,2,4,10",
    ),
}
"""Name -> run, in the order in which they are carried out."""


@cache
def items() -> dict[str, Item]:
    """Return every item by its name, in the papers' order."""
    groups: dict[tuple[str, str], list[dict[str, str]]] = {}
    with Path(__file__).with_name("items.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="|"):
            groups.setdefault((row["paper"], row["name"]), []).append(row)
    every = (
        Item(*key, "".join(row["why"] for row in rows), tuple(_quantity(row) for row in rows if row["run"]))
        for key, rows in groups.items()
    )
    return {item.name: item for item in every}


def _quantity(row: dict[str, str]) -> Quantity:
    return Quantity(row["quantity"], row["published"], float(row["tolerance"] or 0.0), row["run"], row["read"])
