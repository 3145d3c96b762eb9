"""English: names and settings that more than one page offers."""

from ldp_core.words import attacks, datasets, distinguishers, mechanisms

# Attacks and guessing rules
ATTACK = "Attack"
ATTACK_HELP = "Each attack prepares update A and update B in its own way."
ATTACK_RECOMMENDED = "Recommended for a first test."
ATTACK_MARK = " · recommended"
ATTACK_OTHERS = "All attacks, by who must cheat"
ATTACK_GROUPS = {
    "nobody": "Nobody cheats",
    "data": "Somebody with access to your data",
    "app": "Whoever made or changed your app",
    "both": "The server and the maker of your app, together",
}
ATTACKS = attacks("en")
CARD_TITLE = "About the attack: {attack}"
CARD_ROWS = ("Who must take part", "What it changes", "How realistic", "How close to the promise")
CARD_PAPER = "The papers measured {share} at ε = {epsilon}, where {promise} were allowed."
CARD_SELECTIVE = (
    "This rule speaks only when nearly sure. It can use all that ε allows with every attack whose updates are as long "
    "as the clipping length, also when nobody cheats."
)
CARD_BLACK = "This attacker sees only the shared model. No formula says how far it gets: run it and see."
DISTINGUISHERS = distinguishers("en")
SEES = {"white": "sees your report", "black": "sees only the shared model"}
RULE_UNFIT = (
    "The rule “{rule}” means nothing here: {reason}. Choose another guessing rule, attack or number of clients."
)
RULE_UNFIT_SIMULATION = (
    "The rule “{rule}” looks at whole reports or models, which the simulation does not build. Choose “real reports”."
)
MECHANISM_UNFIT = (
    "This randomizer adds other randomness than LDP-SGD does. Choose a guessing rule that sees the report, and “real "
    "reports”; or choose LDP-SGD."
)
DISTINGUISHER = "Guessing rule"
DISTINGUISHER_HELP = (
    "“Always guesses” picks the update whose direction is closer to the report. “Nearly sure” says B only "
    "for the few reports that give it away, and A otherwise. It finds leaks that an average hides. "
    "The other rules never see the report: they look at the shared model before and after the round."
)
DISTINGUISHER_ACCESS = "This attacker must know {access}."
CLIENTS = "Clients in the round"
CLIENTS_HELP = (
    "The server mixes the reports of this many devices before anyone sees the model. The others are honest and have "
    "images of their own."
)
RADIUS = "Largest length of the model"
RADIUS_HELP = "Called ‖C‖ in the papers, which do not say how large it was."
RADIUS_NOTE = (
    "The server keeps the model's length below this. Empty: three times the length of the model it sent. A larger one "
    "makes the server's steps longer, and who compares losses sees less."
)
RADIUS_EMPTY = "three times the model's length"
STRENGTH = "Strength of the attack"
ADVANCED = "Advanced settings"
DATASET = "Images"
DATASET_HELP = "The built-in digits need no download. The others lie in a folder on this device or are downloaded."
DATASETS = datasets("en")
DATA_DIR = "Folder that holds {places}"
DATA_DIR_HELP = "A folder on this device. Leave it empty to use this program's own cache folder."
DOWNLOAD = "Download {names} if missing"
DOWNLOAD_HELP = "Fetches about {size} MB from the internet. Nothing is fetched unless you tick this."
OWN_FOLDER = "Folder (or .zip file) with your own images"
OWN_FOLDER_HELP = "One subfolder for each label, such as cats and dogs. At least 20 images and 2 labels."
OWN_UPLOAD = "or a .zip file of such a folder"
OWN_NOTE = (
    "Your images are read into this program's memory on this device and dropped when the run ends. "
    "They are not sent anywhere and not saved."
)
OWN_MISSING = "Name a folder with your own images, or pick a .zip file."
TRAINING = "How far the shared model is trained"
TRAINING_HELP = "A trained model gives shorter updates for images it knows well, and those are harder to tell apart."
TRAININGS = {"none": "not at all", "light": "lightly (85 of 100 images right)", "full": "fully (20 passes)"}
CLIP_NORM = "Clipping length"
CLIP_NORM_HELP = "Longer updates are shortened to this length. Shorter ones get more randomness. Papers: 1."
CONFIDENCE = "Confidence in %"
CONFIDENCE_HELP = "95 means: a range misses the truth in at most 5 of 100 runs. Higher makes ranges wider."
TRIALS = "Guesses per pair"
TRIALS_HELP = "More guesses give narrower ranges and can show larger leaks. Time grows in step."
MEASUREMENTS = "Pairs"
MEASUREMENTS_HELP = "Each pair is a new update A and update B. The papers use 10."
SEED = "Seed"
SEED_HELP = "The same seed repeats a run guess by guess. Empty: a fresh one for each run, shown with the result."
SEED_EMPTY = "a fresh one"
SAMPLING = "How reports are made"
SAMPLING_HELP = (
    "“Real reports” builds every report as your device would. “Simulation” draws only the few numbers the attacker "
    "looks at, from our own formula for this randomizer: fast, but it cannot find a mistake in the randomizer."
)
SAMPLINGS = {"full": "real reports", "projected": "simulation of our own randomizer"}
UNUSED_IMAGES = "The made-up update comes from no image. Images and training do not matter here."
MECHANISM = "Randomizer"
MECHANISM_HELP = "The part that adds randomness on your device."
MECHANISMS = mechanisms("en")
RUN = "Run the test"
RUN_AGAIN = "Run with these settings"

# The picture of device, network and server; a line break in a part starts its second line
BOUNDARY_TITLE = "Where randomness is added"
BOUNDARY_ZONES = ("Your device", "Network", "Server")
BOUNDARY_PARTS = {
    "images": "image",
    "labels": "label",
    "parameters": "model",
    "gradient": "update",
    "randomness": "randomness is added",
    "reports": "reports of\nmany devices",
    "server": "shared model",
}
BOUNDARY_REPORT = "report"
BOUNDARY_TOUCHED = "Changed by this attack"
BOUNDARY_WATCHED = {
    "white": "The attacker looks at your report",
    "black": "The attacker looks at the shared model only",
}
BOUNDARY_AND = ", "
BOUNDARY_ALT = (
    "On your device, an image, its label and the shared model make an update. Randomness is added to it there. "
    "Only the report crosses the network. The server makes the next shared model from reports of many devices."
)
BOUNDARY_ALT_TOUCHED = "This attack changes: {parts}."
