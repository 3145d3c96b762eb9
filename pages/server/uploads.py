"""Files that a visitor picks stay in this process's memory, from their first byte on."""

from starlette.formparsers import MultiPartParser

MOST_UPLOAD_MB = 200


def install() -> None:
    """Keep in memory what comes in; Starlette alone writes what is larger than 1 MB to a temporary file."""
    MultiPartParser.spool_max_size = 2 * MOST_UPLOAD_MB * 2**20  # more than Streamlit lets in
