"""The process that runs a stranger's app: it loads the app, and has its client reply when it is asked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._child import Answer, opened, serve
from ldp_core.checking.subjects._words import described, no_memory, out_of_memory
from ldp_core.checking.subjects.calls import check_length
from ldp_core.errors import LdpCoreError, MechanismContractError, MechanismUnavailableError

_TOLD = ("names", "metrics", "version", "mods", "fixed")


def main(descriptor: int) -> None:
    """Serve the app that the first frame names, over an inherited socket, until that ends."""
    channel, settings = opened(descriptor)

    def make() -> tuple[Answer, dict[str, Any]]:
        from ldp_core.checking.apps.app import FlowerApp

        app = FlowerApp(settings["folder"], **settings["how"])
        app.start()

        def answer(content: bytes) -> NDArray[np.float64]:
            sent, num_replies = _frames.request_of(content)
            try:
                replies = np.stack([app.reply(*map(int, row)) for row in sent.reshape(num_replies, 2)])
            except LdpCoreError:
                raise
            except (Exception, SystemExit) as error:
                if out_of_memory(error):
                    raise MechanismUnavailableError(no_memory(error)) from error
                raise MechanismContractError(f"the client must reply, got {described(error)}") from error
            check_length(replies.shape[1], settings["dimension"])
            return replies

        return answer, {name: getattr(app, name) for name in _TOLD}

    serve(channel, make)
