"""The process that runs a stranger's app: it loads the app, and has its client reply when it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects._child import Answer, opened, reporting, serve

_TOLD = ("names", "version", "mods", "fixed")


def main(descriptor: int) -> None:
    """Serve the app that the first frame names, over an inherited socket, until that ends."""
    channel, settings = opened(descriptor)

    def make() -> tuple[Answer, dict[str, Any]]:
        from ldp_core.checking.apps.app import FlowerApp

        app = FlowerApp(settings["folder"], **settings["how"])
        app.start()

        def randomize(world: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
            return app.replies(int(world[0] < 0.0), num_reports, int(world[1]))

        return reporting(randomize, "numpy", settings["dimension"], **{name: getattr(app, name) for name in _TOLD})

    serve(channel, make)
