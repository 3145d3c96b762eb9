"""English: the page that tests one attack."""

# Audit: choose
AUDIT_TITLE = "Test one attack: can it break the promise?"
AUDIT_LEAD = (
    "A guessing game. This device plays both sides: it makes a report from update A or update B, an attacker "
    "who sees the report guesses which one it was, and we count. Nothing is sent. "
    "How much randomness is added is set by ε (epsilon), the privacy setting."
)
# Audit: before a run
PLAN = "{guesses}, about {seconds} on this device."
PLAN_ENOUGH = " Enough guesses to catch a badly broken promise at ε = {epsilon}."
PLAN_HELP = (
    "The most this test can show is a leak of ε = {provable}: even an attacker who is never wrong could not prove a "
    "larger one from this many guesses. The time is a rough guess."
)
PLAN_TIME_HELP = "The time is a rough guess."
PLAN_TOO_FEW = "Too few guesses for ε = {epsilon}. Take at least {needed} guesses per pair, or more pairs."
PLAN_NEVER = "No practical number of guesses can show ε = {epsilon}. The run will only say how far it got."
TOO_LARGE = {
    "audit": "A run on this page may make at most {limit} guesses with these settings, you asked for {asked}. "
    "Take fewer guesses or pairs, or use the command line.",
    "compare": "On this page, guesses times numbers in an update may be at most {limit}, all combinations together; "
    "this comparison counts as {asked}. Take fewer guesses, pairs or clients, or use the command line, which may run "
    "for days and can be continued.",
    "utility": "On this page, reports times numbers in an update may be at most {limit}; this counts as {asked}. Take "
    "fewer clients, rounds or values of ε, or use the command line.",
    "check": "On this page, reports times numbers in an update may be at most {limit}; you asked for {asked}. Take "
    "fewer, or use the command line.",
}
TOO_LARGE_OWN = (
    " Your own images are read only when the run begins, so each update counts as {numbers} numbers, the most it can "
    "have."
)
PREVIEW_TITLE = "Before you run"
PREVIEW_TEXT = (
    "If the promise holds, no attack gets above the dashed line, a little luck apart. The test puts a point on this "
    "chart: how often the attack you picked is right."
)
EXPECT = "Your guess first, if you like: of 100 guesses, how many will this attacker get right?"
EXPECT_HELP = "It changes nothing in the test. It stays on this page and goes into no file. A coin gets 50."
EXPECT_NONE = "no guess yet"
NEXT_TITLE = "Your next test"
PREPARED_SHOW = "Show a prepared example"
PREPARED_SHOW_HELP = "Opens a finished test at once. Nothing is computed."
PREPARED_TITLE = "Prepared result"
PREPARED_NOTE = (
    "This test was not run just now. It was run beforehand, with the command further down, and is kept in a file of "
    "this program."
)
PREPARED_RUN = "Run the same test now"
TESTED = "{attack}, ε = {epsilon}, {guesses}"
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
LIVE = "So far **{point}** of the guesses are right (range {lower} to {upper})."
LIVE_SELECTIVE = (
    "So far this attacker said “B” about **{second}** of the reports of update B, and {first} of those of update A."
)
CANCEL = "Stop"
SECONDS, MINUTES, LESS = "{count} seconds", "{count} minutes", "a second"

# Audit: after a run
HEADLINES = {
    "above": "Broken promise",
    "too_few": "Not enough guesses to tell",
    "coin": "This attack learned nothing we can measure",
    "at": "About as far as the promise allows",
    "below": "Clearly below what the promise allows",
    "none": "Stopped before the first guess",
}
GUESSES_COUNT = ("one guess", "{count} guesses")
SEEN = (
    "An attacker who {sees} was right about which update the report came from in **{point} of {guesses}** (range "
    "{lower} to {upper}). "
    "A coin gets {coin}; the promise allows at most {promise}."
)
SEEN_OPEN = (
    "An attacker who {sees} was right about which update the report came from in **{point} of {guesses}** (range "
    "{lower} to {upper}). "
    "A coin gets {coin}; the promise allows practically all."
)
SEEN_ALL = (
    "An attacker who {sees} was right about which update the report came from **every time, in {guesses}** (range "
    "{lower} to {upper}). "
    "A coin gets {coin}; the promise allows at most {promise}."
)
SEEN_SELECTIVE = (
    "This attacker speaks up only when nearly sure. In {guesses} it said “B” about **{second}** of the reports of "
    "update B, and by mistake about {first} of those of update A. How right it is on the whole says little, so only "
    "the ε is judged."
)
AS_EPSILON = "**As an ε: at least {lower}; promised {epsilon}.** (The bound holds at {confidence} confidence.)"
STRADDLES = (
    "The estimate is above the promise, and the bound is not. The bound decides: where an attack uses all that is "
    "promised, luck alone puts the estimate above it about every other time, but the bound in at most {alarms} of "
    "{alarms_of} runs."
)
_ONE_ATTACK = (
    "This one attack does not prove the promise. A cleverer one may do better: up to what the promise allows if it "
    "holds, and beyond that if it is broken."
)
MEANING = {
    "above": "The randomizer leaks more than it claims.",
    "too_few": "This many guesses can show at most ε = {provable}, and you asked about {epsilon}.",
    "coin": _ONE_ATTACK,
    "at": "If the promise holds, nobody gets above what it allows in the long run. The range may still reach past it, "
    "because luck plays a part in a limited number of guesses. This one attack does not prove the promise: another "
    "might show that it is broken.",
    "below": _ONE_ATTACK,
    "none": "Nothing was counted.",
}
NEXT_STEPS_TITLE = "What you can do now"
REPORTS_COUNT = ("one report", "{count} reports")
NEXT_STEPS = {
    "repeat": "**Repeat the test with a new seed first**: a randomizer that keeps its promise is blamed like this in "
    "at most {alarms} of {alarms_of} runs.",
    "stop": "**If it happens again, send no more updates** through this randomizer.",
    "tell": "**Keep the result below and show it to whoever made the app**, and ask which ε they tested, and how.",
    "honest": "**Run the same test on LDP-SGD**, which keeps its promise, to see the difference.",
    "more": "**Run it again with at least {needed} guesses per pair**: fewer cannot show a leak of ε = {epsilon}.",
    "lower": "**Turn ε down, if your app lets you**: at ε = {lower} even the best attacker is right {share}.",
    "ask": "**Ask the maker of your app for its ε, and how many reports it sends in a month**: at ε = {epsilon} for "
    "each, the best attacker may be right in 95 of 100 guesses after {reports}.",
    "stronger": "**Try a stronger attacker**: attack “{attack}”, with the guessing rule “{rule}”.",
    "vendor": "**Check your app maker's own program**: this test ran the randomizer in this program, not theirs.",
    "again": "**Run it again** and let it count for a while: nothing is known yet.",
}
NEXT_LABELS = {
    "honest": "Set up this test",
    "more": "Set up this test",
    "lower": "Set up a test of that ε",
    "stronger": "Set up this test",
    "vendor": "To the page that checks programs",
    "again": "Run it again",
}
NEXT_SET_UP = "The test is set up. Press “{run}” when you are ready."
ABOVE_DEMO = "You picked the demonstration, which breaks its promise on purpose. So the test found what it should."
STOPPED = (
    "Stopped after {done} of {total}. The counts are valid. The range is the wider one that holds whenever a run is "
    "stopped."
)
LEFT = (
    "Nobody had this page open for {seconds} seconds, so the run stopped by itself. A lost connection or a device that "
    "sleeps does the same."
)
LEFT_AGAIN = "Run it again"
EXPECTED = "You expected {expected}. It was {point} ({lower} to {upper})."
NEW_SEED = "Repeat with a new seed"
SHARE_NOTE = (
    "Dashed: the promise. Coloured line: what the formula predicts for the update pairs of this run. Big marker: all "
    "guesses, with the range that fits what we saw (thick: 50 %, thin: {confidence} %). "
    "Small hollow markers: single pairs."
)
SHARE_NOTE_BLACK = (
    "Dashed: the promise. No formula predicts this rule. Big marker: all guesses, with the range that fits what we saw "
    "(thick: 50 %, thin: {confidence} %). Small hollow markers: single pairs."
)
SHARE_NOTE_DEMO = (
    "Dashed: the promise. Coloured line: what the formula predicts for an honest randomizer and these pairs. Big "
    "marker: all guesses, with the range that fits what we saw (thick: 50 %, thin: {confidence} %)."
)
SHARE_TITLE = "Right guesses"
EPSILON_TITLE = "The leak, measured as an ε"
EPSILON_NOTE = (
    "Dashed: measured = promised. Filled marker: the leak is at least this large, at {confidence} % confidence; the "
    "bar goes up to what else fits what we saw, and with many guesses ends inside the marker. Hollow marker: the "
    "estimate that the papers print, which leans high. "
    "A promise is broken only if the filled marker is above the dashed line."
)
EPSILON_NOTE_JUDGED = "For this guessing rule the verdict judges this ε alone."
POINT_MISSING = "The papers' estimate does not exist here: in {count} of {total} pairs an error never happened."
WHY = "Why this result"
WHY_GEOMETRY = (
    "Two updates are easiest to tell apart when they point in opposite directions (an angle of 180°) and both are "
    "long. Before randomness is added, a longer update is cut down to length {clip}; a shorter one gets more "
    "randomness."
)
WHY_WORST = (
    "Here they point in opposite directions and both have at least that length, so nothing stands between this attack "
    "and the limit."
)
WHY_ANGLE = "Here {angle}, so someone who always guesses falls short of the limit."
WHY_SHORT = "Here some updates are shorter than that, so someone who always guesses falls short of the limit."
WHY_SELECTIVE = (
    "Here {angle}. This attacker says “B” only of the reports that give you away, so it can still use all that ε "
    "allows."
)
WHY_BOTH = (
    "Here {angle}, and some updates are shorter than that, so someone who always guesses falls short of the limit."
)
ANGLE_ONE = "the angle is {angle}°"
ANGLES_MANY = "the angle is {angle}° on average, and pairs differ ({low}° to {high}°)"
WHY_LAW = "For these pairs the formula predicts {expected} right guesses."
WHY_BLACK = (
    "This attacker never sees your report. It sees the shared model before and after a round with {clients}, and the "
    "rule “{rule}” turns the difference into a guess. No formula predicts how often that is right."
)
WHY_BLACK_ONE = (
    " A low count says that this rule is weak, not that little leaks. With one client in a round, whoever knows the "
    "server's step computes the report back: the rule “computes the report back” does as well as if it saw it."
)
WHY_BLACK_MANY = " The other clients are the shield: their reports drown yours."
WHY_OTHER = (
    "Here another randomizer than LDP-SGD adds the randomness: “{mechanism}”. No formula of ours predicts how often "
    "this attacker is right about it. Other updates may be easier to tell apart, so a low count does not say that "
    "little leaks."
)
CLIENTS_COUNT = ("one client", "{count} clients")
PAIR = "Pair {number}"
PAIR_FACTS = "Angle {angle}°. Length of A: {first}. Length of B: {second}."
LENGTH_CUT = "{length}, cut down to {clip}"
PAIR_ALT = "update {side}, pair {number}: the image it was computed from"
PICTURES_NOTE = "The images stay in this program's memory. They are in no file unless you ask for one with images."
PICTURES_GONE = "The images were kept in memory only and are gone now."
PICTURES_PREPARED = "A prepared result comes without its images."
PICTURES_NONE = "This attack uses no image: its update is made up."
SELECTIVE_TITLE = "A low score can hide a leak"
SELECTIVE_NOTE = (
    "This attacker has to guess every time, so easy and hard reports average out. One who speaks up only when nearly "
    "sure says nothing about the hard ones, and so may come as close to the limit as ε allows, even when nobody cheats."
)
SELECTIVE_NOTE_BLACK = (
    "This attacker sees only the shared model. The server sees your report itself, and someone who speaks up only when "
    "nearly sure can use all that ε allows on it, even when nobody cheats."
)
SELECTIVE_TRY = "Choose the “nearly sure” guessing rule in the advanced settings to see it."
SELECTIVE_TRY_FILE = "To see it, run the test again with the guessing rule “nearly sure”."
STATISTICS = "The statistics"
COUNTS_TITLE = "All counts"
COUNTS_COLUMNS = ("pair", "A, guessed A", "A, guessed B", "B, guessed A", "B, guessed B", "right of 100", "formula")
COUNTS_TOTAL = "all"
ASSUMED_TITLE = "What was assumed"
ASSUMED_COLUMNS = ("setting", "value")
ASSUMED = {
    "attack": "attack",
    "epsilon": "ε (epsilon)",
    "delta": "δ (delta)",
    "prior": "update A is sent",
    "mechanism": "randomizer",
    "sampling": "reports",
    "clip_norm": "clipping length",
    "strength": "strength",
    "rule": "guessing rule",
    "clients": "clients",
    "radius": "model's length",
    "dataset": "images",
    "training": "training",
    "guesses": "guesses",
    "confidence": "confidence",
    "bound": "“at least” from",
    "spent": "may be wrong",
    "seed": "seed",
    "device": "device",
    "seconds": "seconds",
    "versions": "versions",
}
ASSUMED_DELTA = "0: the promise leaves out no report"
ASSUMED_DELTA_OPEN = "{delta}: every chance may exceed the promise by this much"
ASSUMED_PRIOR = "as often as update B"
ASSUMED_GUESSES = "{pairs} × {trials} (pairs × guesses per pair)"
ASSUMED_SPENT = "in at most {spent} of 100 runs"
ASSUMED_RADIUS = "at most {radius}"
BOUNDS = {
    "pooled": "all wrong guesses together (Clopper–Pearson)",
    "pooled_anytime": "all wrong guesses together, valid whenever a run is stopped",
    "clopper_pearson": "each kind of wrong guess by itself (Clopper–Pearson)",
    "clopper_pearson_anytime": "each kind of wrong guess by itself, valid whenever a run is stopped",
}
MANY_TITLE = "What many reports do"
MANY_TEXT = (
    "A test judges one report. An app sends many, and every further one weakens the promise. At ε = {epsilon} for each "
    "report, the best attacker may be right this often about an update that you send again and again:"
)
PROMISE_EPSILON = "ε = {epsilon}"
MANY_COLUMNS = ("reports", "right guesses, at most", "promised in all")
FORMULA_TITLE = "The formula"
FORMULA_PROMISE = (
    "**The promise.** A report R of update A and one of update B may look different, but whatever set S of reports "
    "someone watches for:"
)
FORMULA_RIGHT = (
    "So nobody who guesses between A and B, each sent equally often, is right more often than this. At ε = {epsilon} "
    "that is {share}:"
)
FORMULA_LAW = (
    "**What to expect.** With this randomizer, whoever sees the report and always guesses is right with this chance, "
    "exactly. φ (phi) is the angle between the two updates, n their lengths after clipping, L the clipping length:"
)
FORMULA_SELECTIVE = (
    "**What to expect.** With this randomizer, whoever sees the report and speaks up only when nearly sure says “B” to "
    "reports of A and of B with these chances, exactly. φ (phi) is the angle between the two updates, n their lengths "
    "after clipping, L the clipping length, and q the chance that a report is on its own update's side:"
)
FORMULA_BOUND = {
    "pooled": "**From counts to “at least”.** With w the largest share of wrong guesses that fits what we saw:",
    "clopper_pearson": "**From counts to “at least”.** With a the largest share of “B” for reports of A that fits what "
    "we saw, and b the largest share of “A” for reports of B:",
}
FORMULA_ASSUMES = (
    "Assumed: a fair coin picks A or B anew for every guess; the attacker knows A, B and the randomizer; every report "
    "has randomness of its own; {delta}; one report is judged at a time."
)
FORMULA_DELTA = "δ (delta) is 0, so the promise leaves out no report"
FORMULA_DELTA_OPEN = "δ (delta) is {delta}, and every chance may exceed the promise by this much"
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
