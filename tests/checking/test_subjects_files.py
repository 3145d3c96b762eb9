"""A mechanism that answers by file: what goes out, what comes back, and what a hostile file can do (nothing)."""

import hashlib
import io
import json
import os
import random
import stat
import zipfile
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from ldp_core.checking import claims
from ldp_core.checking.claims import NOT_TESTED, CheckConfig, enough_to_judge, plan_of
from ldp_core.checking.exam import check, requests
from ldp_core.checking.subjects.files import (
    Key,
    challenge_bytes,
    make_challenge,
    read_key,
    read_responses,
    write_challenge,
)
from ldp_core.distinguishers.learned import LEAST
from ldp_core.errors import ChallengeError, MechanismUnavailableError
from ldp_core.studies import STUDIES
from ldp_core.studies.check.workload import Wanted, caught_as_wanted
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from ldp_core.words import document
from tests.helpers.checking import vendors_reports
from tests.helpers.spoiled import npy, npz, packed, spoiled

CONFIG = CheckConfig("somebody's", 1.0, 5, dimension=6, reports=10_000, adaptive=False)
FEW = [
    (np.arange(6, dtype=np.float32), 3),
    (np.zeros(6, np.float32), 2),
    (np.arange(6, dtype=np.float32), 4),
    (-np.ones(6, np.float32), 1),
]
"""Requests with an input that comes twice."""
SALT = "5a" * 32
CHALLENGE, KEY = challenge_bytes(CONFIG, FEW, salt=SALT)


def loaded(content: bytes) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return dict(file)


def answered(challenge: bytes) -> NDArray[np.float64]:
    """What an obedient vendor sends: here its input, and the number of the report."""
    arrays = loaded(challenge)
    inputs = arrays["gradients"][arrays["order"]].astype(np.float64)
    return np.column_stack((inputs, np.arange(len(inputs))))


def test_a_challenge_holds_inputs_order_and_claim_and_no_seed() -> None:
    arrays = loaded(CHALLENGE)
    assert set(arrays) == {"gradients", "order", "digest", "epsilon", "delta", "clip_norm", "clip_order", "dimension"}
    assert arrays["gradients"].shape == (3, 6)
    assert arrays["gradients"].dtype == np.float32
    assert arrays["order"].dtype == np.int32
    counts = {tuple(arrays["gradients"][index]): int((arrays["order"] == index).sum()) for index in range(3)}
    assert counts == {tuple(FEW[0][0]): 7, tuple(FEW[1][0]): 2, tuple(FEW[3][0]): 1}
    assert float(arrays["epsilon"]) == 1.0
    assert str(arrays["clip_order"]) == "l2"


def test_the_order_is_random_and_a_function_of_the_configuration() -> None:
    assert challenge_bytes(CONFIG, FEW, salt=SALT) == (CHALLENGE, KEY)
    orders = [make_challenge(CheckConfig("x", 1.0, seed, dimension=6), FEW) for seed in range(30)]
    assert len({item.order.tobytes() for item in orders}) > 25
    assert len({item.gradients.tobytes() for item in orders}) == 6


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("change", [lambda rows: rows, np.asfortranarray, lambda rows: rows.astype(">f8")])
def test_each_input_gets_its_own_reports_each_once(save: Any, change: Any) -> None:
    file, wanted = io.BytesIO(), answered(CHALLENGE)
    save(file, reports=change(wanted), remark="thanks")
    subject = read_responses(file.getvalue(), read_key(KEY), FEW)
    rows = [subject.randomize(gradient, count) for gradient, count in FEW]
    for (gradient, count), found in zip(FEW, rows, strict=True):
        assert found.shape == (count, 7)
        assert (found[:, :6] == gradient).all()
    assert sorted(np.concatenate(rows)[:, 6]) == list(range(10))
    assert not subject.seeded
    assert not subject.ordered
    assert subject.restarted() is None
    with pytest.raises(MechanismUnavailableError, match="1 more reports of this input, got 0"):
        subject.randomize(FEW[0][0], 1)
    with pytest.raises(MechanismUnavailableError, match="got 0"):
        subject.randomize(np.ones(6, np.float32), 1)


@pytest.mark.parametrize(("really", "verdict"), [(1.0, CLAIM_NOT_REJECTED), (2.0, CLAIM_REJECTED)])
def test_a_whole_check_asks_a_file_for_no_more_than_the_challenge_asked_the_vendor(really: float, verdict: str) -> None:
    """A vendor's file, an honest one's or a liar's, is judged to the end of the plan, or until the claim falls."""
    challenge, key = challenge_bytes(CONFIG)
    reports = sent(challenge, really)
    assert len(reports) == sum(count for _, count in requests(CONFIG)) <= CONFIG.reports
    *_, last = check(CONFIG, read_responses(npz(reports=reports), read_key(key)))
    assert last.result.completed
    assert last.result.verdict == verdict
    assert not last.result.failed


def sent(challenge: bytes, epsilon: float) -> NDArray[np.float32]:
    """Return what a vendor of LDP-SGD sends back."""
    return vendors_reports(loaded(challenge), "ldp-sgd", epsilon)


def test_answers_in_another_order_or_of_something_else_are_told_and_no_power_is_stated() -> None:
    challenge, key = challenge_bytes(CONFIG)
    reports = sent(challenge, 5.0)
    nothing = reports * np.random.default_rng(2).choice([-1.0, 1.0], (len(reports), 1))
    for rows in (np.random.default_rng(1).permutation(reports), nothing):
        *_, last = check(CONFIG, read_responses(npz(reports=rows), read_key(key)))
        assert last.result.verdict == CLAIM_NOT_REJECTED
        assert claims.depends_on_inputs(last.result) is False
        assert claims.detectable_epsilons(last.result) == dict.fromkeys(claims.LEAKS)
        assert not caught_as_wanted(last.result, Wanted(30.0, "side"))
        assert "do not show that they depend on the updates" in STUDIES["check"].text(last.result)
        assert "would have caught a leak" not in STUDIES["check"].text(last.result)
    *_, last = check(CONFIG, read_responses(npz(reports=sent(challenge, 1.0)), read_key(key)))
    assert claims.depends_on_inputs(last.result) is True
    assert document("en")["check_notice_not-named"] in STUDIES["check"].text(last.result)
    assert (
        claims.from_json(claims.to_json(last.result)).notice
        == json.loads(claims.to_json(last.result))["notice"]
        == "not-named"
    )
    assert "would have caught a leak" in STUDIES["check"].text(last.result)


def test_too_few_answers_of_another_length_get_a_sentence_and_the_number_that_is_enough() -> None:
    small = replace(CONFIG, dimension=16, reports=6_000)
    challenge, key = challenge_bytes(small)
    *_, last = check(small, read_responses(npz(reports=sent(challenge, 1.0)[:, :3]), read_key(key)))
    assert last.result.verdict == NOT_TESTED
    enough = enough_to_judge(last.result)
    assert document("en")["check_too_few"].format(reports=f"{enough:,}") in STUDIES["check"].text(last.result)
    assert binom.cdf(LEAST - 1, plan_of(replace(small, reports=enough)).rounds[0].explore // 15, 0.5) < 1e-6
    larger = replace(small, reports=enough)
    challenge, key = challenge_bytes(larger)
    *_, last = check(larger, read_responses(npz(reports=sent(challenge, 1.0)[:, :3]), read_key(key)))
    assert last.result.verdict == CLAIM_NOT_REJECTED
    assert enough_to_judge(last.result) is None


RIGHT = answered(CHALLENGE)
BOMB = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (10, 7), }", bytes(2 * 10**7))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "whole .npz file"),
        (npz(reports=RIGHT)[:-30], "whole .npz file"),
        (npz(report=RIGHT), "one array named reports, got 0; the entries: 'report.npy'"),
        (npz(reports=RIGHT[:-1]), "must have 10 rows, got 9"),
        (npz(reports=np.zeros((10, 1_000_017), bool)), "got (10, 1000017)"),
        (npz(reports=RIGHT.astype(complex)), "real numbers of at most 8 bytes, got '<c16'"),
        (npz(reports=np.array([None] * 10, dtype=object)), "real numbers of at most 8 bytes, got '|O'"),
        (packed(("reports.npy", b"PK\x03\x04" + bytes(50))), "NumPy's format"),
        (packed(("reports.npy", npy("x" * 5_000))), "header of at most 4,096 bytes, got 5,000"),
        (packed(("reports.npy", BOMB), compression=zipfile.ZIP_DEFLATED), "got 20,000,000"),
        (packed(("reports.npy", b"x"), compression=zipfile.ZIP_LZMA), "another packing"),
        (packed(*((f"{number}.npy", b"x") for number in range(200))), "at most 100 entries"),
    ],
)
def test_a_wrong_file_gets_one_sentence(content: bytes, words: str) -> None:
    with pytest.raises(ChallengeError) as raised:
        read_responses(content, read_key(KEY), FEW)
    assert words in str(raised.value)
    assert str(raised.value).startswith(("the responses must", "the array reports must"))


def test_sizes_are_refused_from_the_headers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb is never unpacked: the limit is on what is declared, and what is read is bound by it."""
    bomb = packed(("reports.npy", bytes(10_000)), compression=zipfile.ZIP_DEFLATED)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(ChallengeError, match="unpack to at most 600 bytes, got 10,000"):
        read_responses(bomb, read_key(KEY), FEW, most_bytes=600)


def test_reading_never_calls_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return (pytest.fail, ("code from a file was run",))

    with pytest.raises(ChallengeError, match="real numbers"):
        read_responses(npz(reports=np.array([Evil()] * 10, dtype=object)), read_key(KEY), FEW)


def edited(**values: object) -> bytes:
    """The key with other values in its claim, as a text editor would leave it."""
    report = json.loads(KEY)
    report["config"] |= values
    return json.dumps(report).encode()


OTHERS: dict[str, object] = {
    "subject": "somebody else's", "epsilon": 3.0, "seed": 6, "delta": 0.1, "dimension": 7, "clip_norm": 2.0,
    "clip_order": "linf", "reports": 20_000, "significance": 0.5, "scale": 2.0, "report_norm": 9.0, "adaptive": True,
    "whole": True,
    "own_pairs": 1, "inputs_digest": "0" * 64,
}  # fmt: skip


@pytest.mark.parametrize("name", [item.name for item in fields(CheckConfig)])
def test_a_key_that_was_edited_is_refused(name: str) -> None:
    """Every setting is bound, also when one more is added."""
    with_it = {"own_pairs": "inputs_digest", "inputs_digest": "own_pairs"}.get(name, name)
    with pytest.raises(ChallengeError, match="the key must be as it was written with its challenge, got one that was"):
        read_key(edited(**{each: OTHERS[each] for each in {name, with_it}}))


def test_who_edits_the_digest_too_is_found_out_by_the_challenge() -> None:
    key = read_key(KEY)
    forged = Key.made(replace(CONFIG, epsilon=3.0), key.inputs, key.salt)
    assert read_key(forged.to_json().encode()) == forged
    answers = npz(reports=RIGHT, digest=loaded(CHALLENGE)["digest"])
    read_responses(answers, key, FEW)
    words = f"challenge of this key, {forged.digest[:12]}, got .* '{key.digest[:12]}'"
    with pytest.raises(ChallengeError, match=words):
        read_responses(answers, forged, FEW)


def test_responses_to_another_challenge_are_told() -> None:
    """Another one of the same claim, the same seed even: its inputs and numbers of reports are the same."""
    other, _ = challenge_bytes(CONFIG, FEW)
    assert (loaded(other)["order"] == loaded(CHALLENGE)["order"]).all()
    with pytest.raises(ChallengeError, match="the responses must answer the challenge of this key"):
        read_responses(npz(reports=RIGHT, digest=loaded(other)["digest"]), read_key(KEY), FEW)


def test_responses_that_name_no_challenge_are_judged_with_a_sentence() -> None:
    digest = loaded(CHALLENGE)["digest"]
    assert read_responses(npz(reports=RIGHT), read_key(KEY), FEW).notice == "not-named"
    for same in (digest, digest.reshape(1), digest.astype(">U64")):
        assert read_responses(npz(reports=RIGHT, digest=same), read_key(KEY), FEW).notice == ""


def test_the_digest_is_a_commitment_that_only_the_salt_opens() -> None:
    """Not even who knows everything but the salt, the seed too, can tell that a guess of it is right."""
    found = [json.loads(challenge_bytes(CONFIG, FEW)[1]) for _ in range(3)]
    assert len({key["salt"] for key in found} | {key["digest"] for key in found}) == 6
    assert all(len(key["salt"]) == 64 for key in found)
    text = json.dumps(asdict(CONFIG), sort_keys=True, separators=(",", ":"))
    key = found[0]
    known = f"ldp-challenge-key/3 {key['salt']} {key['inputs']} {text}"
    assert hashlib.sha256(known.encode()).hexdigest() == key["digest"]
    challenge, written = challenge_bytes(CONFIG, FEW, salt=key["salt"])
    assert str(loaded(challenge)["digest"]) == json.loads(written)["digest"] == key["digest"]
    assert key["salt"] not in repr(read_key(written))
    assert key["salt"].encode() not in challenge.replace(b"\0", b"")


OLD = {name: value for name, value in json.loads(KEY)["config"].items() if name != "whole"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "ldp-challenge-key/9"}, "schema must be"),
        ({"digest": "0" * 64}, "changed since"),
        ({"salt": "0" * 64}, "changed since"),
        ({"config": []}, "config must be an object"),
        ({"config": OLD}, "must have all names, got one of another version without whole"),
        ({"inputs": None}, "another file"),
    ],
)
def test_a_wrong_key_gets_one_sentence(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ChallengeError, match="the key must") as raised:
        read_responses(npz(reports=RIGHT), read_key(json.dumps(json.loads(KEY) | change).encode()), FEW)
    assert words in str(raised.value)


def paths(folder: Path) -> tuple[Path, Path]:
    return folder / "challenge.npz", folder / "key.json"


def listed(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("there", [0, 1])
def test_no_file_is_ever_overwritten_unasked(tmp_path: Path, there: int) -> None:
    paths(tmp_path)[there].write_bytes(b"the only copy")
    before = listed(tmp_path)
    with pytest.raises(ValueError, match=r"must name a new file, got .*, which is there; --force overwrites it"):
        write_challenge(CONFIG, FEW, *paths(tmp_path))
    assert listed(tmp_path) == before
    write_challenge(CONFIG, FEW, *paths(tmp_path), force=True)
    assert b"the only copy" not in listed(tmp_path).values()
    assert len(listed(tmp_path)) == 2


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize("umask", [0, 0o22, 0o77])
def test_a_key_is_created_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: int) -> None:
    """Also where a file that all may read is replaced: at no moment, in whatever order, may others open the key."""
    _, key = paths(tmp_path)
    opened, create = [], os.open

    def watched(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        handle = create(path, flags, mode, **more)
        opened.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", watched)
    before = os.umask(umask)
    try:
        write_challenge(CONFIG, FEW, *paths(tmp_path))
        key.chmod(0o644)
        with key.open("rb") as old:
            write_challenge(CONFIG, FEW, *paths(tmp_path), force=True)
            kept = old.read()
    finally:
        os.umask(before)
    assert opened[1::2] == [0o600, 0o600]
    assert opened[0::2] == [0o666 & ~umask] * 2
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert kept != key.read_bytes(), "who had the old file open does not get the new key"


def test_a_thousand_hostile_mutations_are_refused_in_one_way_or_are_right() -> None:
    draw, key, sentences = random.Random(20260101), read_key(KEY), []
    compressed = io.BytesIO()
    np.savez_compressed(compressed, reports=RIGHT)
    right = (npz(reports=RIGHT), compressed.getvalue(), npz(reports=RIGHT, digest=loaded(CHALLENGE)["digest"]))
    for _ in range(1_500):
        content = spoiled(draw.choice(right), draw)
        try:
            subject = read_responses(content, key, FEW)
        except ChallengeError as error:
            sentences.append(str(error))
        else:
            assert all(len(subject.randomize(gradient, count)) == count for gradient, count in FEW)
    assert len(sentences) > 1_000
    assert all(sentence.isprintable() and len(sentence) < 400 for sentence in sentences)


def test_a_thousand_hostile_keys_are_refused_in_one_way_or_are_right() -> None:
    draw, sentences = random.Random(20260102), []
    for _ in range(1_000):
        try:
            read_key(spoiled(KEY, draw))
        except ChallengeError as error:
            sentences.append(str(error))
    assert len(sentences) > 800
    assert all(sentence.isprintable() and len(sentence) < 600 for sentence in sentences)
