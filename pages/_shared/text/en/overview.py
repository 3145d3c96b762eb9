"""English: the page on what ε promises."""

# Overview: the first screen
OVERVIEW_TITLE = "What ε (epsilon) promises"
OVERVIEW_PROMISE = {  # one sentence; what an update is comes with its picture, in step 1
    "times": "An attacker sees what your device sends, and guesses whether you labelled a photo “cat” or “dog”: of 100 "
    "such guesses, even the best attacker is right **at most {right} times**.",
    "percent": "An attacker sees what your device sends, and guesses whether you labelled a photo “cat” or “dog”: even "
    "the best attacker is right in **at most {right}** of such guesses.",
    "open": "An attacker sees what your device sends, and guesses whether you labelled a photo “cat” or “dog”: here "
    "the best attacker may be right **practically every time**.",
}
OVERVIEW_COIN = "Tossing a coin"
OVERVIEW_BEST = "The best attacker"
OVERVIEW_ALT = "{title}: {share} guesses right"
OVERVIEW_RIGHT = "{share} right"
OVERVIEW_SYMBOLS = {"one": ("●", "✕"), "many": ("■", "□")}
OVERVIEW_LEGEND = ("right guess", "wrong guess")
OVERVIEW_GO = "Test it on this device"

# Shares
SHARE_OPEN = "nearly 100 %"
AT_MOST = "at most {share}"

# The story's steps
STORY_FORMULA = "For experts: the formula"
STORY_FORMULA_COMMAND = "For experts: the formula, and how to repeat these numbers"
STORY_COMMAND = "This command repeats the numbers above, with the same seed of all randomness ({seed}):"

# Step 1
DEVICE_TITLE = "1. What would leave your device"
DEVICE_TEXT = (
    "An app wants to improve a **shared model**, a program that all devices train together. Your device looks at a "
    "picture of yours and works out how the model should change to get it right. That is your **update**: thousands of "
    "numbers, drawn here as coloured dots. Your device adds randomness to it. Only the result, your **report**, "
    "leaves. Nothing is sent from this page: it only shows what an app would send."
)
DEVICE_PICK = "Choose a picture"
DEVICE_AGAIN = "Make another report"
DEVICE_ZONES = ("Your device", "The network", "The server")
DEVICE_CAPTIONS = ("your picture", "your update", "your report")
DEVICE_RANDOMNESS = "adds randomness"
DEVICE_LINE = "Only the report crosses this line."
DEVICE_ATTACKER = "An attacker may look here: whoever taps the connection, or the server itself."
DEVICE_SERVER = "The same report arrives. The server mixes it with many others to improve the shared model."
DEVICE_IMAGE_ALT = "A handwritten {label}."
DEVICE_OWN_ALT = "Your own picture, brought to 28 by 28 dots, labelled {label}."
DEVICE_UPDATE_ALT = "Its update: {count} numbers as coloured dots. Patterns can be seen: they come from the picture."
DEVICE_REPORT_ALT = "The report: {count} numbers as coloured dots, mixed without any pattern."
DEVICE_FINDING = (
    "**The report looks like noise, whatever ε is, and yet it tells something.** An attacker can use the side on "
    "which the "
    "report falls: the side to which your update points, or the opposite side."
)
DEVICE_SIDE = {
    "near": "● This report falls on your update's side.",
    "far": "✕ This report falls on the opposite side.",
}
DEVICE_SHARE = "At ε = {epsilon}, the share of such reports that fall on its side is {share} in the long run."
DEVICE_FORMULA_TEXT = (
    "The update is the gradient of the loss for one image x with label y at the shared model θ (theta). The report is "
    "a unit vector, drawn evenly from one half of the sphere. In d = {count} dimensions even a report on the near side "
    "is almost at a right angle to the update, at every ε; only the sign of the angle's cosine depends on ε. The "
    "pictures show public digits and a lightly trained model; colours run from blue (below zero) to orange (above "
    "zero)."
)

# Step 1, a picture of the client's own
GLIMPSE_TITLE = "Try it with a picture of your own"
GLIMPSE_TEXT = (
    "The picture is brought to the size that the model knows: 28 by 28 dots in grey. Its update is then computed here. "
    "Picture and update stay in this program's memory; they are not written to any file."
)
GLIMPSE_UPLOAD = "A picture (PNG or JPEG)"
GLIMPSE_LABEL = "Which digit does it show?"
GLIMPSE_LABEL_GUESS = "Let the model say"
GLIMPSE_START = "Compute its update"
GLIMPSE_LABELLED = {
    "given": "You labelled it {label}. The model takes it for {guess} and is {sure} sure.",
    "guessed": "The model takes it for {guess} and is {sure} sure. That was used as its label.",
}
GLIMPSE_DIGITS = "This model only knows digits: whatever a picture shows, it names one."
GLIMPSE_INVERTED = (
    "Your picture is dark on light. It was inverted, because the model learned light digits on a dark ground."
)
GLIMPSE_GONE = "This picture's update was dropped. Compute it again."

# Step 2
RANDOMIZER_TITLE = "2. How the randomness is added"
RANDOMIZER_TEXT = (
    "Think of your update as an arrow. Your device tosses a coin in secret. The coin is loaded by ε, and it picks a "
    "side: the arrow's or the opposite one. Your report is a random point on that side."
)
RANDOMIZER_MORE = "More: a second coin for short updates"
RANDOMIZER_MORE_TEXT = (
    "How long an update is could tell something too, so all reports have the same length. For that, another coin is "
    "tossed first. It brings the arrow to full length; the shorter the update, the more often it is turned around on "
    "the way."
)
RANDOMIZER_LENGTH = "Length of your update"
RANDOMIZER_LENGTH_HELP = (
    "1 is the clipping length: longer updates are cut to it. At 0.5, this coin turns the arrow around 25 times of 100."
)
RANDOMIZER_ONE = "Make one report"
RANDOMIZER_MANY = "Make 200"
RANDOMIZER_RESET = "Start over"
RANDOMIZER_SPHERE = "Show it in three dimensions"
RANDOMIZER_COUNT = "**{near} of {sent}** reports fall on your update's side. In the long run it is **{share}**."
RANDOMIZER_NONE = "No report is made yet. In the long run **{share}** fall on your update's side."
RANDOMIZER_FULL = "That is enough: more reports do not fit into the picture."
RANDOMIZER_LAST = {
    "near": "The last report, with the arrow, falls on your update's side.",
    "far": "The last report, with the arrow, falls on the opposite side.",
    "kept_near": "The last report: the arrow kept its direction, and the point falls on your update's side.",
    "kept_far": "The last report: the arrow kept its direction, but the point falls on the opposite side.",
    "turned_near": "The last report: the arrow was turned around, but the point falls on your update's side after all.",
    "turned_far": "The last report: the arrow was turned around, and the point falls on the opposite side.",
}
RANDOMIZER_DOTS = (
    "Every report falls on the circle itself. The small dots stand a little inside or outside it only so that they do "
    "not hide each other."
)
RANDOMIZER_REDRAWN = "When you move a slider, all these reports are made again with the new setting."
RANDOMIZER_FINDING = {
    "none": "**At length 0 the reports tell nothing, whatever ε is.** The coin for the length alone decides, and half "
    "of the reports fall on each side.",
    "short": "**One report tells little, because it may fall on either side.** The larger ε is, the more reports fall "
    "on your update's side. The shorter the update is, the closer that comes to half of them.",
    "full": "**One report tells little, because it may fall on either side.** The larger ε is, the more reports fall "
    "on your update's side, and the more they tell.",
}
RANDOMIZER_FORMULA_TEXT = (
    "Here n is the update's length, L the clipping length and q the share of reports on the update's side. At n ≥ L it "
    "is the promise itself. This is LDP-SGD; it works the same way in every number of dimensions."
)

# Step 3
GAME_TITLE = "3. What an attacker can do"
GAME_TEXT = (
    "Two updates, A and B, could be sent. Say **update A** comes from a photo that you labelled “cat”, and **update "
    "B** from the same photo, labelled “dog”. Whoever can tell which one you sent knows your label. Play the attacker "
    "yourself: a fair coin picked A or B, and one report of it was sent. You see both updates and the report, but not "
    "the coin. Which update was it?"
)
GAME_ROUND = "Report {number} of {total}"
GAME_GUESS = {"A": "It was A", "B": "It was B"}
GAME_NEXT = "Next report"
GAME_AGAIN = "Play again"
GAME_RESULT = {"right": "● Right: it was update {sent}.", "wrong": "✕ Wrong: it was update {sent}."}
GAME_SCORES = ("You", "The best attacker", "The promise")
GAME_SCORE = "{right} of {done} right"
GAME_SCORE_NONE = "no guess yet"
GAME_PROMISE = "{share}, in the long run"
GAME_LUCK = (
    "In ten guesses luck matters much. How the best attacker guesses is told after the tenth report: find out first."
)
GAME_BLIND = (
    "Whoever had always said “{side}”, without looking, would have been right {right} times: that is luck. In the long "
    "run it is 50 of 100."
)
GAME_TACTIC = "The best attacker names the update on whose side the report falls. Nobody can do better in the long run."
GAME_SAME = (
    "So in the long run the attacker is right as often as a report falls on its update's side. That is why the number "
    "at the top, the share in step 2 at full length and the promise here are the same: {share}."
)
GAME_SUMMARY = (
    "**You were right {you} times of {total}, the best attacker {attacker} times.** The promise allows {share} in the "
    "long run; in ten guesses luck can lift a score above it or push it below."
)
GAME_MANY = "Let the attacker guess 1,000 times"
GAME_MANY_RESULT = (
    "In {guesses} guesses the best attacker was right **{right} times**. The promise allows {share} in the long run. "
    "The more guesses, the less luck matters."
)
GAME_FORMULA_TEXT = (
    "A report's probability depends on nothing but its side. So the side holds everything there is to know, and the "
    "best guess follows it. No rule, with any knowledge and any computer, is right more often about any two updates."
)

# Step 4
PROMISE_TITLE = "4. What the promise is"
PROMISE_TEXT = (
    "The promise limits every attacker, however clever, and whatever your update is. It is a limit in the long run: "
    "not a forecast for one guess."
)
OVERVIEW_CURVE = "Every ε at once"
OVERVIEW_CURVE_TEXT = (
    "The dashed line is the promise: if it holds, no attacker, however clever, gets above it in the long run. Real "
    "attacks may stay below. How close do they come? That is what the test measures."
)
BELIEF_TITLE = "If they suspect you already"
BELIEF_TEXT = (
    "An attacker may have a suspicion before your report arrives. The report can make it stronger, up to a limit."
)
BELIEF_SLIDER = "How sure is the attacker beforehand? (of 100)"
BELIEF_SLIDER_HELP = "50 means: no idea which of the two updates it will be."
BELIEF_RESULT = "Before the report: {before} of 100 sure. After one report: **{share}**."
ROUNDS_TITLE = "If you report again and again"
ROUNDS_TEXT = (
    "**The promise is made for one report, and every report spends it again.** For {reports} reports at ε = {epsilon} "
    "together it is leakier: ε = {total}. That sum covers the worst case: all of them fall on one side. Reports on "
    "different sides cancel each other out. So the best attacker, who follows the majority, is right less often than "
    "one report at ε = {total} would allow."
)
ROUNDS_COLUMNS = ("reports", "promised in all", "the best attacker is right, at most")
ROUNDS_PROMISED = "ε = {epsilon}"
VALUES_TITLE = "What common values mean"
VALUES_TEXT = (
    "There is no right value. It depends on how much you mind that somebody finds out, and on how many reports you "
    "will send."
)
VALUES_COLUMNS = (
    "ε",
    "right guesses about one report, at most",
    "a suspicion of 10 % grows to at most",
    "reports until 95 % of guesses are right",
)
PROMISE_FORMULA_TEXT = (
    "R is the randomizer, g and g′ any two updates, S any set of reports. From it follow the right guesses c between "
    "two equally likely updates, the belief after a report with π (pi) the belief before it, and for T independent "
    "reports Tε in place of ε. The best attacker takes the majority of T guesses."
)

# Beside step 1, and at the end
WHO_SEES_TITLE = "Who sees what"
WHO_SEES = (
    ("Your device", "your data, your update, and the report"),
    ("The network", "the report, if the connection is tapped"),
    ("The server", "the report, and the model it sent you"),
    ("Other people's devices", "the next shared model, made from many reports"),
)
WHO_SEES_NEVER = (
    "An app that works as described sends only the report: your data and your update stay on your device. ε cannot "
    "stop an app that sends more."
)
LIMITS_TITLE = "What this does not tell you"
LIMITS = (
    "**One report.** Each further report leaks again: two reports at ε = 1 together promise only ε = 2.",
    "**An attacker who knows both updates.** The one in this game does, and guesses between them. "
    "Most real attackers know less.",
    "**This way of adding randomness.** It is the one called LDP-SGD; another app may use something else.",
    "**Not what people can guess about you anyway.** If everybody like you clicks the same button, "
    "ε does not hide that you probably do too.",
)

# Which ε known systems use
KNOWN_TITLE = "Which ε known systems use"
KNOWN_TEXT = (
    "**These values cannot be compared one to one.** They protect different things, for different spans of time, and "
    "add up in different ways. Where each device adds the randomness, nobody else has to be trusted; where the "
    "collector adds it, the collector sees the true data. A second number, δ (delta), is how likely the promise may "
    "fail to hold."
)
KNOWN_SOURCES = (
    "Each row was read in one file of the OpenDP Deployments Registry, `{registry}`, as of 15 July 2026; its board had "
    "not yet reviewed them. The last column is the publication that this file names: we did not open it."
)
KNOWN_COLUMNS = ("who", "what is protected", "ε", "who adds the randomness", "where we read it", "publication")
KNOWN_PER = "{epsilon} per {per}"
KNOWN_DELTA = ", δ = {delta}"
KNOWN_MODELS = {"local": "each device", "central": "the collector"}
KNOWN_WHO = {  # as they call themselves
    "Microsoft": "Microsoft",
    "Apple": "Apple",
    "U.S. Census Bureau": "U.S. Census Bureau",
    "LinkedIn": "LinkedIn",
}
KNOWN = {
    "telemetry": ("how long an app of Windows is used", "device and six hours"),
    "health": ("which kinds of health data are recorded", "record"),
    "emoji": ("which emoji are typed", "emoji typed"),
    "housing": ("homes in the 2020 census, tables for voting districts", "home"),
    "persons": ("people in the 2020 census, tables for voting districts", "person"),
    "engagement": ("which posts members read and like", "member and month"),
}

# The other pages, in the words of the menu
OTHERS_TITLE = "Where to go from here"
OTHERS = {
    "audit": "**One attack.** Watch it guess on this device, and see how close it comes to what ε allows.",
    "compare": "**All attacks** beside each other, and **what privacy costs**: how much worse a model learns at a "
    "smaller ε. For experts.",
    "check": "**Somebody else's program**, such as the one in your bank's app: does it keep the ε that its maker "
    "claims? You need the program, or its maker's help. For experts.",
}
