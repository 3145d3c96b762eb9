"""What a channel's result says, in sentences. No torch."""

from __future__ import annotations

from collections.abc import Mapping

from ldp_core.presentation.documents.words import WORDS
from ldp_core.studies.channels.result import ChannelsResult


def sentences(result: ChannelsResult, words: Mapping[str, str] = WORDS) -> list[str]:
    """Return the finding, the verdict first, in the language of ``words``."""
    fit, found = result.fit, result.found
    if fit is None or found is None:
        return []
    told = [
        words["channels_found"].format(
            candidates=result.candidates, point=100 * found[0], lower=100 * found[1], upper=100 * found[2]
        ),
        words["channels_left"].format(capacity=fit.capacity, share=100 * fit.share_of_variance)
        + " "
        + words["channels_model"],
    ]
    if len(fit.rounds) > 1:
        rounds = result.config.rounds[-1]
        told.append(words["channels_rounds"].format(rounds=rounds, told=fit.rounds[-1], once=fit.capacity))
    told.append(words["channels_public"])
    return told
