"""English: the page that compares attacks, and what ε costs."""

COMPARE_TITLE = "Compare all attacks: which comes closest?"
COMPARE_LEAD = (
    "A page for experts. Every attack of the papers (Matsumoto, Takahashi, Liew and Oguchi, 2022 and 2024) plays the "
    "same guessing game on this device, beside the most that ε (epsilon, the privacy setting) allows. Nothing is sent."
)

# Settings
CMP_SETTINGS = "Change the settings"
CMP_SETTINGS_CHANGE = "Change the settings: {summary}"
CMP_SUMMARY = "{attacks}, {tests}, ε = {epsilons}, {datasets}, {measurements} × {trials} guesses, seed {seed}"
CMP_WILL = "This runs {attacks} at ε = {epsilons}, by someone who {sees}: {guesses} guesses each. Images: {datasets}."
CMP_WILL_SEES = {
    "white": "sees your report",
    "black": "sees only the shared model",
    "white,black": "sees your report, and by someone who sees only the shared model",
}
CMP_ATTACKS = "Who cheats?"
CMP_ATTACKS_HELP = "Ordered by what the attacker must control: the further down, the more, and the rarer."
CMP_ATTACKS_COUNT = ("one attack", "{count} attacks")
CMP_CONTROL = "Controls {crafter}; server {server}; black box: {rule}."
CMP_EPSILONS = "Values of ε, with commas"
CMP_EPSILONS_HELP = "Each from {low} to {high}. Smaller is more private. The papers use 0.5, 1, 2 and 4."
CMP_TESTS = "What does the attacker see?"
CMP_TEST_NAMES = {
    "white": ("Your report (white box)", "The server itself, or whoever taps the connection."),
    "black": (
        "Only the shared model (black box)",
        "Whoever gets the model before and after the round, such as another client. Takes longer.",
    ),
}
CMP_RULES = "How it guesses"
CMP_PAPER_RULE = "the papers' choice for each attack"
CMP_PAPER_ACCESS = "for each attack the one that is named with it above"
CMP_KNOWS = "Must know: {access}."
CMP_RULE_OFF = "Not offered: {reason}."
CMP_RULE_PARTLY = "Left out for: {attacks}. The reason: {reason}."
CMP_RULE_ONLY = "Only for: {attacks}. The reason: {reason}."
CMP_RULE_PARTLY_CLIENTS = "Left out for more than one client: {reason}."
CMP_CLIENTS = "Clients in a round, with commas"
CMP_CLIENTS_HELP = (
    "How many devices' reports the server mixes before anyone sees the model, 1 to 1,000. The papers use 1, 2, 4, 10."
)
CMP_STRENGTHS = "Strength of attacks that have one, with commas"
CMP_STRENGTHS_HELP = "Each value adds a run of these attacks."
CMP_DATASETS = "Images"
CMP_TRIALS_HELP = "More guesses give narrower ranges. Time grows in step."
CMP_RUN = "Run the comparison"
CMP_NUMBERS = "{label}: write numbers with commas between them, such as {example}."
CMP_NO_ATTACK = "Choose at least one attack."
CMP_NO_TEST = "Choose what the attacker sees."
CMP_NO_RULE = "Choose at least one guessing rule that fits the chosen attacks."
CMP_NO_DATA = "Choose at least one set of images."

# Before a run
CMP_PLAN = "{cells}, such as one attack at one ε, are counted one by one: about {seconds} on this device."
CMP_PLAN_CELLS = ("1 combination", "{count} combinations")
CMP_PLAN_HELP = (
    "A combination, or cell, is one attack at one ε, with one guessing rule, one number of clients and one set of "
    "images. The time is a rough guess."
)
CMP_BEFORE_TITLE = "What you will see"
CMP_BEFORE = (
    "A verdict in one sentence: which attack came closest to the promise.",
    "Every attack beside the promise, at each ε.",
    "A map that explains it: only the angle between the two updates and their length matter.",
    "The numbers of the papers beside those of this device.",
)

# During a run
CMP_STAGES = {
    "cells": "{cells}, {share} done",
    "levels": "Training the model: {done} of {total} levels",
    "rounds": "{done} of {total} reports",
}
CMP_SO_FAR = "So far. The ranges are the wider ones that hold whenever a run is stopped."
CMP_CONTINUE = "Continue where it stopped"
CMP_STOPPED = (
    "Stopped when {share} of {cells} was done. What is finished is valid, and kept: the same settings with seed {seed} "
    "continue from here."
)
CMP_NOTHING = "Stopped before anything was counted. Run it again and let it go on for a while."

# Verdict
CMP_HEADLINES = {
    "above": "Broken promise",
    "none": "No attack is shown to break the promise",
    "demo": "The demonstration breaks its promise, as it should",
}
CMP_CLOSEST = (
    "At ε = {epsilon} the attack that got furthest is **{attack}**, by someone who {test}: right in "
    "**{point} of {guesses}** (range {lower} to {upper}). A coin gets {coin}; the promise allows at most "
    "{promise}. As an ε: at least {leak}; promised {epsilon}."
)
CMP_CLOSEST_ALL = (
    "At ε = {epsilon} the attack that got furthest is **{attack}**, by someone who {test}: right "
    "**every time, in {guesses}** (range {lower} to {upper}). The promise allows at most {promise}. As an ε: at least "
    "{leak}; promised {epsilon}."
)
CMP_LUCK = " Chance alone moves such a count by that much, so it is no sign of a broken promise."
CMP_LUCK_MANY = " Among so many combinations, luck alone lifts one a little above its promise now and then."
CMP_SELECTIVE = (
    "Someone who speaks up only when nearly sure shows a leak of at least ε = {lower} (attack: {attack}). An average "
    "over all reports would hide it."
)
CMP_MEANING = (
    "None of the {cells} combinations that were counted shows more than ε allows. That does not prove the promise: a "
    "better attack may do better."
)
CMP_MEANING_ABOVE = (
    "{count} of {cells} combinations show a larger leak than ε allows, also when all are counted together: at "
    "{confidence} % confidence that is no accident. The largest: at least ε = {lower}, where {epsilon} is promised "
    "({attack})."
)
CMP_ABOVE_TODO = (
    "**What to do.** Run it again with a new seed. If it happens again, send no more updates through this randomizer "
    "and show the result to whoever made the app."
)
CMP_DEMO_TODO = "**What you can do now.** Choose LDP-SGD as the randomizer, which keeps its promise, and compare."
CMP_NEXT = (
    "**What you can do now.** [Run the attack that got furthest alone]({alone}), with more guesses. "
    "[Check your app maker's own program]({check}): this page ran the randomizer in this program, not theirs. And ask "
    "the maker of your app for its ε and for the number of reports in a month: at ε = {epsilon} for each, the best "
    "attacker may be right in 95 of 100 guesses after {reports}."
)
CMP_OWN_PROMISE = (
    "**Below the promise is not “better protected”.** Someone who always guesses averages easy and hard reports. One "
    "who speaks up only when nearly sure can use all that ε allows, also on everyday updates. Tick the rule “speaks up "
    "only when nearly sure” in the settings, or [test it alone]({link})."
)
CMP_SURE_TITLE = "How sure is this?"
CMP_IMAGES_TITLE = "Images and training"
CMP_SURE = (
    "**All {cells} combinations, or cells, are judged together, at {confidence} % confidence.** The more cells, the "
    "further one of them must be above its promise before we call it broken. Otherwise luck alone would break one now "
    "and then."
)
CMP_SHARED = (
    "**How to read many cells together.** Cells share their randomness. Each cell is right by itself, and comparisons "
    "between cells are sharper than with separate draws. But do not multiply their confidences as if they were "
    "separate runs."
)

# Results
CMP_SECTION = "Look at"
CMP_SECTIONS = {
    "attacks": "All attacks",
    "curves": "Each attack",
    "map": "The map",
    "lengths": "Length",
    "datasets": "Images",
    "clients": "Clients",
    "papers": "The papers",
    "errors": "Two kinds of error",
}
CMP_PICKS = {
    "epsilon": "Show at",
    "dataset": "Images",
    "white": "Rule, with the report",
    "black": "Rule, without the report",
    "clients": "Clients in a round",
    "strength": "Strength",
}
CMP_BASIS = "Each mark: {measurements} with {trials} guesses each. Ranges at {confidence} % confidence."
CMP_BASIS_ONE = "Each mark: one pair of updates with {trials} guesses, or all pairs of the same length together."
CMP_BASIS_MAP = (
    "Each mark: one pair of updates with {trials} guesses. A touch or the pointer shows how many were right."
)
CMP_BASIS_PAIRS = ("one pair", "{count} pairs")
CMP_SHARES_TITLE = "Right guesses of 100"
CMP_SHARES_NOTE = (
    "Bar: the range that fits what we saw. Upright line: what the formula predicts, where there is one. Filled mark: "
    "sees the report. Hollow mark: sees only the shared model. Left of 50: that rule does worse than a coin."
)
CMP_LOWER_TITLE = "How much leaked at least, as an ε"
CMP_LOWER_NOTE = (
    "A mark at 0.9: after what was seen here, 0.9 is the smallest ε that anyone could still promise. The promise is "
    "broken only if a mark is beyond the dashed line. Small dot: the number that the papers print, which tends to be "
    "too high."
)
CMP_LOWER_SELECTIVE = (
    "A rule that seldom says “B”, but is right when it does, scores low in right guesses and high in leaked ε."
)
CMP_CURVES_NOTE = (
    "Across: ε as promised. Up: ε as measured. On the dashed line an attack uses all that ε allows. Line with "
    "marks: at least this much. Small dots: the number that the papers print, which tends to be too high."
)
CMP_MAP_TITLE = "Only two things matter"
CMP_MAP_NOTE = (
    "How far apart the two updates point (to the right), and how long they are after clipping (up). The lines say how "
    "often someone who sees the report is right. Each mark is one pair of updates. Attacks differ only in where their "
    "pairs land."
)
CMP_MAP_EPSILON = "ε of the map"
CMP_MAP_OTHER = (
    "At this ε nothing was measured: the marks lie where the pairs lie, and their numbers are the formula's."
)
CMP_MAP_PILED = "In the upper right corner {count} marks lie on each other: {items}."
CMP_MAP_FULL = (
    "Here every update is as long as the clipping length or longer, so only the angle tells the attacks apart."
)
CMP_MAP_PILED_ITEM = "{attack} {count}"
CMP_PATH_BUTTON = "Show how learning moves the points"
CMP_PATH_HELP = "Trains the model pass by pass on this device and makes the pairs anew at each level."
CMP_PATH_LEVEL = "Passes over the training images"
CMP_PATH_NOTE = (
    "After {passes} the model names {right} of 100 images right. Faded marks: earlier in the training; a line "
    "joins the marks of one pair. Once the model "
    "knows an image well, its update gets shorter than the clipping length: the mark sinks, and guessing gets harder."
)
CMP_PATH_PASSES = ("one pass", "{count} passes")
CMP_PATH_OWN = "Not for uploaded images, which are gone when a run ends. Name a folder instead."
CMP_LENGTHS_NOTE = (
    "Only pairs that point in opposite directions. Line: the formula. Shorter updates get more randomness. At the "
    "clipping length the gain ends: longer updates are cut to it, and their marks stand beside each other on the "
    "right."
)
CMP_LENGTHS_NONE = "No measured pair points in opposite directions. Take a flipped update or the made-up one too."
CMP_DATASETS_NOTE = (
    "Mark: the leak is at least this large. The images change where the pairs land, never what ε promises."
)
CMP_CLIENTS_NOTE = (
    "Only for who sees the shared model. The other clients' reports drown yours. No match with the papers' numbers is "
    "claimed: {reasons}."
)
CMP_CLIENTS_NOTE_PLAIN = "Only for who sees the shared model. The other clients' reports drown yours."
CMP_PAPERS_NOTE = (
    "Difference: this device minus the paper, in right guesses of 100. “Chance” means that luck in both counts can "
    "make such a difference (in all but {alarms} of 100 tables like this one). Where luck is not enough, the "
    "numbers say in each row what else differs."
)
CMP_PAPERS_NAMES = "The names here, and those of the papers: {names}."
CMP_PAPERS_NONE = (
    "The papers print numbers for ε = 0.5, 1, 2 and 4 and five of the attacks, for who sees the report. None was run."
)
CMP_PAPERS_TITLES = {
    "whole": "Beside the published Table 1 (MNIST)",
    "subset": "Beside the published Table 1 (MNIST); here: a subset of MNIST",
}
CMP_PAPERS_OTHERS = (
    "The papers' Table 1 is about MNIST, a set of handwritten digits. The images of this run are not known to be "
    "MNIST's, so their numbers do not stand beside it. To compare, choose the images of MNIST and run again."
)
CMP_PAPERS_COLUMNS = ("attack", "ε", "this device", "paper", "difference", "chance explains up to", "why")
CMP_PAPERS_LUCK = "chance"
CMP_REASONS = {
    "training": "the paper does not say how far its model was trained",
    "pairs": "which ten pairs were drawn matters, and the paper's are not known",
    "label": "the paper does not say which wrong label it gives; here one is drawn at random",
    "data": "the paper used MNIST; these images are not known to be MNIST's",
    "subset": "the paper used all of MNIST, this is a subset of it",
    "mechanism": "this is another randomizer",
    "clip": "the paper's clipping length is 1",
    "rule": "the paper's attacker always guesses (cosine)",
    "short": "some of our pairs are shorter than the clipping length or not opposite",
    "unexplained": "neither training nor pairs explain it; one of the two sides errs",
    "constant": "the server's constant is printed wrong, and which one was used is not said",
    "unstated": "ε and the largest length of the model are not said",
    "bias": "such an estimate near 0 is mostly its own upward lean",
}
CMP_ERRORS_NOTE = (
    "**How to read it.** The further a curve bends towards the lower left corner, the fewer mistakes that attacker "
    "makes. ε forbids the corner beyond the dashed line. The promise is broken only where a whole band is beyond "
    "that line: a band that touches or crosses it shows nothing yet."
)
CMP_ERRORS_MARKS = (
    "Band: where the curve runs, at no less than {confidence} % confidence. Mark: the attacker's own choice."
)
CMP_ERRORS_PICK = "Attacks to show"
CMP_ERRORS_NONE = "No such curve was counted for this choice."
CMP_TABLE = "The numbers"
CMP_COLUMNS = (
    "attack", "sees", "rule", "clients", "strength", "ε", "right of 100", "range", "formula", "leak at least",
    "estimate", "guesses",
)  # fmt: skip
CMP_CLIENTS_COLUMNS = ("attack", "rule", "ε", "clients", "estimate of ε", "at least", "right of 100", "paper")
CMP_TEST_SHORT = {"white": "report", "black": "model"}
CMP_SKIPPED_TITLE = "Left out because it would mean nothing"
CMP_SKIPPED = "{rule}, with the attack “{attack}”: {reason}."
CMP_SKIPPED_CLIENTS = "{rule}, with more than one client: {reason}."
CMP_NOTES_TITLE = "Pairs that could not be made"
CMP_REPEAT = "This command repeats the comparison count by count (seed {seed}):"
CMP_REPEAT_DIR = "Add `--data-dir` with the folder that holds the images."
CMP_FIGURES = "For a paper or a talk, the same command with `--figures FOLDER` saves every picture as SVG, PDF and PNG."
CMP_CSV = "Download as CSV"

# The runs of this session
RUNS_TITLE = "Your runs so far"
RUNS_LEAD = (
    "Every test and comparison that you ran or opened since you opened this page. The list is gone when you close or "
    "reload it; a link to a run keeps working on this device."
)
RUNS_KINDS = {"audit": "test", "compare": "comparison", "check": "check"}
RUNS_STATES = {"queued": "waiting", "running": "running", "failed": "did not work"}
RUNS_COLUMNS = ("run", "what", "ε", "attack or mechanism", "right of 100", "the promise", "verdict", "seed")
RUNS_SHARE = "{point} ({lower} to {upper})"
RUNS_PROMISE = "at most {promise}"
RUNS_SEE = "see its verdict"
RUNS_SEED = "Seed of this run: {seed}"
RUNS_NAME = "{number}: {what}, {attack}, ε = {epsilon}"
RUNS_DRAWN = "Tests to draw together"
RUNS_NOTE = (
    "Dashed: the promise. Each mark: one test, with the range that fits what we saw (thick: 50 %). Filled mark: sees "
    "your report. Hollow mark: sees only the shared model. Tests at the same ε stand beside each other. A test with "
    "the rule “nearly sure” is not drawn: its right guesses do not tell what it found."
)
RUNS_CHOSEN = "One run again"
RUNS_OPEN = "Open this run"
RUNS_SAME_SEED = "Repeat with the same seed"
RUNS_NEW_SEED = "Repeat with a fresh seed"

# What ε costs
COST_TITLE = "What does ε cost?"
COST_LEAD = (
    "More privacy means slower learning. Here many made-up clients train a model together on this device, once without "
    "privacy and once for each ε, with the same images and steps."
)
COST_EPSILONS = "Values of ε for the training"
COST_CLIENTS = "Clients in each round"
COST_CLIENTS_HELP = "More clients drown the randomness: it shrinks with the square root of their number."
COST_ROUNDS = "Rounds"
COST_ROUNDS_HELP = "In each round every client sends one report, and the server takes one step."
COST_DATASET = "Images for the training"
COST_RUN = "Train the models"
COST_AGAIN = "Train again"
COST_PLAN = "About {seconds} on this device."
COST_NOTE = (
    "Right labels of 100 held-out images after each round, with {clients} clients in each. Seed {seed}. One training "
    "each, so small differences between lines may be luck. Guessing gets about 10 of 100 right with ten classes: lines "
    "near that have learned nothing, and only more clients help."
)
COST_SPENT = (
    "**What that costs a client.** Each report leaks again and the leaks add up. A client who takes part in "
    "all {rounds} rounds at ε = {epsilon} has spent {rounds} × {epsilon} = {spent}. That sum, and not {epsilon}, is "
    "then the promise. Taking part in fewer rounds costs less."
)
COST_UNLEARNED = (
    "**Too few clients.** At ε = {epsilons} the model has learned almost nothing: the randomness of {clients} reports "
    "a round drowns what is in them. Take more clients, or a larger ε, which is leakier."
)
ROUNDS_COUNT = ("one round", "{count} rounds")
COST_LAST = "After {rounds}: {items}."
COST_LAST_NONE = "{right} of 100 right without privacy"
COST_LAST_ITEM = "{right} at ε = {epsilon}"
