"""English: taking a result away as a file, and opening one again. The words of the summary itself are the core's."""

TAKE_HTML = "Download a summary"
TAKE_HTML_HELP = (
    "One page (HTML) that opens without internet and prints on paper: verdict, numbers, charts, every setting. "
    "No update and no image is in it."
)
LINK_NOTES = {
    "kept": "**To come back**: the address of this page opens this result on this device only, for as long as this "
    "program's cache folder is kept.",
    "memory": "**To come back**: the address of this page opens this result on this device only, until this program is "
    "stopped or needs the room.",
    "always": "**To come back**: the address of this page opens this example wherever this program runs.",
}
LINK_SHARE = "**To share it**: send a file. A link does not work on another device."
TAKE_IMAGES = "Offer a summary with the images of the pairs, too"
TAKE_IMAGES_OWN = "Your own images. Whoever gets that summary sees them. The JSON file never holds an image."
TAKE_IMAGES_DATA = "Images of {dataset}. The JSON file never holds an image."
TAKE_PICTURED = "Download a summary with images"
TAKE_PICTURED_HELP = "The same page, with the images of the pairs. No update is in it."
TAKE_GONE = (
    "This file cannot be made, or no longer: what it is made of is not here. It may have been in memory only, and this "
    "program was started again or needed the room. Close this tab, and run or make it again."
)
TAKE_BUSY = (
    "Other files are being made, and this one has waited for {seconds} seconds. Close this tab, and click the link "
    "again in a moment."
)

OPEN_TITLE = "Open a saved result"
OPEN_LEAD = (
    "Pick a JSON file that this program saved, here or on another device. Its charts are drawn again. "
    "The file goes no further than this device."
)
OPEN_FILE = "JSON file with a result"
OPEN_ERRORS = {
    "large": "This file is too large to be a saved result. At most {limit} MB can be opened.",
    "json": "This file is not JSON, so it is not a saved result.",
    "schema": "This JSON file is not a saved result of this program.",
    "content": "This file is not as this program saved it: something is missing, changed or contradicts itself.",
}
OPENED_TOAST = "The file is open. Its result is shown on this page."
OPENED_TITLE = "Opened from a file, not run here"
OPENED_NOTE = (
    "What you see can be trusted only as much as that file, because anyone can change a file. "
    "To check it, repeat the run on this device with the command that the summary names."
)
OPENED_PATH = "How learning moved the updates"

FOOTER_PROOF = (
    "To check: cut this device off from the internet. Everything goes on, only images that you allow to be downloaded "
    "do not come. Usage statistics are off. Versions: {versions}."
)
