"""Step 1: guess which of two labels a picture had, ten times, beside the best attacker and the promise."""

import html
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from ldp_core import illustrate
from ldp_core.presentation import figures
from ldp_core.presentation.figures import RIGHT, WRONG
from ldp_core.statistics import theory
from ldp_core.words import Words
from pages.frame import present, terms, wording
from pages.jobs.png import png_of
from pages.overview.story import parts
from pages.state import callbacks, settings
from pages.widgets import inputs, pictures, views

_DOTS, _ACROSS, _STEP = 100, 5, 9
_FLOOR = 190


def shares_svg(t: Words, share: float, promise: float) -> str:
    """Return the picture as SVG: the share of right guesses, and the most allowed on average, both in [0, 1]."""
    right = round(_DOTS * share)
    drawn = [
        _dot(index, left, colour)
        for left, colour, count in ((20, RIGHT, right), (130, WRONG, _DOTS - right))
        for index in range(count)
    ]
    level = _FLOOR - _STEP * _DOTS * promise / _ACROSS
    line = f'<path d="M10 {level:.1f}h70" stroke="currentColor" stroke-width="2" stroke-dasharray="6 4"/>'
    labels = "".join(
        f'<text x="{x}" y="{_FLOOR + 18}" text-anchor="middle">{html.escape(text)}</text>'
        for x, text in zip((38, 148), t.OVERVIEW_LEGEND, strict=True)
    )
    alt = html.escape(t.OVERVIEW_ALT.format(title=t.OVERVIEW_BEST, share=wording.share(t, share)), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 190 215" role="img" aria-label="{alt}" font-size="12" '
        f'fill="currentColor" class="ldp-rain">{"".join(drawn)}{line}{labels}</svg>'
    )


def _dot(index: int, left: float, colour: str) -> str:
    row, column = divmod(index, _ACROSS)
    place = f'cx="{left + _STEP * column}" cy="{_FLOOR - 5 - _STEP * row}"'
    return f'<circle {place} r="3.6" fill="{colour}" style="animation-delay:{15 * index}ms"/>'


ROUNDS, MANY = 10, 1_000
TOLD = 5
"""Guesses after which ε is told."""
_LEAKY, _PRIVATE = 4.0, 0.5
_DIGIT = 9
STATE = "story_game"
_FIRST_SEED = 11
_MARKS = {True: ("●", figures.RIGHT), False: ("✕", figures.WRONG)}
_FORMULAS = (
    r"\frac{p(z \mid g_A)}{p(z \mid g_B)} = e^{\pm\varepsilon}\quad (g_B = -g_A,\ \lVert g_A \rVert \ge L)",
    r"\Pr[\hat g = g] \le \frac{e^{\varepsilon}}{1 + e^{\varepsilon}}",
)


def show(t: Words, epsilon: float) -> None:
    """Show the step. A new ε, which a button of its own may set, begins a new game; ε is told after some guesses."""
    state: dict[str, Any] = st.session_state.setdefault(STATE, {"seed": _FIRST_SEED})
    if state.get("epsilon") != epsilon:
        state |= {"before": _played(state), "epsilon": epsilon, "guesses": (), "hands": (), "many": False}
    rounds, guesses = _rounds(epsilon, ROUNDS, state["seed"]), state["guesses"]
    played = _rounds(epsilon, MANY, state["seed"]) if state["many"] else ()
    over = len(guesses) == ROUNDS
    number = min(len(guesses), ROUNDS - 1)
    picture, control = st.columns([6, 6], gap="large")
    with picture, st.container(key="story_game"):
        if played:
            right = sum(_hits(played, _attacks(played, played))) / len(played)
            views.drawn(shares_svg(t, right, theory.worst_case_identification(epsilon)))
        else:
            views.drawn(figures.game_svg(rounds[number], t.FIGURES, over))
    with control:
        feedback = t.GAME_NEW.format(**state["before"]) if state["before"] else ""
        if guesses:
            last = rounds[len(guesses) - 1].sent
            feedback = t.GAME_RESULT["right" if guesses[-1] == last else "wrong"].format(
                number=len(guesses), sent=t.GAME_LABELS[last]
            )
        st.html(_asked(t, t.GAME_ROUND.format(number=number + 1, total=ROUNDS), feedback))
        with st.container(key="story_said"):
            ended = summary(t, epsilon, rounds, guesses) if over else t.GAME_LOOK
            terms.prose(t, many(t, epsilon, played) if played else ended)
        _buttons(t, state, over=over)
        with st.container(horizontal=True, gap="small"):
            st.button(t.GAME_MANY, key="story_game_many", on_click=state.update, kwargs={"many": True})
            if len(guesses) >= TOLD:
                _turn(t, epsilon)
        st.html(scores(t, epsilon, rounds, guesses, state.get("hands", ())))
        count = MANY if state["many"] else ROUNDS
        parts.for_experts(t, "game", t.GAME_FORMULA_TEXT, _FORMULAS, state["seed"], epsilon=epsilon, game=count)


def _played(state: dict[str, Any]) -> dict[str, Any]:
    """Return the score that a new ε leaves behind; nothing where no guess was made."""
    if not state.get("guesses"):
        return {}
    hits = _hits(_rounds(state["epsilon"], ROUNDS, state["seed"]), state["guesses"])
    return {"epsilon": wording.number(state["epsilon"]), "right": sum(hits), "done": len(hits)}


def _asked(t: Words, line: str, feedback: str) -> str:
    """Return the picture with the two labels that it may have had, and what became of the last guess, as HTML."""
    image = pictures.uri(png_of(illustrate.examples()[_DIGIT].image), "png")
    alt, question = html.escape(t.GAME_PICTURE), html.escape(t.GAME_ASKED)
    lines = f'<b>{question}</b><span>{line}</span><strong role="status">{feedback or "&nbsp;"}</strong>'
    return f'<div class="ldp-asked"><img src="{image}" alt="{alt}"><div>{lines}</div></div>'


def _turn(t: Words, epsilon: float) -> None:
    """Offer another ε: less noise, or much more where there is little."""
    other, text = (_LEAKY, t.GAME_LESS) if epsilon < _LEAKY else (_PRIVATE, t.GAME_MORE)
    act = settings.puts({inputs.EPSILON: other})
    callbacks.button(text.format(epsilon=wording.label(t, other)), "story_turn", act, fixed=True)


def scores(
    t: Words, epsilon: float, rounds: Sequence[illustrate.GameRound], guesses: Sequence[illustrate.Side],
    hands: Sequence[tuple[int, int]] = (),
) -> str:  # fmt: skip
    """Return your guesses so far and the best attacker's as marks and counts, in time beside the promise, as HTML.

    ``hands`` of a class, for each label in each round, count one by one.
    """
    you, attacker, promise = t.GAME_SCORES
    rows = [_score(t, you, _hits(rounds, guesses))]
    if hands:
        right = sum(of[played.sent == "B"] for of, played in zip(hands, rounds, strict=False))
        text = t.GAME_SCORE.format(right=right, done=sum(map(sum, hands)))
        rows = [f"<strong>{t.GAME_CLASS}</strong><span>{text}</span>"]
    rows += [_score(t, attacker, _hits(rounds, _attacks(rounds, guesses)))]
    sentence = t.GAME_PROMISE.format(epsilon=wording.number(epsilon), share=_promise(t, epsilon))
    rows.append(
        f"<strong>{promise}</strong><span>{sentence}</span>" if len(guesses) >= TOLD else "<strong>&nbsp;</strong>"
    )
    return f'<div class="ldp-sees">{"".join(rows)}</div>'


def summary(
    t: Words, epsilon: float, rounds: Sequence[illustrate.GameRound], guesses: Sequence[illustrate.Side]
) -> str:
    """Say how the game ended, how the best attacker plays, and if so, that one who never looked did as well."""
    you, attacker = sum(_hits(rounds, guesses)), sum(_hits(rounds, _attacks(rounds, guesses)))
    text: str = t.GAME_SUMMARY.format(you=you, attacker=attacker, total=len(guesses))
    if not figures.opens(100.0 * theory.worst_case_identification(epsilon)):  # nothing is above nearly all
        text = f"{text}{t.SPACE}{t.GAME_LUCK}"
    side, blind = illustrate.best_without_looking(rounds[: len(guesses)])
    if blind >= attacker:
        text = f"{text}{t.SPACE}{t.GAME_BLIND.format(side=t.GAME_LABELS[side], right=blind)}"
    return f"{text}{t.SPACE}{t.GAME_TACTIC}"


def many(t: Words, epsilon: float, rounds: Sequence[illustrate.GameRound]) -> str:
    """Say how often the best attacker is right in many rounds."""
    right = sum(_hits(rounds, _attacks(rounds, rounds))) / len(rounds)
    share, guesses = wording.counted(t, right), wording.count(len(rounds))
    text: str = t.GAME_MANY_RESULT.format(guesses=guesses, right=share, share=_promise(t, epsilon))
    return f"{text}{t.SPACE}{t.GAME_MANY_LUCK}" if right > theory.worst_case_identification(epsilon) else text


def _buttons(t: Words, state: dict[str, Any], *, over: bool) -> None:
    """Show the two guesses, or what begins anew; a guess brings the next report by itself."""
    if present.on() and not over:
        _hands(t, state)
        return
    with st.container(horizontal=True, key="story_guesses"):
        for side, text in t.GAME_GUESS.items():
            st.button(
                text, key=f"story_guess_{side}", on_click=_guess, args=(state, side), disabled=over, type="primary",
                width="stretch",
            )  # fmt: skip
        if over:
            st.button(t.GAME_AGAIN, key="story_next", on_click=_again, args=(state,))


def _hands(t: Words, state: dict[str, Any]) -> None:
    """Show fields for how many of a class raise their hands for each label, and what shows the answer."""
    number = len(state["guesses"])
    with st.container(horizontal=True, key="story_hands", vertical_alignment="bottom"):
        keys = [f"story_hands_{side}_{number}" for side in t.GAME_GUESS]
        for key, label in zip(keys, t.GAME_LABELS.values(), strict=True):
            st.number_input(t.GAME_HANDS.format(label=label), 0, 1_000, 0, key=key)
        st.button(t.GAME_COUNT, key="story_count", on_click=_count, args=(state, keys), type="primary")


def _count(state: dict[str, Any], keys: Sequence[str]) -> None:
    """Take the hands of a round: the class guesses what most say, the first at a tie."""
    first, second = (int(st.session_state.get(key) or 0) for key in keys)
    state["hands"] = (*state.get("hands", ())[: len(state["guesses"])], (first, second))
    _guess(state, "A" if first >= second else "B")


def _score(t: Words, name: str, hits: Sequence[bool]) -> str:
    """Return one player's row."""
    marks = "".join('<span style="color:{1}">{0}</span>'.format(*_MARKS[hit]) for hit in hits)
    marks += '<span style="opacity:.35">○</span>' * (ROUNDS - len(hits))
    text = t.GAME_SCORE.format(right=sum(hits), done=len(hits)) if hits else t.GAME_SCORE_NONE
    return f'<strong>{name}</strong><span>{text} <span aria-hidden="true" class="ldp-marks">{marks}</span></span>'


def _hits(rounds: Sequence[illustrate.GameRound], guesses: Sequence[illustrate.Side]) -> list[bool]:
    return [guess == played.sent for guess, played in zip(guesses, rounds, strict=False)]


def _attacks(rounds: Sequence[illustrate.GameRound], played: Sequence[object]) -> list[illustrate.Side]:
    """Return the best attacker's guesses in as many rounds as were played."""
    return [game_round.attacker for game_round in rounds[: len(played)]]


def _promise(t: Words, epsilon: float) -> str:
    return wording.at_most(t, theory.worst_case_identification(epsilon))


@lru_cache(maxsize=16)
def _rounds(epsilon: float, count: int, seed: int) -> tuple[illustrate.GameRound, ...]:
    return illustrate.play(epsilon, count, seed)


def _guess(state: dict[str, Any], side: illustrate.Side) -> None:
    if len(state["guesses"]) < ROUNDS:
        state |= {"guesses": (*state["guesses"], side), "many": False}


def _again(state: dict[str, Any]) -> None:
    state |= {"seed": illustrate.clear_game(state["seed"] + 1), "before": {}, "guesses": (), "hands": (), "many": False}
