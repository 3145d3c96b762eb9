"""Writes numbers as a reader reads them: chances, counts, times, what is at least and at most."""

from collections.abc import Mapping, Sequence

from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.statistics.promise import strength
from ldp_core.words import Words, numbers
from ldp_core.words.numbers import Plural


def share(t: Words, chance: float) -> str:
    """Write a chance as "73 of 100" or "98.2 of 100"."""
    return figures.share_of_100(100.0 * chance, t.FIGURES)


def counted(t: Words, chance: float) -> str:
    """Write what was counted, with every digit that the counts give: "81.7 of 100"."""
    return str(t.FIGURES["of_100"].format(share=f"{100.0 * chance:.6g}"))


def limit(t: Words, chance: float) -> str:
    """Write a limit as "73.11 of 100", rounded up."""
    return figures.limit_of_100(100.0 * chance, t.FIGURES)


def at_most(t: Words, chance: float) -> str:
    """Write a limit as "at most 73.11 of 100"."""
    return str(t.SHARE_OPEN if figures.opens(100.0 * chance) else t.AT_MOST.format(share=limit(t, chance)))


def promise_sentence(t: Words, epsilon: float, texts: Mapping[str, str] | None = None) -> str:
    """Return the promise in one sentence: ``PROMISE``, or other texts with the same keys."""
    chance = theory.worst_case_identification(epsilon)
    kind = "open" if figures.opens(100.0 * chance) else "times"
    return str((texts or t.PROMISE)[kind].format(right=figures.most_of_100(100.0 * chance, t.FIGURES)))


def percents(t: Words, chances: Sequence[float], tells: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Write chances that are compared in percent, see ``numbers.percents``."""
    return numbers.percents(t.PERCENT, chances, tells)


def in_percent(t: Words, chance: float) -> str:
    """Write a chance in percent, also where others stand beside it; never that something is certain."""
    return percent(t, figures.of_100(100.0 * chance, t.FIGURES))


def limit_in_percent(t: Words, chance: float) -> str:
    """Write a limit in percent, rounded up."""
    return percent(t, figures.most_of_100(100.0 * chance, t.FIGURES))


def band(t: Words, epsilon: float) -> str:
    """Return what an ε means for a person, for one report and for many."""
    reports = theory.rounds_until(epsilon, theory.NEARLY_SURE)
    many = t.BAND_ONE if reports == 1 else t.BAND_MANY.format(reports=plural(t.REPORTS_COUNT, reports))
    return str(t.SPACE.join([t.BANDS[strength(epsilon)], many]))


def count(number: float) -> str:
    """Write a whole number with thousands separators."""
    return f"{round(number):,}"


def duration(t: Words, seconds: float) -> str:
    """Write a time as a person would say it."""
    if seconds < 1.5:
        text: str = t.LESS
        return text
    if seconds < 90:
        return str(t.SECONDS.format(count=round(seconds) if seconds < 10 else 5 * round(seconds / 5)))
    return str(t.MINUTES.format(count=round(seconds / 60)))


def number(value: float) -> str:
    """Write an ε or a length: three digits where they matter, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value < 100 else f"{value:,.0f}"


def label(t: Words, value: float) -> str:
    """Write such a number where it stands alone, in no text of the language: on a slider or a button."""
    return numbers.written(number(value), t.SEPARATORS)


def percent(t: Words, value: str) -> str:
    return str(t.PERCENT.format(value=value))


def failure(t: Words, message: str) -> str:
    """Return what a job or a setting failed with: the core's sentence, which is English, or that it is a bug."""
    if not message:
        return str(t.BUG)
    message = message[0].upper() + message[1:]
    return str(t.FROM_CORE.format(message=message if message.endswith(".") else f"{message}."))


def floor_number(value: float) -> str:
    """Write what is "at least": rounded down, so that the sentence stays true."""
    return number(float(numbers.floored(value, 2)))


def ceil_number(value: float) -> str:
    """Write what holds from somewhere on: rounded up, so that the sentence stays true."""
    return number(float(numbers.ceiled(value, 2)))


def plural(forms: Plural, how_many: float) -> str:
    """Write "one pair" or "3 pairs"."""
    return forms.of(how_many, count(how_many))


def rounded_up(number: int) -> int:
    """Return a whole number rounded up to three digits."""
    step = int(10 ** max(0, len(str(number)) - 3))
    return -(-number // step) * step


def piled(t: Words, counts: Mapping[str, int]) -> str:
    """Return how many marks of a map, by attack, lie on each other."""
    items = [
        t.CMP_MAP_PILED_ITEM.format(attack=t.FIGURES[f"name_{attack}"], count=how_many)
        for attack, how_many in counts.items()
    ]
    return str(t.CMP_MAP_PILED.format(count=count(sum(counts.values())), items=t.COMMA.join(items)))


def run_share(t: Words, interval: tuple[float, float, float]) -> str:
    """Return a share of right guesses with its limits, as the list of runs says it."""
    point, lower, upper = (f"{100 * value:.1f}" for value in interval)
    return str(t.RUNS_SHARE.format(point=point, lower=lower, upper=upper))


def run_promise(t: Words, *most: float) -> str:
    """Return the largest shares of right guesses that promises allow, as the list of runs says it."""
    return str(
        t.RUNS_PROMISE.format(promise=t.COMMA.join(figures.most_of_100(100 * value, t.FIGURES) for value in most))
    )
