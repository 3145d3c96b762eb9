"""The sentence on how much a promise is worth by itself, which stands behind every verdict on it."""

from collections.abc import Mapping

from ldp_core.statistics import promise
from ldp_core.words import numbers


def sentence(words: Mapping[str, str], epsilon: float, delta: float = 0.0) -> str:
    """Return the sentence on a promise that stands behind every verdict on it; ``**words**`` are bold.

    ``words``: of a document, see ``words.document``; ``epsilon``: promised for one report, in nats; ``delta``:
    likewise.
    """
    right, at_one = (_of_100(words, promise.identification(*given)) for given in ((epsilon, delta), (promise.ADVISED,)))
    template = words["strength_accepted" if promise.advised(epsilon, delta) else "strength_beyond"]
    return template.format(word=_word(words, epsilon, delta), right=right, at_one=at_one)


def sentence_of_many(words: Mapping[str, str], epsilons: tuple[float, ...], delta: float = 0.0) -> str:
    """Return the sentence on several promises, or on the only one; arguments as in ``sentence``."""
    if len(epsilons) == 1:
        return sentence(words, epsilons[0], delta)
    items = [
        words["strength_item"].format(
            word=_word(words, epsilon, delta),
            epsilon=f"{epsilon:g}",
            right=_of_100(words, promise.identification(epsilon, delta)),
        )
        for epsilon in epsilons
    ]
    return words["strength_list"].format(items=words["strength_comma"].join(items))


def _word(words: Mapping[str, str], epsilon: float, delta: float) -> str:
    return words[f"strength_word_{promise.strength(epsilon, delta)}"]


def _of_100(words: Mapping[str, str], share: float) -> str:
    return numbers.limit_of_100(share) or words["strength_all"]
