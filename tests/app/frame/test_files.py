"""The address of a file: what it answers to whom, and what it says where there is no such file."""

import asyncio
import json
import threading
from pathlib import Path

import pytest
import streamlit as st

from ldp_core.results import read
from ldp_core.studies.compare import exports
from ldp_core.studies.glimpse.run import GlimpseConfig
from pages import jobs
from pages.jobs.job import Job
from pages.server import files
from pages.widgets import downloads
from tests.app.frame.test_takeaway import ENCODED
from tests.app.taken import Answer, ask, server, taken
from tests.helpers.words import LANGUAGES, en, ja
from tests.presentation.test_takeaway import PNG, WRITERS


def kept(kind: str, language: str = "en") -> tuple[Job, str]:
    """Return a result as a job of this server, and where its files are."""
    make, write = WRITERS[kind]
    job = jobs.manager().open(read(write(make()).encode()))
    return job, f"take/{job.id}/{{}}?lang={language}"


@pytest.mark.few(1)
@pytest.mark.parametrize(("kind", "language"), [("audit", "ja"), ("check", "en"), ("utility", "en")])
def test_each_result_has_its_files(kind: str, language: str) -> None:
    job, place = kept(kind, language)
    job.pictures = [(PNG, PNG)]
    report, saved, pictured = (
        taken(place.format(name)) for name in ("report.html", "result.json", "report-with-images.html")
    )
    assert report.content.decode() == downloads.html(LANGUAGES[language], job)
    assert saved.content.decode() == job.written()
    assert ENCODED not in (report.content + saved.content).decode()
    assert pictured.content.decode() == downloads.html(LANGUAGES[language], job, images=True)
    for answer, end in ((report, ".html"), (saved, ".json"), (pictured, "-with-images.html")):
        assert answer.status == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="ldp-{kind}-{job.id[:8]}{end}"'
        assert answer.headers["cache-control"] == "no-store"


def test_a_comparison_has_a_table_and_its_notes_beside() -> None:
    job, place = kept("compare")
    job.notes = ("one measurement could not be made",)
    assert taken(place.format("table.csv")).content.decode() == exports.to_csv(job.result)
    assert json.loads(taken(place.format("result.json")).content)["notes"] == list(job.notes)


def test_what_is_not_there_is_said_in_one_sentence(cache_dir: Path) -> None:
    job, place = kept("audit", "ja")
    glimpsed = Job("glimpsed", GlimpseConfig(), state="done", result=object(), pictures=[(PNG, PNG)])
    going = Job("going", job.config, state="running", result=job.result)
    failed, part = (Job(name, job.config, state="failed") for name in ("failed", "part"))
    part.result = job.result
    for other in (glimpsed, going, failed, part):
        jobs.manager()._jobs[other.id] = other
    (cache_dir / "secret.json").write_text("{}")
    missing = [place.format(name) for name in ("table.csv", "report-with-images.html", "else")]
    missing += [f"take/{name}/result.json?lang=ja" for name in ("nothing", "glimpsed", "going", "failed", "secret")]
    missing += [f"take/{name}/report-with-images.html?lang=ja" for name in ("glimpsed", "going")]
    for address in missing:
        answer = taken(address)
        assert (answer.status, answer.content.decode()) == (404, ja.TAKE_GONE), address
    for name in ("", "..", "../secret", "..%2fsecret"):
        assert taken(f"take/{name}/result.json").status == 404
    assert taken("take/part/result.json").status == 200, "what a run had found when it failed"
    assert taken("take/nothing/result.json?lang=xx").content.decode() == en.TAKE_GONE


def test_a_kept_result_can_be_taken_after_a_restart_but_no_image() -> None:
    job, place = kept("audit")
    job.pictures = [(PNG, PNG)]
    jobs.manager().cache.write("results", f"{job.id}.json", job.written().encode())
    jobs.manager().shutdown()
    st.cache_resource.clear()
    again = jobs.manager().get(job.id)
    assert again is not job
    assert taken(place.format("report.html")).content.decode() == downloads.html(en, again)
    assert taken(place.format("report-with-images.html")).status == 404


@pytest.mark.usefixtures("quietly")
def test_what_goes_wrong_is_one_sentence_and_no_word_of_it_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setitem(downloads.served(), "result.json", fails)
    answer = taken("take/any/result.json?lang=ja")
    assert (answer.status, answer.content.decode()) == (500, ja.BUG)
    assert answer.headers["cache-control"] == "no-store"
    assert "a file ended in a bug" in caplog.text
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text


def test_a_file_waits_for_its_turn_so_long_and_none_is_made_for_who_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ready = threading.Event()

    def make(_: object, token: str) -> files.File:
        asked.append(token)
        assert ready.wait(60.0)
        return files.File("a.txt", "text/plain", token)

    async def visits() -> list[Answer]:
        app = server()
        async with asyncio.TaskGroup() as group:
            first = group.create_task(ask(app, "take/first/result.json"))
            monkeypatch.setattr(files, "LONGEST", 0.01)
            late = await group.create_task(ask(app, "take/late/result.json?lang=ja"))
            monkeypatch.setattr(files, "LONGEST", 60.0)
            others = [
                group.create_task(ask(app, f"take/{name}/result.json", gone=name == "gone"))
                for name in ("gone", "next")
            ]
            await asyncio.sleep(0.0)  # until both stand in line
            ready.set()
        return [late, *(task.result() for task in (first, *others))]

    monkeypatch.setitem(downloads.served(), "result.json", make)
    late, first, _, following = asyncio.run(visits())
    assert (late.status, late.content.decode()) == (503, ja.TAKE_BUSY.format(seconds="0.01"))
    assert (first.content, following.content) == (b"first", b"next")
    assert asked == ["first", "next"]


def test_other_sites_pages_get_no_file() -> None:
    _, place = kept("audit")
    address = place.format("result.json")
    assert taken(address).headers["content-security-policy"].startswith("default-src 'self'")
    assert taken(address, sec_fetch_site="cross-site").status == 200, "a link that is followed"
    assert taken(address, sec_fetch_site="cross-site", sec_fetch_dest="image").status == 403
    assert taken(address, host="example.org").status == 403
