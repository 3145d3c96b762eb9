"""Every word on a chart, in English; another language brings a mapping of its own with the same keys."""

from collections.abc import Mapping

from ldp_core.words import printed_names

ENGLISH: dict[str, str] = {
    "epsilon_axis": "ε, the privacy setting (log scale)",
    "claimed_axis": "ε as promised",
    "empirical_axis": "ε as measured",
    "share_axis": "right guesses of 100",
    "promise": "the promise",
    "promise_is_law": "the promise, and<br>the prediction",
    "coin": "a coin: 50",
    "law": "predicted",
    "diagonal": "measured = promised",
    "measured": "measured {point:.{digits}f}",
    "lower": "at least {lower:.2f}",
    "point": "estimate: about {point:.2f}",
    "provable": "the most this test can show",
    "alt_identification": "Right guesses of 100 against epsilon. Measured {point:.2f}, range {lower:.2f} to "
    "{upper:.2f}, at epsilon {epsilon:g}; the promise allows at most {promise:.2f}; a coin gets 50.",
    "alt_epsilon": "Measured epsilon against promised epsilon. This run shows at least {lower:.2f}; "
    "the promise is {epsilon:g}; the most this test can show is {provable:.2f}.",
    # comparisons
    "white": "sees the report (white box)",
    "black": "sees the model only (black box)",
    "shown": "ε shown: at least",
    "estimate": "estimate",
    "predicted": "predicted",
    "promise_epsilon": "the promise: ε = {epsilon:g}",
    "promise_share": "the promise: {share:.{digits}f}",
    "norm_axis": "length of the update, in clipping lengths",
    "angle_axis": "angle between the two updates (degrees)",
    "mean_norm_axis": "mean length after clipping",
    "as_long": "as long or longer",
    "map_title": "Lines: right guesses of 100 at ε = {epsilon:g}",
    "clients_axis": "clients in a round",
    "difference_axis": "ours minus published (points)",
    "sampling": "explained by chance",
    "unexplained": "not explained",
    "row": "{attack}, ε = {epsilon:g}",
    "positive_axis": "update A taken for B, of 100",
    "negative_axis": "update B taken for A, of 100",
    "allowed": "what ε = {epsilon:g} allows",
    "outside": "outside what ε allows",
    "round_axis": "round",
    "accuracy_axis": "right labels of 100",
    "no_privacy": "no privacy",
    "epsilon_is": "ε = {epsilon:g}",
    "interval": "range",
    "inner": "range at 50 %",
    "infinite": "estimate without limit",
    "promise_at": "the promise: ε = {epsilon:g}",
    "chance": "what chance explains",
    "no_difference": "no difference",
    "own": "large: the guesses made",
    "single": "single pairs",
    "earlier": "earlier in the training",
    "and": "; ",
    "alt_attacks": "At epsilon {epsilon:g} these attacks show at least: {items}.",
    "alt_attacks_item": "{attack}, {test}: epsilon {lower:.2f}",
    "alt_shares": "At epsilon {epsilon:g} the promise allows {promise:.2f} right guesses of 100; measured: {items}.",
    "alt_shares_item": "{attack}, {test}: {point:.2f}, range {lower:.2f} to {upper:.2f}",
    "alt_curves": "Measured against promised epsilon, one panel for each attack; at least: {items}.",
    "alt_curves_item": "{attack}, {test}: {lower:.2f} at epsilon {epsilon:g}",
    "alt_norms": "At epsilon {epsilon:g} right guesses of opposite updates rise with their length along the predicted "
    "line from 50 to {top:.2f} of 100; measured: {items}.",
    "alt_norms_item": "{attack}, length {norm:.2f} to {norm_last:.2f}: {point:.2f} to {point_last:.2f}",
    "alt_datasets": "At epsilon {epsilon:g}, who {test} shows on each data set at least: {items}.",
    "alt_datasets_item": "{dataset}, {attack}: epsilon {lower:.2f}",
    "alt_clients": "Right guesses of 100 by the number of clients at epsilon {epsilon:g}: {items}.",
    "alt_clients_item": "{attack}, {clients}: {point:.2f}, range {lower:.2f} to {upper:.2f}",
    "alt_published": "Chance explains {explained} of {total} differences from the published shares; "
    "the largest is {difference:+.2f} points, for {attack} at epsilon {epsilon:g}.",
    "alt_map": "Right guesses of 100 at epsilon {epsilon:g} rise with angle and length from 50 to {top:.2f}; "
    "mean over the measured pairs: {items}.",
    "alt_map_item": "{attack} at {angle:.0f} degrees and length {norm:.2f}: {point:.2f}",
    "alt_overlay": "Right guesses of 100 of several runs: {items}.",
    "alt_overlay_item": "{attack} at epsilon {epsilon:g}: {point:.2f}, range {lower:.2f} to {upper:.2f}, where the "
    "promise allows at most {promise:.2f}",
    "alt_tradeoff": "The two kinds of error, one traded for the other; epsilon {epsilon:g} forbids both to be small. "
    "{items}.",
    "alt_tradeoff_inside": "{attack}: nothing seen outside what epsilon allows, own guesses at {first:.2f} and "
    "{second:.2f} of 100",
    "alt_tradeoff_outside": "{attack}: outside what epsilon allows, own guesses at {first:.2f} and {second:.2f} of 100",
    "alt_utility": "Right labels of 100 after {rounds} rounds: {items}.",
    "alt_utility_item": "{name}: {accuracy:.1f}",
    # checks
    "pair_dummy-flip": "dummy and opposite",
    "pair_random-directions": "random directions",
    "pair_coordinates": "one number, plus and minus",
    "pair_near-equal": "nearly equal",
    "pair_zero-and-full": "zero and full length",
    "pair_random-flip": "random and opposite",
    "pair_short-flip": "¾ length and opposite",
    "pair_half-flip": "½ length and opposite",
    "pair_quarter-flip": "¼ length and opposite",
    "pair_short-dummy": "dummy and opposite, ¾ length",
    "pair_sparse-flip": "few numbers and opposite",
    "pair_short-coordinates": "one number, ¾ length",
    "pair_uneven-flip": "opposite, and shorter",
    "pair_two-lengths": "full and half length",
    "pair_zero-and-short": "zero and ¾ length",
    "pair_own": "your own pair {number}",
    "pair_refined": "refined pair {number}",
    "rule_cosine": "picks the closer update",
    "rule_selective": "speaks up only when nearly sure",
    "rule_tail": "picks the closer update, far out only",
    "rule_learned": "has learned from other reports",
    "leak_side": "by side",
    "leak_tail": "in a tail",
    "leak_learned": "in a learned region",
    "claim": "the claim: ε = {epsilon:g}",
    "above_claim": "filled: above the claim, up to {lower}",
    "would_catch": "95 of 100 caught: ε = {epsilon:.2f} {leak}",
    "alt_check_above": "What each rule shows of epsilon on each pair that was judged. {rule}, on the pair “{pair}”, "
    "shows at least {lower:.3f}, more than the claimed {epsilon:g}.",
    "alt_check_below": "What each rule shows of epsilon on each pair that was judged. Nothing is above the claimed "
    "{epsilon:g}; the most is at least {lower:.3f}.",
    "alt_check_power": " Caught 95 times of 100 would have been a true epsilon that shows {items}.",
    "alt_check_power_item": "{leak} from {epsilon:.2f} on",
    "alt_check_rule": "The rule “{rule}”",
    # the story
    "nearly": "over 99.99",
    "of_100": "{share} of 100",
    "percent": "{share} %",
    "near_side": "near side",
    "far_side": "far side",
    "near_count": "near side: {count:,}",
    "far_count": "far side: {count:,}",
    "your_update": "your update",
    "clipped": "your update, cut to full length",
    "rounded": "rounded to full length",
    "settles": "settles at {share}",
    "reports_axis": "reports made",
    "near_axis": "near side, of 100",
    "alt_law": "In the long run the share of reports on your update's side is {share}.",
    "alt_reports": "Of {total:,} reports, {near:,} lie on your update's side and {far:,} on the other.",
    "alt_share": "After {total:,} reports, {near:,} lie on your update's side: {share} percent.",
    "report": "the report",
    "sent": "{side} was sent",
    "alt_game": "Update A points up, update B points down.",
    "alt_game_side": "The report is on the side of {side}.",
    "alt_game_sent": "{sent} was sent.",
    "before": "sure before: {share}",
    "after": "sure after one report: at most {share}",
    "after_open": "after one report: nearly certain",
    "before_axis": "sure before, of 100",
    "after_axis": "sure after, at most",
    "unmoved": "nothing learned",
    "alt_posterior": "At epsilon {epsilon:g} one report makes an attacker who is {before} sure at most {after} sure.",
    "alt_posterior_open": "At epsilon {epsilon:g} one report can make an attacker who is {before} sure nearly certain.",
    "chosen_share": "ε = {epsilon:g}: at most {share}",
    "chosen_open": "ε = {epsilon:g}: nearly all",
    "alt_promise": "The best attacker's right guesses. {chosen}. A coin gets 50 of 100.",
    "rounds_axis": "reports you send (log scale)",
    "goal": "95 % right: from report {rounds:,}",
    "alt_rounds": "Right guesses by the best attacker at epsilon {epsilon:g} a report: {items}. "
    "95 % are reached with report {rounds:,}.",
    "alt_rounds_item": "{share} after {rounds:,}",
} | printed_names()


def attack_name(words: Mapping[str, str], attack: str) -> str:
    """Return an attack's name in the words' language, or the name it has in the code."""
    return words.get(f"name_{attack}", attack)


def dataset_name(words: Mapping[str, str], dataset: str) -> str:
    """Return a data set's name in the words' language, or the name it has in the code."""
    return words.get(f"data_{dataset}", dataset)


def group_name(words: Mapping[str, str], attack: str, rule: str, strength: float) -> str:
    """Return an attack's name with its rule, and with its strength unless that is 1."""
    name, by = attack_name(words, attack), rule_name(words, rule)
    return f"{name} ({by})" if strength == 1.0 else f"{name} ×{strength:g} ({by})"


def rule_name(words: Mapping[str, str], rule: str) -> str:
    """Return a guessing rule's short name in the words' language, or the name it has in the code."""
    return words.get(f"by_{rule}", rule)


def pair_name(words: Mapping[str, str], pair: str) -> str:
    """Return a check's pair of inputs in the words' language; one of the client's own or a refined one by its number.

    >>> pair_name(ENGLISH, "own-3")
    'your own pair 3'
    """
    kind, _, number = pair.rpartition("-")
    return words[f"pair_{kind}"].format(number=number) if number.isdecimal() else words[f"pair_{pair}"]
