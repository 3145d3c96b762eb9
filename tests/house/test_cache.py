"""Kept files are private, whole or absent, and a folder that fails is said in one sentence."""

import contextlib
import re
import stat
import sys
import threading
from pathlib import Path

import pytest

from ldp_core.cache import Cache, default_directory
from tests.helpers.processes import printed

NOTICE = re.compile(r"Trained models and results are kept in memory only, because the cache folder failed: [^.]+\.")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="those have cache folders of their own")
def test_without_a_name_it_is_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LDP_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_directory() == tmp_path / "xdg" / "ldp-audit"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_directory() == tmp_path / "home" / ".cache" / "ldp-audit"
    monkeypatch.setenv("LDP_CACHE_DIR", "")
    assert default_directory() == tmp_path / "home" / ".cache" / "ldp-audit"


def test_what_is_kept_comes_back_also_in_another_process(cache_dir: Path) -> None:
    content = bytes(range(256)) * 40
    cache = Cache()
    assert cache.read("results", "one.json") is None
    cache.write("results", "one.json", content)
    assert cache.read("results", "one.json") == content
    assert cache.read("models", "one.json") is None
    assert Cache().read("results", "one.json") == content
    cache.write("results", "one.json", b"")
    assert cache.read("results", "one.json") == b""
    assert cache.notice == ""


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_and_folders_are_the_users_alone(umask: int, tmp_path: Path) -> None:
    """In a process of its own, because the umask is the whole process's."""
    code = (
        "import os, sys; from pathlib import Path; from ldp_core.cache import Cache; "
        f"os.umask({umask}); cache = Cache(Path(sys.argv[1])); "
        "cache.write('models', 'm', b'1'); cache.write('results', 'r', b'2')"
    )
    folder = tmp_path / "cache"
    printed(code, str(folder))
    assert files(folder) == ["models/m", "results/r"]
    for name in ("models", "results"):
        assert mode(folder / name) == 0o700
    assert mode(folder / "models" / "m") == mode(folder / "results" / "r") == 0o600


@pytest.mark.parametrize(
    "name", ["../x", "..", ".", "", "a/b", "/etc/passwd", "a\\b", ".hidden", "a\0b", "a\n", "-x", "ä", "a" * 152]
)
def test_names_that_could_leave_the_folder_are_refused(cache_dir: Path, name: str) -> None:
    cache = Cache()
    (cache_dir / "x").write_bytes(b"outside")
    with pytest.raises(ValueError, match="a kept file's name must be letters, digits, dots and dashes"):
        cache.write("results", name, b"content")
    assert cache.read("results", name) is None
    cache.write("results", "a" * 151, b"content")
    assert files(cache_dir) == ["results/" + "a" * 151, "x"]


@pytest.mark.parametrize("name", ["../x", "a/b", "..", "."])
def test_setting_aside_stays_inside_the_folder(cache_dir: Path, name: str) -> None:
    cache = Cache()
    (cache_dir / "results" / "a").mkdir()
    (cache_dir / "results" / "a" / "b").write_bytes(b"deeper")
    (cache_dir / "x").write_bytes(b"outside")
    with contextlib.suppress(ValueError):
        cache.set_aside("results", name)
    assert files(cache_dir) == ["results/a/b", "x"]


def test_a_damaged_file_is_set_aside(cache_dir: Path) -> None:
    cache = Cache()
    cache.write("models", "one", b"damaged")
    cache.set_aside("models", "one")
    assert cache.read("models", "one") is None
    assert files(cache_dir) == ["models/one.damaged"]
    cache.set_aside("models", "one")
    cache.write("models", "one", b"whole")
    assert cache.read("models", "one") == b"whole"


def test_below_a_regular_file_things_are_kept_in_memory(tmp_path: Path) -> None:
    """Permissions would not stop root, a file in the way stops everyone."""
    (tmp_path / "file").write_text("mine")
    cache = Cache(tmp_path / "file" / "cache")
    assert cache.directory is None
    assert NOTICE.fullmatch(cache.notice)
    assert cache.read("models", "one") is None
    cache.write("models", "one", b"kept")
    assert cache.read("models", "one") == b"kept"
    assert cache.read("results", "one") is None
    cache.set_aside("models", "one")
    assert cache.read("models", "one") is None
    assert (tmp_path / "file").read_text() == "mine"
    assert files(tmp_path) == ["file"]


def test_what_joined_is_written_along_and_its_failure_is_said(cache_dir: Path) -> None:
    cache, answers = Cache(), ["no room", "no room", "", ""]
    cache.join("The parts", lambda: answers.pop(0))
    said = "The parts are kept in memory only, because their file failed: no room."
    cache.write("results", "one", b"kept")
    assert (cache.notice, cache.directory) == (said, cache_dir)
    (cache_dir / "results" / "two").mkdir()
    cache.write("results", "two", b"cannot be written")
    assert NOTICE.fullmatch(cache.notice), "what fails for all comes first"
    (cache_dir / "results" / "two").rmdir()
    cache.catch_up()
    assert (cache.notice, answers) == ("", [""])
    assert files(cache_dir) == ["results/one", "results/two"]


def test_a_write_that_fails_midway_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    """The limit on a file's size makes the system refuse the rest, as a full disk does."""
    code = (
        "import resource, sys; from pathlib import Path; from ldp_core.cache import Cache; "
        "folder = Path(sys.argv[1]); cache = Cache(folder); cache.write('models', 'one', b'old'); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); cache.write('models', 'one', bytes(50_000)); "
        "assert cache.read('models', 'one') == bytes(50_000); print(cache.notice)"
    )
    pytest.importorskip("resource")
    assert NOTICE.fullmatch(printed(code, str(tmp_path)).strip())
    assert files(tmp_path) == ["models/one"]
    assert (tmp_path / "models" / "one").read_bytes() == b"old"


def test_a_reader_never_meets_half_a_file(cache_dir: Path) -> None:
    contents = {bytes([value]) * 300_000 for value in (1, 2)}
    writer, reader = Cache(), Cache()
    writer.write("results", "one", min(contents))

    def write() -> None:
        for _ in range(15):
            for content in contents:
                writer.write("results", "one", content)

    thread = threading.Thread(target=write)
    thread.start()
    reads = 0
    while thread.is_alive() or reads == 0:
        assert reader.read("results", "one") in contents
        reads += 1
    thread.join()
    assert files(cache_dir) == ["results/one"]
