"""A real server and a real Chromium, as a visitor has them."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.patience import LONGEST_END, PATIENCE
from tests.helpers.places import ROOT

CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium() -> str | None:
    """Return the path of this machine's Chromium: the one that LDP_CHROMIUM names, else one on the path."""
    names = (os.environ.get("LDP_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


def free_port() -> int:
    """Return a loopback port that nothing listens on, and that the other process of these tests is not given."""
    number = re.search(r"\d+$", os.environ.get("PYTEST_XDIST_WORKER", ""))
    shares = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = int(number.group()) % shares if number else 0
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port // 2 % shares == share:  # some systems prefer odd ports
            return port


def serving(script: Path | str, port: int) -> list[str]:
    words = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    return [*words, "--server.headless", "true"]


@contextlib.contextmanager
def running_app(
    cache: Path, *, port: int | None = None, log: Path | None = None, script: Path | str = "app.py", folder: Path = ROOT
) -> Iterator[str]:
    """Run the app from a folder, with a cache of its own; yield its address, and end it by its own pid."""
    port = port or free_port()
    environment = os.environ | {"LDP_CACHE_DIR": str(cache)}
    with (
        (log or cache.with_suffix(".log")).open("ab") as output,
        subprocess.Popen(
            serving(script, port), cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_healthy(address, process)
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(LONGEST_END)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def wait_until_healthy(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended at its start with code {process.returncode}")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
            return
        time.sleep(0.05)
    raise TimeoutError(f"the server did not answer within {PATIENCE:g} seconds")
