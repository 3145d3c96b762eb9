"""English: the page that tests one attack."""

# Audit: choose
AUDIT_TITLE = "Can an attack break the promise?"
AUDIT_LEAD = (
    "A guessing game. This device plays both sides: it makes a report from update A or update B, an attacker "
    "who sees the report guesses which one it was, and we count. Nothing is sent."
)
# Audit: before a run
PLAN = "About {seconds} on this device. The most this test can show: a leak of ε = {provable}."
PLAN_HELP = (
    "Even an attacker who is never wrong could not prove a larger leak from this many guesses. "
    "The time is a rough guess."
)
PLAN_TIME_HELP = "The time is a rough guess."
PLAN_TOO_FEW = "Too few guesses for ε = {epsilon}. Take at least {needed} guesses per pair, or more pairs."
PLAN_NEVER = "No practical number of guesses can show ε = {epsilon}. The run will only say how far it got."
TOO_LARGE = (
    "A run on this page may make at most {limit} guesses with these settings, you asked for {asked}. "
    "Take fewer guesses or pairs, or use the command line."
)
PREVIEW_TITLE = "Before you run"
PREVIEW_TEXT = (
    "If the promise holds, no attack gets above the dashed line, a little luck apart. The test puts a point on this "
    "chart: how often the attack you picked is right."
)
QUEUE_FULL = "32 tests are waiting already, and no more can wait. Try again when one has finished."
UNKNOWN_JOB = "This link points to a test that this device no longer has. Run it again to get a new result."
SAMPLING_NOTE = (
    "Simulation of our own randomizer: no reports were built, so this run cannot find a mistake in the randomizer."
)

# Audit: during a run
STAGES = {
    "queued": "Waiting. Tests before yours: {position}.",
    "data": "Loading the images",
    "download": "Downloading the images: {done} of {total} MB",
    "training": "Training the shared model, pass {done} of at most {total}",
    "trained": "The shared model is ready",
    "crafting": "Preparing update A and update B, pair {number} of {total}",
    "trials": "{done} of {total} guesses",
    "stopping": "Stopping after the current step …",
}
TIME_LEFT = "about {seconds} left"
LIVE = "So far about **{point} right guesses of {of}** (range {lower} to {upper})."
LIVE_SELECTIVE = "So far this attacker said “B” in **{second}** reports of update B, and in {first} of update A."
CANCEL = "Cancel"
SECONDS, MINUTES, LESS = "{count} seconds", "{count} minutes", "a second"

# Audit: after a run
HEADLINES = {
    "above": "Broken promise",
    "too_few": "Not enough guesses to tell",
    "coin": "This attack learned nothing we can measure",
    "at": "As far as the promise allows, and no further",
    "below": "Clearly below what the promise allows",
    "none": "Stopped before the first guess",
}
SEEN = (
    "An attacker who {sees} picked the update you sent **about {point} times in {of}** "
    "(range {lower} to {upper}). A coin gets {coin}; the promise allows at most {promise}."
)
SEEN_OPEN = (
    "An attacker who {sees} picked the update you sent **about {point} times in {of}** "
    "(range {lower} to {upper}). A coin gets {coin}; the promise allows practically all."
)
SEEN_ALL = (
    "An attacker who {sees} picked the update you sent **every time, in {done} guesses**. "
    "A coin gets half of them right."
)
SEEN_SELECTIVE = (
    "This attacker speaks up only when nearly sure. It said “B” in **about {second} of {of}** reports of update B, "
    "and by mistake in about {first} of {of} reports of update A. Such a difference takes at least ε = {lower}; "
    "the promise is ε = {epsilon}."
)
MEANING = {
    "above": "The randomizer leaks more than it claims: at least ε = {lower}, where it claims {epsilon}.",
    "too_few": "This many guesses can show at most ε = {provable}, and you asked about {epsilon}.",
    "coin": "That does not prove the promise. A cleverer attack may do better.",
    "at": "This attack comes as close as the promise lets anyone. That does not prove the promise: "
    "another attack could go beyond it.",
    "below": "That does not prove the promise. A cleverer attack may do better.",
    "none": "Nothing was counted.",
}
RUN_AT_LEAST = " Run at least {needed} guesses per pair."
ABOVE_TODO = (
    "**What to do.** Repeat the test with a new seed first: a randomizer that keeps its promise is blamed like this in "
    "at most {alarms} of {alarms_of} runs. If it happens again, send no more updates through this randomizer, keep the "
    "result below, and show it to whoever made the app."
)
ABOVE_DEMO = "You picked the demonstration, which breaks its promise on purpose. So the test found what it should."
STOPPED = (
    "You stopped after {done} of {total} guesses. The counts are valid. The range is the wider one that holds "
    "whenever a run is stopped."
)
NEW_SEED = "Repeat with a new seed"
TAB_SHARE = "Right guesses"
TAB_EPSILON = "Measured ε"
TAB_SHARE_NOTE = (
    "Dashed: the promise. Coloured line: what the formula predicts for the update pairs of this run. Big marker: all "
    "guesses, with the range that fits what we saw (thick: 50 %, thin: {confidence} %). "
    "Small markers, moved a little to the left: single pairs."
)
TAB_SHARE_NOTE_BLACK = (
    "Dashed: the promise. No formula predicts this rule. Big marker: all guesses, with the range that fits what we saw "
    "(thick: 50 %, thin: {confidence} %). Small markers, moved a little to the left: single pairs."
)
TAB_SHARE_NOTE_DEMO = (
    "Dashed: the promise. Coloured line: what the formula predicts for an honest randomizer and these pairs. Big "
    "marker: all guesses, with the range that fits what we saw (thick: 50 %, thin: {confidence} %)."
)
TAB_EPSILON_NOTE = (
    "Filled marker: the leak is at least this large, at {confidence} % confidence. Hollow marker: the estimate the "
    "papers print, which leans high. Above the dashed line, a promise is broken only if the filled marker is."
)
POINT_MISSING = "The papers' estimate does not exist here: in {count} of {total} pairs an error never happened."
WHY = "Why this result"
WHY_GEOMETRY = (
    "Two things make updates easy to tell apart: pointing in opposite directions (180°), and being at least as long "
    "as the clipping length ({clip})."
)
WHY_WORST = "Here both hold, so nothing stands between this attack and the limit."
WHY_ANGLE = "Here the angle is {angle}° on average, so someone who always guesses falls short."
WHY_SHORT = (
    "Here some updates are shorter than that, so they get more randomness, and someone who always guesses falls short."
)
WHY_BOTH = (
    "Here the angle is {angle}° on average and some updates are shorter, so someone who always guesses falls short."
)
WHY_LAW = "For these pairs the formula predicts {expected} right guesses of {of}."
WHY_LAW_OPEN = "For these pairs the formula predicts fewer than 1 wrong guess in {of}."
WHY_BLACK = (
    "This attacker never sees your report. It sees the shared model before and after a round with {clients}, and the "
    "rule “{rule}” turns the difference into a guess. No formula predicts how often that is right."
)
WHY_BLACK_ONE = (
    " A low count says that this rule is weak, not that little leaks. With one client in a round, whoever knows the "
    "server's step computes the report back: the rule “computes the report back” does as well as if it saw it."
)
WHY_BLACK_MANY = " The other clients are the shield: their reports drown yours."
CLIENTS_COUNT = ("one client", "{count} clients")
PAIR = "Pair {number}"
PAIR_FACTS = "{angle}° apart, lengths before clipping {first} and {second}"
PAIR_SIDES = {
    "benign": ("A: one image", "B: another image"),
    "input-perturbation": ("A: the image", "B: disturbed"),
    "label-flip": ("A: true label", "B: false label"),
    "parameter-retrogression": ("A: the model", "B: moved back"),
    "gradient-flip": ("A: the update", "B: turned around"),
    "collusion": ("A: the update", "B: turned around"),
    "dummy": ("", ""),
}
PAIR_ALT = "update {side}, pair {number}: the image it was computed from"
PICTURES_NOTE = "The images stay in this page's memory. This page saves them in no file and no download."
PICTURES_GONE = "The images were kept in memory only and are gone now."
PICTURES_NONE = "This attack uses no image: its update is made up."
SELECTIVE_TITLE = "A low score can hide a leak"
SELECTIVE_NOTE = (
    "This attacker has to guess every time, so easy and hard reports average out. One who speaks up only when nearly "
    "sure can use all that ε allows on the few reports that give you away, even when nobody cheats. "
    "Choose the “nearly sure” guessing rule in the advanced settings to see it."
)
COUNTS_TITLE = "All counts"
COUNTS_COLUMNS = ("pair", "A, guessed A", "A, guessed B", "B, guessed A", "B, guessed B", "right of 100", "formula")
COUNTS_TOTAL = "all"
REPEAT_TITLE = "Repeat or keep this result"
REPEAT_TEXT = "This command repeats the run guess by guess (seed {seed}):"
REPEAT_DIR = "Add `--data-dir` with the folder that holds the images."
DOWNLOAD_JSON = "Download as JSON"
DOWNLOAD_JSON_HELP = "Settings, counts and results. No image, no label, no update."
RUN_LIMITS_TITLE = "What this does not tell you"
RUN_LIMITS = (
    "**A lower limit.** No test can prove a promise; it can only catch a broken one. "
    "An attack we did not try may do better.",
    "**This device's copy.** The test runs the randomizer in this program, not the one inside another app.",
    "**One report.** Each further report leaks again, and the leaks add up.",
)
