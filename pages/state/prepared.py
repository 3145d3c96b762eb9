"""The prepared example: a finished test kept in a file, so that a talk never waits."""

from functools import lru_cache
from pathlib import Path

from ldp_core import reports
from pages.jobs.job import Job

ID = "prepared"
"""Stands where a link holds the id of a job."""
FILE = Path(__file__).with_name("prepared.json")


@lru_cache(maxsize=1)
def job() -> Job | None:
    """Return the example as a job that has ended; None if its file is damaged."""
    try:
        result = reports.from_json(FILE.read_bytes())
    except (OSError, ValueError):
        return None
    found = Job(ID, result.config, state="done", result=result, restored=True)
    found.ended.set()
    return found
