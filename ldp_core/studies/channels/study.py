"""Channels on pictures: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.channels import command, told
from ldp_core.studies.channels import result as results
from ldp_core.studies.channels.result import ChannelsConfig, ChannelsResult
from ldp_core.studies.reading import check_known
from ldp_core.study import Request, Study

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Channels(Study):
    """Noise on pictures as strong as a capacity allows: what it leaves, costs and leaks."""

    name: ClassVar[str] = "channels"
    config: ClassVar[type] = ChannelsConfig
    timed: ClassVar[str] = "channel"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.channels.run import channels

        return channels(request.config, data_dir=request.data_dir, download=request.download)

    def found(self, result: ChannelsResult) -> bool:
        return result.fit is not None

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[ChannelsResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        return found, ()

    def to_json(self, result: ChannelsResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: ChannelsResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: ChannelsResult) -> Sequence[str]:
        return told.sentences(result)

    def finding(self, result: ChannelsResult, context: Context) -> Sequence[str]:
        return told.sentences(result, context.words)

    def parts(self, result: ChannelsResult, context: Context) -> list[str]:
        from ldp_core.studies.channels import document

        return document.parts(result, context)
