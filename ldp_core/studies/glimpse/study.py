"""One picture and its update: what every study states of itself. Nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ldp_core.studies.glimpse.run import GlimpseConfig
from ldp_core.study import Request, Study

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class OnePicture(Study):
    """One picture of the client's own, and the update that it gives."""

    config = GlimpseConfig
    command_modules = ()

    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        from ldp_core.studies.glimpse.run import glimpse

        if not isinstance(request.own, bytes):
            raise ValueError("a picture must be picked, got none: it is dropped when its update is computed")
        return glimpse(request.config, request.own, cache)

    def has_data(self, result: Any) -> bool:
        return False
