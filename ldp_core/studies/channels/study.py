"""Channels on pictures: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core.studies.channels import command
from ldp_core.studies.channels.result import ChannelsConfig, ChannelsResult
from ldp_core.studies.reading import KeptStudy


class Channels(KeptStudy):
    """Noise on pictures as strong as a capacity allows: what it leaves, costs and leaks."""

    name: ClassVar[str] = "channels"
    config: ClassVar[type] = ChannelsConfig
    timed: ClassVar[str] = "channel"
    result: ClassVar[type[Any]] = ChannelsResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: ChannelsResult) -> bool:
        return result.fit is not None
