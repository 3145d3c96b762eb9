"""What the client of a Flower app replies for two data sets, as arrays: for a notebook, and for ``check --replies``.

The app runs in this process: do it where you would run the app. ``python -m ldp_core check-flower`` runs one elsewhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate

__all__ = ["first_message", "message_arrays", "replies"]


def first_message(server: Any, run_config: Mapping[str, Any] | None = None) -> Any:
    """Return the first message for training that a ``ServerApp`` sends.

    ``server``: the app; ``run_config``: of the run, by name.
    Raises ``MechanismUnavailableError`` if Flower is not installed, or the server sends none.
    """
    from ldp_core.checking.apps import _flower

    _flower.prepared()
    return _flower.first_message(server, run_config or {})


def message_arrays(message: Any) -> dict[str, NDArray[Any]]:
    """Return what a message holds, by ``KIND/RECORD/KEY``, such as ``ArrayRecord/arrays/0``.

    ``numpy.savez`` makes the file of ``--message-file`` of it.

    Args:
        message: such as ``first_message`` returns.

    Raises:
        MechanismUnavailableError: if Flower is not installed.
    """
    from ldp_core.checking.apps import _flower

    _flower.prepared()
    return _flower.message_arrays(message)


def replies(
    app: Any, message: Any, datasets: Sequence[Mapping[str, Any]], count: int,
    run_config: Mapping[str, Any] | None = None,
) -> dict[str, NDArray[Any]]:  # fmt: skip
    """Return what leaves the device, for ``numpy.savez``: ``first`` and ``second``, shape (count, m), and ``names``.

    Arrays are less what the message sent of the same name; the last column is a checksum of all types. Every reply
    starts with a context of its own. The data set of each is drawn at random, so that what follows time alone, such as
    a time stamp, tells nothing; rows stand in the order in which they came.

    Args:
        app: a ``ClientApp``; its mods are applied.
        message: that it answers, such as ``first_message`` returns.
        datasets: the configurations of two nodes, such as {"partition-id": 0, "num-partitions": 2}.
        count: replies for each, at least 1.
        run_config: of the run, by name.

    Raises:
        ValueError: if there are not two data sets, or replies differ in their names or sizes.
        MechanismUnavailableError: if Flower is not installed, or a reply cannot be compared.
    """
    from ldp_core.checking.apps import _flower

    _validate.integer("count", count, 1, 10**7)
    if len(datasets) != 2:
        raise ValueError(f"datasets must be the configurations of two nodes, got {len(datasets)}")
    _flower.prepared()
    worlds, layouts = np.random.default_rng().permutation(np.repeat([0, 1], count)), set[tuple[str, ...]]()
    rows = list[NDArray[np.float64]]()
    for world in worlds.tolist():
        names, numbers, _ = _flower.reply(app, message, datasets[world], run_config or {})
        layouts.add(tuple(names))
        if len(layouts) > 1:
            raise ValueError("all replies must hold the same names and sizes, got others")
        rows.append(numbers)
    matrix = np.stack(rows)
    return {"first": matrix[worlds == 0], "second": matrix[worlds == 1], "names": np.array(_flower.columns(names))}
