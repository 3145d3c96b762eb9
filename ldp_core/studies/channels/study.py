"""Channels on pictures: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.channels import command
from ldp_core.studies.channels.result import ChannelsConfig, ChannelsResult
from ldp_core.studies.reading import KeptStudy
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Channels(KeptStudy):
    """Noise on pictures as strong as a capacity allows: what it leaves, costs and leaks."""

    name: ClassVar[str] = "channels"
    config: ClassVar[type] = ChannelsConfig
    timed: ClassVar[str] = "channel"
    result: ClassVar[type[Any]] = ChannelsResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.channels.run import channels

        return channels(request.config, data_dir=request.data_dir, download=request.download)

    def found(self, result: ChannelsResult) -> bool:
        return result.fit is not None
