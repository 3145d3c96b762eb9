"""Runs in the server of `test_hour.py`, which puts this folder on its path: on SIGUSR1 the server names its threads.

Streamlit polls its two settings files from a pool of its own, which comes to two to four threads as chance has it, and
stays. Those are counted apart.
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path


def _name_threads(*_: object) -> None:
    polling = sys.modules["streamlit.watcher.polling_path_watcher"]
    pool = polling.PollingPathWatcher._executor._threads
    found = {
        "polling": len(pool),
        "others": sorted(thread.name for thread in threading.enumerate() if thread not in pool),
    }
    target = Path(os.environ["LDP_NAME_THREADS"])
    target.with_suffix(".new").write_text(json.dumps(found))
    target.with_suffix(".new").replace(target)


if "LDP_NAME_THREADS" in os.environ:
    signal.signal(signal.SIGUSR1, _name_threads)
