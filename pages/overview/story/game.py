"""Step 1: guess which of two labels a picture had, ten times, beside the best attacker and the promise."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from ldp_core import illustrate
from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.overview.story import parts
from pages.widgets import views

ROUNDS, MANY = 10, 1_000
STATE = "story_game"
_FIRST_SEED = 11
_MARKS = {True: ("●", figures.RIGHT), False: ("✕", figures.WRONG)}
_FORMULAS = (
    r"\frac{p(z \mid g_A)}{p(z \mid g_B)} = e^{\pm\varepsilon}\quad (g_B = -g_A,\ \lVert g_A \rVert \ge L)",
    r"\Pr[\hat g = g] \le \frac{e^{\varepsilon}}{1 + e^{\varepsilon}}",
)


def show(t: Words, epsilon: float) -> None:
    """Show the step; to be run as a fragment. A new ε begins a new game; how the best attacker guesses is told last."""
    state: dict[str, Any] = st.session_state.setdefault(STATE, {"seed": _FIRST_SEED})
    if state.get("epsilon") != epsilon:
        state |= {"epsilon": epsilon, "guesses": (), "revealed": False, "many": False}
    rounds, guesses, revealed = _rounds(epsilon, ROUNDS, state["seed"]), state["guesses"], state["revealed"]
    number = len(guesses) - revealed
    current, over = rounds[number], revealed and len(guesses) == ROUNDS
    picture, control = st.columns([6, 6], gap="large")
    with picture:
        views.drawn(figures.game_svg(current, t.FIGURES, revealed))
    with control:
        st.markdown("**" + t.GAME_ROUND.format(number=number + 1, total=ROUNDS) + "**")
        _buttons(t, state, revealed=revealed, over=over)
        if revealed:
            hit = guesses[-1] == current.sent
            text = t.GAME_RESULT["right" if hit else "wrong"].format(sent=t.GAME_LABELS[current.sent])
            st.html(f'<div role="status"><strong>{text}</strong></div>')
        st.html(scores(t, epsilon, rounds, guesses))
        terms.prose(t, summary(t, epsilon, rounds, guesses) if over else t.GAME_LUCK)
        if over:
            same = wording.share(t, theory.worst_case_identification(epsilon))
            terms.prose(t, f"{t.GAME_TACTIC}{t.SPACE}{t.GAME_SAME.format(share=same)}")
        st.button(t.GAME_MANY, key="story_game_many", on_click=state.update, kwargs={"many": True})
        if state["many"]:
            terms.prose(t, many(t, epsilon, _rounds(epsilon, MANY, state["seed"])))
        played = MANY if state["many"] else ROUNDS
        parts.for_experts(t, "game", t.GAME_FORMULA_TEXT, _FORMULAS, state["seed"], epsilon=epsilon, game=played)


def scores(t: Words, epsilon: float, rounds: Sequence[illustrate.GameRound], guesses: Sequence[illustrate.Side]) -> str:
    """Return your guesses so far and the best attacker's, as marks and as counts, and the promise, as HTML."""
    you, attacker, promise = t.GAME_SCORES
    rows = [_score(t, you, _hits(rounds, guesses)), _score(t, attacker, _hits(rounds, _attacks(rounds, guesses)))]
    rows.append(f"<strong>{promise}</strong><span>{t.GAME_PROMISE.format(share=_promise(t, epsilon))}</span>")
    return f'<div class="ldp-sees">{"".join(rows)}</div>'


def summary(
    t: Words, epsilon: float, rounds: Sequence[illustrate.GameRound], guesses: Sequence[illustrate.Side]
) -> str:
    """Say how the game ended, and if so, that one who never looked did as well as the best attacker."""
    you, attacker = sum(_hits(rounds, guesses)), sum(_hits(rounds, _attacks(rounds, guesses)))
    text: str = t.GAME_SUMMARY.format(you=you, attacker=attacker, total=len(guesses), share=_promise(t, epsilon))
    side, blind = illustrate.best_without_looking(rounds[: len(guesses)])
    if blind < attacker:
        return text
    return f"{text}{t.SPACE}{t.GAME_BLIND.format(side=t.GAME_LABELS[side], right=blind)}"


def many(t: Words, epsilon: float, rounds: Sequence[illustrate.GameRound]) -> str:
    """Say how often the best attacker is right in many rounds."""
    right = sum(_hits(rounds, _attacks(rounds, rounds)))
    found, most = wording.percents(t, [right / len(rounds), theory.worst_case_identification(epsilon)])
    return str(t.GAME_MANY_RESULT.format(guesses=wording.count(len(rounds)), right=found, share=most))


def _buttons(t: Words, state: dict[str, Any], *, revealed: bool, over: bool) -> None:
    """Show the two guesses, and what leads on from an answer; all stay in place, so that the focus does."""
    with st.container(horizontal=True):
        for side, text in t.GAME_GUESS.items():
            st.button(text, key=f"story_guess_{side}", on_click=_guess, args=(state, side), disabled=revealed)
        label, lead = (t.GAME_AGAIN, _again) if over else (t.GAME_NEXT, _next)
        st.button(label, key="story_next", type="primary", on_click=lead, args=(state,), disabled=not revealed)


def _score(t: Words, name: str, hits: Sequence[bool]) -> str:
    """Return one player's row."""
    marks = "".join('<span style="color:{1}">{0}</span>'.format(*_MARKS[hit]) for hit in hits)
    text = t.GAME_SCORE.format(right=sum(hits), done=len(hits)) if hits else t.GAME_SCORE_NONE
    return f'<strong>{name}</strong><span>{text} <span aria-hidden="true" class="ldp-marks">{marks}</span></span>'


def _hits(rounds: Sequence[illustrate.GameRound], guesses: Sequence[illustrate.Side]) -> list[bool]:
    return [guess == played.sent for guess, played in zip(guesses, rounds, strict=False)]


def _attacks(rounds: Sequence[illustrate.GameRound], played: Sequence[object]) -> list[illustrate.Side]:
    """Return the best attacker's guesses in as many rounds as were played."""
    return [each.attacker for each in rounds[: len(played)]]


def _promise(t: Words, epsilon: float) -> str:
    return wording.at_most(t, theory.worst_case_identification(epsilon))


@lru_cache(maxsize=16)
def _rounds(epsilon: float, count: int, seed: int) -> tuple[illustrate.GameRound, ...]:
    return illustrate.play(epsilon, count, seed)


def _guess(state: dict[str, Any], side: illustrate.Side) -> None:
    state |= {"guesses": (*state["guesses"], side), "revealed": True}


def _next(state: dict[str, Any]) -> None:
    state["revealed"] = False


def _again(state: dict[str, Any]) -> None:
    state |= {"seed": illustrate.clear_game(state["seed"] + 1), "guesses": (), "revealed": False, "many": False}
