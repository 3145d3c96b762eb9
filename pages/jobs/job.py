"""One job: what was asked, how far it is, and what it found."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ldp_core.checking.claims import Subject
from ldp_core.studies import study_of
from ldp_core.study import Study
from pages.jobs.png import png

MAX_PICTURED = 10
GRACE_SECONDS = 20.0
NEWS_SECONDS, NEWS_SLOWER, NEWS_MOST = 1.0, 1.25, 10.0
"""After which what a run has found is drawn anew; so many times as long the next time, and at most so long."""
LEAST_SHARE = 0.1
"""Of the work: before so much is done, how long the rest takes is not foretold."""
Own = bytes | Path | Callable[[], Subject]
"""What a client brings: the content of an archive or a picture, a folder, or what unpacks a vendor's answers."""


@dataclass(eq=False)
class Job:
    """One run. Only the worker writes to it after it was submitted, the stop flag and the viewers apart.

    ``state`` is queued, running, done, cancelled or failed; ``error`` is a sentence for the screen, empty for a bug.
    ``own`` holds what the client brought until the run has ended, ``pictures`` the PNG images of each measurement's
    pair, ``labels`` the labels of its two updates where they differ, ``drawn`` what was drawn of the result, and
    ``expected`` how many right guesses of 100 were expected; they live here and nowhere else. ``opened``: the
    result came from a file that the client picked, and was not found here. ``stated``: what the client wrote for the
    document, of who tested what. ``left``: it stopped because nobody
    looked. ``work`` is the share of its work that is done, ``news`` counts how often what was found so far was worth
    a drawing.
    """

    id: str
    config: Any
    data_dir: Path | None = None
    download: bool = False
    own: Own | None = field(default=None, repr=False)
    device: str = "cpu"
    resume: Path | None = None
    state: str = "queued"
    stage: str = "data"
    dataset: str = ""
    done: float = 0
    total: float = 0
    result: Any = None
    notes: tuple[str, ...] = ()
    pictures: list[tuple[bytes, ...]] = field(default_factory=list, repr=False)
    labels: list[tuple[int, ...]] = field(default_factory=list, repr=False)
    drawn: dict[Any, Any] = field(default_factory=dict, repr=False)
    error: str = ""
    expected: int | None = None
    stated: str = field(default="", repr=False)
    left: bool = False
    opened: bool = False
    work: float = 0.0
    news: int = 0
    news_at: float = 0.0
    news_after: float = NEWS_SECONDS
    timed_since: float | None = None
    timed_from: float = 0.0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    stop: threading.Event = field(default_factory=threading.Event, repr=False)
    viewers: set[str] = field(default_factory=set, repr=False)
    detached_at: float | None = None
    ended: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def study(self) -> Study:
        return study_of(self.config)

    @property
    def kind(self) -> str:
        return self.study.name

    def written(self) -> str:
        return self.study.to_json(self.result, self.notes)

    @property
    def finished(self) -> bool:
        return self.state in ("done", "cancelled", "failed")

    @property
    def abandoned(self) -> bool:
        since = self.detached_at
        return since is not None and time.monotonic() - since > GRACE_SECONDS

    def unwanted(self) -> bool:
        """Return whether nobody waits for it any more."""
        return self.stop.is_set() or self.abandoned

    def seconds_left(self) -> float | None:
        """Return the time that the remaining work needs at the speed so far; None before a tenth of it is done."""
        done, planned = self.work - self.timed_from, 1.0 - self.timed_from
        if self.stage != self.study.timed or self.timed_since is None or done < LEAST_SHARE * planned or done <= 0:
            return None
        return (self.clock() - self.timed_since) * (1.0 - self.work) / done

    def update(self, progress: Any) -> None:
        stage, done, total = self.study.progress(progress)
        if stage == self.study.timed:
            self.work = self.study.work(progress)
            if self.timed_since is None:
                self.timed_since, self.timed_from = self.clock(), self.work
        pair = getattr(progress, "pair", None)
        if pair is not None and len(self.pictures) < min(len(progress.result.measurements), MAX_PICTURED):
            self.pictures.append(tuple(png(image) for image in pair.images))
            labels = tuple(objective.label for objective in pair.objectives or () if objective.image is not None)
            self.labels.append(labels if len(set(labels)) == 2 else ())
        self.result = progress.result
        if self.clock() - self.news_at >= self.news_after:
            self.news, self.news_at = self.news + 1, self.clock()
            self.news_after = min(NEWS_SLOWER * self.news_after, NEWS_MOST)
        self.notes = getattr(progress, "notes", ())
        self.dataset = getattr(progress, "dataset", "")
        self.stage, self.done, self.total = stage, done, total
