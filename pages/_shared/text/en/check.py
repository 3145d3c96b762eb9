"""English: the page that checks a mechanism which somebody else wrote. The exam's sentences are the core's."""

from ldp_core.claims import CLAUSES as _CLAUSES

# Check: choose
NAV_CHECK = "Check somebody else's program"
CHECK_TITLE = "Check somebody else's program"
CHECK_LEAD = (
    "A page for experts. A mechanism is the program that adds randomness to your update. Whoever made it claims an ε "
    "(epsilon) for it: a limit on how often anyone can tell which of two updates was sent. This page asks the "
    "mechanism for many reports, tries to show that they leak more than the claim allows, and looks for other faults."
)
CHECK_WAYS_TITLE = "Three ways to bring a mechanism"
CHECK_WAYS_LEAD = (
    "This page runs no code that others wrote, and has no field for any. Such code runs on your own command line, or "
    "where its maker is."
)
CHECK_WAYS = {
    "files": "**Files.** You make a challenge, the maker lets the mechanism answer it anywhere, and you judge the "
    "answers on this page or with these commands:",
    "python": "**Code in Python.** Whatever has `randomize(gradient)`, in a module that this device can import:",
    "command": "**Any program, in any language.** It reads updates and writes reports, line by line:",
}
CHECK_WAY = "What is checked?"
CHECK_WAY_NAMES = {"builtin": "See one caught", "files": "Check from files"}
CHECK_WAY_NOTES = {
    "builtin": "One of ours, honest or faulty on purpose. It runs on this device.",
    "files": "Somebody else's. Nothing of it runs here.",
}
CHECK_SUBJECT = "Mechanism"
CHECK_SUBJECT_HELP = "Each of the faulty ones claims one thing and does another, so that you can see a check catch it."
CHECK_FAULTY = "FAULTY ON PURPOSE: {name}"
CHECK_HONEST_NOTE = "**Honest, as far as we know.** {text}"
CHECK_FAULTY_NOTE = "**Faulty on purpose.** {text}"
CHECK_FAULTS = {
    "overclaiming": ("too little randomness", "It leaks more than it claims."),
    "faulty-five-percent": ("leaks 5 % more", "It leaks 5 % more ε than it claims."),
    "faulty-ten-percent": ("leaks 10 % more", "It leaks 10 % more ε than it claims."),
    "faulty-twenty-percent": ("leaks 20 % more", "It leaks 20 % more ε than it claims."),
    "faulty-twice-epsilon": ("leaks twice as much", "It leaks twice the ε that it claims."),
    "faulty-honest-for-the-dummy": (
        "behaves when watched",
        "It keeps its claim for one made-up update that testers like to use. For all others it leaks twice that.",
    ),
    "faulty-fair-start": (
        "behaves at first",
        "It keeps its claim for its first 10,000 reports. After that it leaks twice that.",
    ),
    "faulty-laplace-l2": (
        "Laplace, too small",
        "Its random numbers are too small: they fit another way of measuring how far two updates are apart.",
    ),
    "faulty-gaussian-sensitivity": (
        "Gaussian, too small",
        "Its random numbers are half as large as they must be: two updates can be twice as far apart as it thinks.",
    ),
    "faulty-no-clipping": (
        "clipping left out",
        "It does not cut a long update down first. The longer an update, the less its random numbers hide it.",
    ),
    "faulty-mirrored-coin": (
        "wrong way round",
        "Its coin falls the wrong way, so the mean of its reports points away from the update. It leaks no more than "
        "it claims, but it does harm.",
    ),
    "faulty-no-norm-projection": (
        "length forgotten",
        "It treats every update as if it were a long one, so the server learns too much from the short ones.",
    ),
    "faulty-pure-noise": (
        "nothing but randomness",
        "Its reports have nothing to do with the update: private, and useless.",
    ),
    "faulty-seed-at-start": (
        "same start",
        "Whenever it starts, its random numbers are the same. Whoever has the program can take them off again.",
    ),
    "faulty-seed-each-call": ("same every time", "Its random numbers are the same for every report."),
    "faulty-counter-seed": (
        "counts instead of chance",
        "Its random numbers follow from how many reports it has sent, so whoever can count knows them.",
    ),
    "faulty-cached-noise": ("repeats itself", "It sends the same report again for an update that it has seen before."),
    "faulty-shared-noise": (
        "draws only once",
        "It draws its random numbers once, when it starts, and adds the same ones to every update.",
    ),
    "faulty-memory": ("remembers", "It mixes your update with the one before, so a report tells of both."),
    "faulty-low-order-bits": ("last digits tell", "The last digits of its reports tell where your update is zero."),
    "faulty-length-tells": ("size shows", "Its reports are larger for an update that was too long."),
    "faulty-now-and-then-nan": ("now and then no number", "One report in a hundred holds something that is no number."),
}
CHECK_EPSILON = "Claimed ε"
CHECK_EPSILON_HELP = "What the maker says. Any value from {low} to {high}."
CHECK_DELTA = "Claimed δ (delta)"
CHECK_DELTA_HELP = "0 unless the maker names one: the chance with which the claim need not hold."
CHECK_DIMENSION = "Numbers in an update"
CHECK_DIMENSION_HELP = (
    "1 is a single number. More numbers take more time. A leak shows as well with few, unless it hides in one of them."
)
CHECK_REPORTS = "Reports, at most"
CHECK_REPORTS_HELP = "More reports catch a smaller excess. A check stops as soon as the claim is rejected."
CHECK_ORDER = "Clipping"
CHECK_ORDER_HELP = "What the clipping length limits before randomness is added."
CHECK_ORDERS = {"l2": "the length of the whole update", "linf": "each number of the update by itself"}
CHECK_SCALE = "Factor on reports"
CHECK_SCALE_HELP = (
    "If the maker names a number that makes the mean of many reports the update itself, the check looks whether it "
    "does."
)
CHECK_REPORT_NORM = "Largest length of a report"
CHECK_REPORT_NORM_HELP = "If the maker names one, the check looks for reports beyond it."
CHECK_UNSTATED = "not stated"
CHECK_CONFIDENCE_HELP = (
    "95 means: an honest mechanism is blamed in at most 5 of 100 checks. Higher blames fewer, and catches less."
)
CHECK_SEED_HELP = (
    "The same seed repeats a check of one of ours number by number. Empty: a fresh one each time, shown with the "
    "result."
)
CHECK_PLAN = "At most {reports} reports, roughly {seconds} on this device."
CHECK_PLAN_FILES = "At most {reports} reports of {dimension} numbers each."
CHECK_PLAN_WAIT = "What that would catch is being worked out."
CHECK_PLAN_CATCHES = (
    "A leak of ε = {detectable} or more would be caught with 95 % chance, if it shows on which side a report is."
)
CHECK_PLAN_NOTHING = "So few reports cannot catch any excess over ε = {epsilon}. Take more."
CHECK_PLAN_HELP = (
    "It must show on one of the pairs of updates that the check tries. Leaks that show in another way need more "
    "reports; the result says how many."
)
CHECK_RUN = "Check it"
CHECK_AGAIN = "Your next check"
CHECK_PREVIEW_TITLE = "What will be asked"
CHECK_PREVIEW = "First an exam of plain questions, then a privacy test that stops as soon as the claim is rejected."
CHECK_GONE = "This link points to a check that this device no longer has. Run it again to get a new result."

# Check: files
CHECK_MAKE_TITLE = "1. Make a challenge"
CHECK_MAKE_LEAD = (
    "Set what the maker claims, and make two files. Give the challenge to the maker. Keep the key to yourself: whoever "
    "knows it can prepare for the check, and without it the answers cannot be judged."
)
CHECK_MAKE = "Make the challenge"
CHECK_MADE = (
    "A challenge for ε = {epsilon}: at most {reports} reports of {dimension} numbers. The two files belong together."
)
CHECK_ANSWERING = "What the maker runs, for example in Python. `randomize` is the mechanism:"
CHECK_CHALLENGE, CHECK_KEY = "Download `challenge.npz`", "Download `key.json`"
CHECK_CHALLENGE_HELP = (
    "For the maker: `gradients`, and in `order` which of them each report is to be of. The answers go into "
    "`responses.npz`, as an array `reports` in that order."
)
CHECK_KEY_HELP = "For you alone. Whoever has it before answering can prepare for the check."
CHECK_JUDGE_TITLE = "2. Judge the answers"
CHECK_JUDGE_LEAD = (
    "Pick the maker's answers and your key. Both stay in this device's memory until the check has ended and you have "
    "removed them here or closed this page. No name of a file and none of the answers is written down. At most {limit} "
    "MB can be read."
)
CHECK_RESPONSES_FILE, CHECK_KEY_FILE = "`responses.npz`, from the maker", "`key.json`, your own"
CHECK_JUDGE = "Judge the answers"
CHECK_FILE_SUBJECT = "answers from a file"
CHECK_FILE_ERRORS = {
    "key": "This is no key of this program, one of another version, or one that was changed after it was made. Pick "
    "the `key.json` of this challenge, as you downloaded it.",
    "responses": "These answers do not fit the key. The file must be an .npz file with one array named `reports`, of "
    "one row of plain numbers for each entry of the challenge's `order`, and unpacked it may have at most "
    "{limit} MB. Answers to another challenge do not fit either.",
}
CHECK_OLD_KEY = (
    "This key is of an earlier version, which did not bind it to its claim: nobody can see whether something in it was "
    "changed since, nor whether these answers belong to its challenge."
)

# Check: on its way
CHECK_STAGES = {
    "exam": "The exam: {done} of {total} reports",
    "privacy": "The privacy test: {done} of at most {total} reports",
}
CHECK_LIVE = "So far the leak is **at least ε = {lower}**. The claim is ε = {epsilon}."

# Check: verdict
CHECK_HEADLINES = {
    "rejected": "Claim rejected: it leaks more than it claims",
    "broken": "Broken, though the privacy test did not reject the claim",
    "kept": "Claim not rejected",
    "unusable": "Broken: its reports cannot be judged",
    "none": "Stopped before anything was found",
}
CHECK_TESTED = "{subject}, claimed ε = {epsilon}, {reports} reports"
CHECK_TESTED_DELTA = "{subject}, claimed ε = {epsilon}, δ = {delta}, {reports} reports"
CHECK_REJECTED = (
    "Someone who {rule} told this pair apart too well: {pair}. That takes a leak of **at least ε = {lower}**. The "
    "claim is ε = {epsilon}."
)
CHECK_SHARE = (
    "It was right in {point} of {guesses} guesses (range {lower} to {upper}, for this count alone). The claim allows "
    "at most {promise}."
)
CHECK_SHARE_SPOKEN = (
    "It spoke up for {guesses} of {reports} reports, and was right in {point} of these guesses (range {lower} to "
    "{upper}, for this count alone). The claim allows at most {promise}."
)
CHECK_FAILED = ("One question of the exam found a fault.", "{count} questions of the exam found a fault.")
CHECK_CATCHES = "**Not rejected is no proof.** With 95 % chance, this check would have caught a leak of {items}."
CHECK_CATCHES_ITEM = "**ε = {epsilon}** or more that shows {leak}"
CHECK_CATCHES_NOTHING = (
    "**Not rejected is no proof.** What this check would have caught is above ε = 30, or not known. More reports catch "
    "more."
)
CHECK_CATCHES_UNKNOWN = "What it would have caught of a leak that shows {leaks} is above ε = 30, or not known."
CHECK_CATCHES_NEEDED = "To catch a leak of ε = {epsilon} takes about {items}."
CHECK_CATCHES_REPORTS = "{reports} reports where it shows {leak}"
CHECK_CATCHES_REST = "Of leaks that show in another way, or for other updates than those tried here, it says nothing."
CHECK_CATCHES_FIRST = (
    "**Not rejected is no proof.** This result is of an earlier version, which stated too much about what it would "
    "have caught. Check again to know."
)
CHECK_LEAKS = {
    "side": "on which side a report is",
    "tail": "in a tail of the noise",
    "learned": "in a region that must be learned",
}
CHECK_STOPPED = (
    "Stopped after {done} of at most {total} reports. What was found is valid. **Not rejected is no proof.** A check "
    "cut short may have missed even a large leak."
)
CHECK_STOPPED_NOTHING = "Stopped after {done} of at most {total} reports. What was found is valid."
CHECK_UNUSABLE = "The privacy test was not possible. The exam below says why."
CHECK_TODO = (
    "**What to do.** Check it again first, with a new seed or a new challenge: an honest mechanism is blamed like this "
    "in at most {alarms} of {alarms_of} checks. If it happens again, send no more updates through "
    "it, keep the result below, and show it to whoever made the mechanism."
)
CHECK_FOUND_FAULT = "This one is faulty on purpose. {fault} The check found it."
CHECK_MISSED_FAULT = (
    "This one is faulty on purpose. {fault} This check missed it: it did not show in so few reports. Take more, and "
    "see."
)
CHECK_BLAMED = (
    "This one is honest, as far as we know. By bad luck, an honest one is blamed in at most {alarms} of {alarms_of} "
    "checks. Check it again with a new seed."
)
CHECK_NEXT = {
    "none": "**What you can do now.** Check it again, and let it go on for a while: nothing is known yet.",
    "kept": "**What you can do now.** Check again with more reports, which catch a smaller excess. And ask the maker "
    "how many reports the app sends in a month: every one of them leaks again.",
    "ours": "**What you can do now.** Check a mechanism that is not ours: “Three ways to bring a mechanism” on the "
    "page that checks says how.",
}
CHECK_EXAM_TITLE = "The exam"
CHECK_EXAM_COUNT = "No fault found: {kept}. Fault found: {broken}. Not answered: {unasked}."
CHECK_ANSWERS = {
    "kept": "no fault found",
    "broken": "fault found",
    "unasked": "not answered",
    "waiting": "still to come",
}
CHECK_UNASKED = "The check ended before this was asked."
CHECK_CLAUSES = {name: (clause.title, clause.question, dict(clause.findings)) for name, clause in _CLAUSES.items()}
CHECK_TEST_TITLE = "The privacy test"
CHECK_TEST_NOTE = (
    "Each mark: the leak is at least this large. Filled: more than the claim. Dashed: the claim. All marks hold "
    "together with {confidence} % confidence."
)
CHECK_TEST_CHOSEN = "Only the pairs that showed most are judged."
CHECK_LOOKS_TITLE = "All counts of the privacy test"
CHECK_LOOKS_COLUMNS = (
    "pair", "guessing rule", "round", "learned from", "right", "wrong", "no guess", "at least ε",
)  # fmt: skip
CHECK_TRIED_TITLE = "The pairs of updates that were tried"
CHECK_TRIED_COLUMNS = ("pair", "what it is", "lengths, full = 1", "degrees apart", "reports")
CHECK_PAIRS = {
    "dummy-flip": "a made-up update of equal numbers, and its opposite",
    "random-directions": "two updates of random directions",
    "coordinates": "two updates of one number, plus and minus",
    "near-equal": "two nearly equal updates",
    "zero-and-full": "an update of zeros, and one of full length",
    "random-flip": "an update of a random direction, and its opposite",
    "short-flip": "an update of ¾ of the full length, and its opposite",
    "half-flip": "an update of half the full length, and its opposite",
    "quarter-flip": "an update of ¼ of the full length, and its opposite",
    "short-dummy": "a made-up update of equal numbers, ¾ of the full length, and its opposite",
    "sparse-flip": "an update of few numbers, zero elsewhere, and its opposite",
    "short-coordinates": "two updates of one number, plus and minus, ¾ of the full length",
    "uneven-flip": "an update of full length, and its opposite at ¾ of it",
    "two-lengths": "an update of full length, and the same at half of it",
    "zero-and-short": "an update of zeros, and one of ¾ of the full length",
    "own": "your own pair {number}",
    "refined": "the pair “{parent}”, changed a little by this check",
}
CHECK_RULES = {
    "cosine": "always picks the closer update",
    "selective": "speaks up only when nearly sure",
    "tail": "picks the closer update, but only for reports far out",
    "learned": "has learned from other reports",
}
CHECK_REPEAT = "This command repeats the check number by number (seed {seed}):"
CHECK_REPEAT_FILES = "To repeat this check, make a new challenge, and let the maker answer it."
CHECK_LIMITS = (
    "**A lower limit.** No check can prove a claim; it can only catch a broken one. A fault that shows in no pair and "
    "no question stays unseen.",
    "**What answered.** A program that knows it is being watched may behave. Check the one that your app really uses.",
    "**One report.** Each further report leaks again, and the leaks add up.",
)
