"""Every word of a report, in English; another language brings a mapping of its own with the same keys.

``**two stars**`` make words bold, and each line of a text in several lines becomes an item of its own. Names of attacks
and data sets are those of the charts.
"""

from collections.abc import Mapping

from ldp_core.takeaway._words_check import CHECK_WORDS
from ldp_core.words import document_names

WORDS: dict[str, str] = {
    "title_audit": "Can an attack break the promise? Summary of a test",
    "title_compare": "Which attack comes closest to the promise? Summary of a comparison",
    "title_utility": "What does ε cost? Summary of a training",
    "title_path": "How does learning move the updates? Summary of a training",
    "about_audit": "In federated learning your device sends an update to help train a shared model. It changes the "
    "update at random before it sends it. ε (epsilon) is the privacy setting: it limits how often anyone can tell "
    "which of two updates was sent. In this test an attacker played that guessing game on one device, and the guesses "
    "were counted.",
    "about_compare": "In federated learning your device sends an update to help train a shared model. It changes the "
    "update at random before it sends it. ε (epsilon) is the privacy setting: it limits how often anyone can tell "
    "which of two updates was sent. Here several attackers played that guessing game on one device, and the guesses "
    "were counted.",
    "about_utility": "Changing updates at random protects each device and slows the training down. ε (epsilon) is the "
    "privacy setting: smaller is more private. Here one model was trained without privacy and one for each ε, with "
    "the same images and steps.",
    "about_path": "Two things make updates easy to tell apart: pointing in opposite directions, and being long. Here "
    "a model was trained pass by pass, and at each level both were measured for the same pairs of updates.",
    # sections
    "verdict": "Result",
    "opened": "Drawn again from a saved file, not run here. It can be trusted as much as that file.",
    "run": "What was run",
    "numbers": "The numbers",
    "charts": "The charts",
    "images": "The images of the pairs",
    "counts": "All counts",
    "notes": "Pairs that could not be made",
    "skipped": "Left out because it would mean nothing",
    "limits": "What this does not tell you",
    "assumed": "Everything that was assumed",
    "repeat": "Repeat it",
    "finding_path": "While the model learned (from {before} to {after} of 100 labels right), the updates of "
    "“{attack}” went from {first_angle}° apart and length {first_norm} to {last_angle}° and {last_norm}.",
    # what was run
    "run_audit": "{trials} guesses, {pairs}. Attack: {attack}. The attacker {sees} and uses the rule “{rule}”. ε = "
    "{epsilon}. Images: {dataset}.",
    "run_compare": "{cells}, each with up to {measurements} of {trials} guesses. Attacks: {attacks}. ε: {epsilons}. "
    "Images: {datasets}.",
    "run_utility": "{rounds} with {clients} in each. ε: {epsilons}, and no privacy. Images: {dataset}.",
    "run_path": "{levels}, with {pairs} for each attack at each. Attacks: {attacks}. Images: {dataset}.",
    "stopped": "The run was stopped early. What was counted is valid; ranges are the wider ones that hold whenever a "
    "run is stopped.",
    "stopped_study": "The run was stopped early. What is here is valid.",
    "and": ", ",
    "pairs_one": "one pair of updates",
    "pairs_many": "{count} pairs of updates",
    "cells_one": "one cell (attack, rule, ε and so on)",
    "cells_many": "{count} cells (attack, rule, ε and so on)",
    "rounds_one": "one round",
    "rounds_many": "{count} rounds",
    "clients_one": "one client",
    "clients_many": "{count} clients",
    "levels_one": "one level of training",
    "levels_many": "{count} levels of training",
    # numbers
    "right": "right guesses of 100",
    "allowed": "the promise allows at most",
    "coin": "a coin gets",
    "law": "the formula predicts for these pairs",
    "law_chance": "What was counted differs a little from what the formula predicts. Chance can explain that.",
    "spoken_second": "said “B” of update B, of 100 reports",
    "spoken_first": "said “B” of update A, by mistake, of 100 reports",
    "claimed": "ε as promised",
    "lower": "leak shown: ε at least",
    "point": "estimate as in the papers (leans high): ε about",
    "provable": "the most this many guesses can show: ε",
    "range": "about {point} (range {lower} to {upper})",
    "unknown": "not known",
    "below_all": "just below 100",
    "no_estimate": "none",
    # tables
    "attack": "attack",
    "attacker": "attacker",
    "level_passes": "passes",
    "level_right": "right of 100",
    "round": "after round",
    "no_privacy": "no privacy",
    "spent": "spent in all rounds",
    "pair": "pair",
    "angle": "angle",
    "first_norm": "length of A",
    "second_norm": "length of B",
    "first_as_first": "A, guessed A",
    "first_as_second": "A, guessed B",
    "second_as_first": "B, guessed A",
    "second_as_second": "B, guessed B",
    "all": "all",
    "short_epsilon": "ε",
    "short_allowed": "promise allows",
    "short_range": "{point} ({lower} to {upper})",
    "short_white": "report, {rule}",
    "short_black": "model, {rule}, {clients}",
    "skipped_item": "{rule}, for {attack} with {clients}",
    "broken": "broken",
    "table_compare": "One row for each cell: right guesses of 100 with their range at {confidence} % confidence, the "
    "most that the promise allows, and the leak that is shown. A row marked “broken” shows more than ε allows, "
    "counted together with all other cells.",
    "table_cut": "The first {shown} of {total} cells. The JSON file holds all of them.",
    "table_path": "For each attack: mean angle between its two updates in degrees, and mean length after clipping.",
    # charts
    "chart_identification": "Right guesses of 100",
    "note_identification": "Big marker: all guesses, with the range that fits what was seen (thick: 50 %, thin: "
    "{confidence} %). Small markers: single pairs. Dashed: the most that the promise allows. "
    "Wide line, where there is one: what the formula predicts for these pairs.",
    "chart_epsilon": "Measured ε",
    "note_epsilon": "Filled marker: the leak is at least this large. Hollow marker: the estimate that the papers "
    "print. The promise is broken only if the filled marker is above the dashed line.",
    "chart_shares": "Right guesses of 100, at ε = {epsilon}",
    "note_shares": "Marker: what was counted, with its range. Dashed: the most that the promise allows. Tick: what "
    "the formula predicts.",
    "chart_attacks": "The leak that is shown, at promised ε = {epsilon}",
    "note_attacks": "Big marker: the leak is at least this large. Dot: the estimate that the papers print, which "
    "leans high.",
    "chart_curves": "Shown against promised ε",
    "note_curves": "One panel for each attack. On the dashed line, an attack shows all that is promised.",
    "chart_map": "Angle and length of every pair, at ε = {epsilon}",
    "note_map": "Lines: right guesses of 100. The further up and to the right, the easier two updates are to tell "
    "apart.",
    "note_map_path": "Lines: right guesses of 100. The further up and to the right, the easier two updates are to "
    "tell apart. Pale markers: earlier in the training. The first {most} pairs of each attack are drawn.",
    "chart_norms": "Opposite updates by their length, at ε = {epsilon}",
    "note_norms": "Shorter updates get more randomness, so fewer guesses are right.",
    "chart_clients": "More clients in a round, at ε = {epsilon}",
    "note_clients": "Only for who sees the shared model. The other clients' reports drown one's own.",
    "chart_tradeoff-white": "Both kinds of error, at ε = {epsilon}: sees the report",
    "chart_tradeoff-black": "Both kinds of error, at ε = {epsilon}: sees the model only",
    "note_tradeoff": "Taking A for B against taking B for A. Below the dashed line both errors would be smaller than "
    "ε allows.",
    "chart_published": "Beside the published numbers",
    "note_published": "Our right guesses minus those in the paper. The bars show how far chance alone can move them.",
    "chart_datasets-white": "The leak that is shown, by images, at ε = {epsilon}: sees the report",
    "chart_datasets-black": "The leak that is shown, by images, at ε = {epsilon}: sees the model only",
    "note_datasets": "Big marker: the leak is at least this large. Dashed: the promised ε.",
    "chart_utility": "Right labels of 100 after each round",
    "note_utility": "One training each, so small differences between lines may be luck.",
    "charts_at": "Charts of single attacks are drawn at ε = {epsilon}; the tables have every ε.",
    # limits
    "limits_audit": "**A lower limit.** No test can prove a promise; it can only catch a broken one. An attack that "
    "was not tried may do better.\n"
    "**One program's copy.** The test ran the randomizer in this program, not the one inside another app.\n"
    "**One report.** Each further report leaks again, and the leaks add up.\n"
    "**A small model.** The updates come from a small network and the images named here. Others may give other "
    "results.\n"
    "**No legal finding.** It does not say whether anyone can be recognized in the data.",
    "limits_utility": "**One training each.** Another seed gives slightly other curves.\n"
    "**Made-up clients.** Each has one image and answers in every round it is asked. Real ones differ.\n"
    "**A small model.** A larger model needs more clients for the same ε.\n"
    "**Leaks add up.** ε holds for one report. Whoever takes part in several rounds spends it each time.",
    "limits_path": "**No attack was run.** Angle and length say how easy guessing would be; nothing was guessed.\n"
    "**One training.** Another seed or data set gives other paths.\n"
    "**A small model.** The updates come from a small network and the images named here.",
    # what was assumed
    "a_epsilon": "ε (epsilon), privacy setting",
    "a_delta": "δ (delta), chance that the promise does not hold",
    "delta_zero": "0: the promise has no exceptions",
    "a_prior": "which update was sent",
    "prior_coin": "a fair coin decided each time",
    "a_confidence": "confidence of ranges and bounds",
    "a_bound": "statistical bound",
    "bound_pooled": "both kinds of error counted together",
    "bound_clopper_pearson": "each kind of error by itself (Clopper-Pearson)",
    "bound_own": "the one that fits each rule",
    "a_clip_norm": "clipping length L",
    "a_mechanism": "randomizer",
    "a_attack": "attack",
    "a_strength": "strength of the attack",
    "a_rule": "guessing rule",
    "a_sees": "what the attacker sees",
    "sees_white": "sees the report",
    "sees_black": "sees only the shared model",
    "rule_paper": "the papers' rule for each attack",
    "a_dataset": "images",
    "a_training": "how far the shared model was trained",
    "training_none": "not at all",
    "training_light": "lightly (85 of 100 images right)",
    "training_full": "fully (20 passes)",
    "a_images": "images used",
    "images_used": "{dataset}: {training} to train the model, {held_out} held out for the pairs; {whose}",
    "images_whole": "all of {known}, known by the digest {digest}",
    "images_subset": "a subset of {known}, known by the digest {digest}",
    "images_other": "their digest is {digest}",
    "images_doubtful": "not known to be those of the data set with this name; their digest is {digest}",
    "images_own": "your own; no digest of them is written down",
    "a_reached": "what the training reached",
    "reached": "{dataset}: {share} of 100 held-out images right after {passes} passes over the training images",
    "a_clients": "clients in a round",
    "a_radius": "largest length of the server's model",
    "radius_usual": "three times the length of the model sent",
    "a_sampling": "how reports were made",
    "sampling_full": "real reports",
    "sampling_projected": "simulation of our own randomizer; no reports were built",
    "a_watch": "looked at during the run",
    "yes": "yes, and the ranges allow for it",
    "no": "no",
    "a_trials": "guesses for each pair",
    "a_measurements": "pairs",
    "a_curves": "error curves counted",
    "curves_yes": "yes",
    "a_rounds": "rounds",
    "a_learning_rate": "first step of the server, times L",
    "a_passes": "passes after which pairs were made",
    "a_seed": "seed of all randomness",
    "a_completed": "finished",
    "completed_yes": "yes",
    "completed_no": "no, stopped early",
    "a_device": "computed on",
    "a_versions": "versions",
    "a_seconds": "computing time",
    "seconds": "{seconds} seconds",
    "a_date": "date",
    "date_none": "not recorded, so that the same run always gives the same summary",
    # repeat, inside
    "repeat_text": "This command repeats the run count by count, with the same versions and kind of device. It is the "
    "way to check this summary: a file can be changed by anyone.",
    "repeat_folder": "Add --data-dir with the folder that holds the images.",
    "inside_none": "No image, no label and no update is in this file: only settings, counts and what follows from "
    "them.",
    "inside_images": "Besides settings and counts, this file holds the images that the pairs were computed from, "
    "because that was ticked. Whoever has this file sees them. No update is in it.",
    "inside_own": "They are your own images.",
    "inside_data": "They come from the data set {dataset}.",
    "inside_file": "It needs no internet, runs no program and asks for nothing from anywhere.",
    "image_alt": "update {side}, pair {number}: the image it was computed from",
} | CHECK_WORDS
WORDS |= document_names("en")


def several(words: Mapping[str, str], name: str, how_many: int) -> str:
    """Write "one pair of updates" or "3 pairs of updates"."""
    return words[f"{name}_one"] if how_many == 1 else words[f"{name}_many"].format(count=f"{how_many:,}")
