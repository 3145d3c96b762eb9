"""What a page asks is handed on in its order, each once the one before is heard."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest
from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages._shared import order
from pages._shared.door import Message, Receive, Send


def asks(part: str = "", *, page: str = "home", by_itself: bool = False, pressed: bool = False) -> bytes:
    message = BackMsg()
    if pressed:
        message.rerun_script.widget_states.widgets.add(id="run", trigger_value=True)
    message.rerun_script.page_script_hash, message.rerun_script.fragment_id = page, part
    message.rerun_script.is_auto_rerun = by_itself
    return message.SerializeToString()


def begins(*parts: str, run: str = "run", page: str = "home") -> bytes:
    message = ForwardMsg()
    message.new_session.name, message.new_session.page_script_hash = "app", page
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(parts)
    return message.SerializeToString()


def ends(*parts: str, run: str = "run", again: bool = False) -> bytes:
    how = ForwardMsg.FINISHED_EARLY_FOR_RERUN if again else ForwardMsg.FINISHED_SUCCESSFULLY
    message = ForwardMsg(script_finished=how)
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(parts)
    return message.SerializeToString()


def draws(part: str = "part") -> bytes:
    message = ForwardMsg()
    message.delta.new_element.text.body, message.delta.fragment_id = "x", part
    return message.SerializeToString()


def stops(part: str) -> bytes:
    message = ForwardMsg()
    message.stop_auto_rerun.fragment_ids.append(part)
    return message.SerializeToString()


def lets_ask(part: str) -> bytes:
    message = ForwardMsg()
    message.auto_rerun.fragment_id = part
    return message.SerializeToString()


def navigates(page: str = "home") -> bytes:
    message = ForwardMsg()
    message.navigation.page_script_hash = page
    return message.SerializeToString()


def tells_address() -> bytes:
    message = ForwardMsg()
    message.page_info_changed.query_string = "lang=ja"
    return message.SerializeToString()


def wants() -> bytes:
    message = BackMsg()
    message.file_urls_request.request_id = "1"
    return message.SerializeToString()


def gives() -> bytes:
    message = ForwardMsg()
    message.file_urls_response.SetInParent()
    return message.SerializeToString()


def running() -> bytes:
    message = ForwardMsg()
    message.session_status_changed.script_is_running = True
    return message.SerializeToString()


def handed_on(said: list[bytes], events: list[bytes | tuple[bytes, ...]], got: list[bytes] | None = None) -> list[int]:
    """Return how many requests were handed on at first and after each event: an answer, or what is said then."""
    counts: list[int] = []
    got = [] if got is None else got

    async def receive() -> Message:
        while not said:
            await asyncio.sleep(0)
        return {"type": "websocket.receive", "bytes": said.pop(0)}

    async def send(_: Message) -> None: ...

    async def app(_: Message, receive: Receive, send: Send) -> None:
        async def listen() -> None:
            while True:
                got.append((await receive())["bytes"])

        listening = asyncio.create_task(listen())

        async def count() -> None:
            for _ in range(20):
                await asyncio.sleep(0)
            counts.append(len(got))

        await count()
        for event in events:
            if isinstance(event, tuple):
                said.extend(event)
            else:
                await send({"type": "websocket.send", "bytes": event})
            await count()
        listening.cancel()

    asyncio.run(order.InOrder(app)({"type": "websocket"}, receive, send))
    return counts


def heard(said: Iterator[bytes], count: int) -> list[bytes]:
    """Return what reaches a server that draws at once what it is asked for."""
    got: list[bytes] = []

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": next(said)}

    async def send(_: Message) -> None: ...

    async def app(_: Message, receive: Receive, send: Send) -> None:
        for _ in range(count):
            got.append((await receive())["bytes"])
            page = ""
            with suppress(DecodeError):
                page = BackMsg.FromString(got[-1]).rerun_script.page_script_hash
            whole, parts = (begins(page=page), navigates(page), draws(), draws("counting")), ("part", "counting")
            for answer in (*whole, ends(), begins(*parts), draws(), ends(*parts)):
                await send({"type": "websocket.send", "bytes": answer})

    asyncio.run(order.InOrder(app)({"type": "websocket"}, receive, send))
    return got


BY_ITSELF = pytest.mark.parametrize(
    "first", [asks("part", by_itself=True), asks("part", pressed=True)], ids=["counts", "pressed"]
)
LOADED = [begins(page="main"), navigates(), draws(), ends()]
DRAWS_ANEW = [begins("part"), draws(), ends(again=True), begins(run="anew"), draws()]


@pytest.mark.parametrize(
    ("first", "before"), [(asks("part"), begins("part")), (asks(), begins())], ids=["part", "whole"]
)
def test_next_request_waits_until_the_last_is_drawn(first: bytes, before: bytes) -> None:
    said = [first, asks(page="other"), asks("late", page="other")]
    answers = [draws(), begins("counting"), draws(), before, running(), draws()]
    of_other = [begins(), draws(), begins(page="other"), draws(), ends()]
    assert handed_on(said, answers + of_other) == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]


def test_choice_does_not_wait_until_the_one_before_is_drawn_to_its_end() -> None:
    answers = [begins(), tells_address(), draws(), begins(), draws()]  # the address, by a callback
    assert handed_on([asks(), asks(), asks()], answers) == [1, 1, 1, 2, 2, 3]


def test_next_request_waits_until_a_button_that_was_pressed_has_been_read() -> None:
    said = [asks("part", pressed=True), asks()]
    answers = [begins("part"), running(), draws(), ends(run="other"), draws(), ends()]
    assert handed_on(said, answers) == [1, 1, 1, 1, 1, 1, 2]
    assert handed_on([asks("part", pressed=True), asks()], [begins(), draws(), ends()]) == [1, 1, 1, 2]  # was folded
    stale = [begins(run="old"), draws(), begins(), draws(), ends()]
    assert handed_on([asks(pressed=True), asks()], stale) == [1, 1, 1, 1, 1, 2]
    once_more = [begins("part"), draws(), ends(again=True)]
    assert handed_on([asks("part", pressed=True), asks(page="other")], once_more) == [1, 1, 1, 2]
    left = [asks(page="new"), asks("part", page="old"), asks("part", page="old")]  # the second is made whole
    led_back = [begins(page="new"), draws(), begins(page="old"), draws(), ends()]
    assert handed_on(left, led_back) == [1, 1, 2, 2, 2, 3]


def test_what_a_page_asks_by_itself_is_neither_held_nor_waited_for() -> None:
    tick, other = asks("counting", by_itself=True), asks("other", by_itself=True)
    shown = [*LOADED[:-1], draws("counting"), lets_ask("other"), ends()]
    said = (tick, other, asks(page="left"), asks(page="left"))
    assert handed_on([asks(page="")], [*shown, said]) == [1, 1, 1, 1, 1, 1, 1, 4]
    assert handed_on([tick, tick, other], []) == [2]  # one at a time


def test_what_a_page_asks_by_itself_is_dropped_where_it_is_drawn_anyway() -> None:
    tick = asks("part", by_itself=True)
    assert handed_on([asks(), tick], [(tick,), begins(), draws(), (tick,), ends(), (tick,)]) == [1, 1, 1, 1, 1, 1, 2]
    anew = [begins("part"), draws(), ends(again=True), (tick,), begins(run="anew"), draws(), (tick,), ends(), (tick,)]
    assert handed_on([asks("part", pressed=True)], anew) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]


def test_click_on_a_part_that_got_another_place_asks_for_the_whole_page() -> None:
    gone = (asks("gone", by_itself=True), asks("gone"), asks())
    answers = [begins("gone"), draws(), ends("gone"), begins(run="whole"), draws(), ends(run="whole")]
    assert handed_on([asks(page="")], [*LOADED, gone, *answers]) == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]
    said = iter([asks(), asks("gone"), asks("part")])
    assert heard(said, 3) == [asks(), asks(), asks("part")]


def test_part_is_not_gone_where_the_page_is_not_yet_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "LONGEST", 0.0)
    got: list[bytes] = []
    handed_on([asks(page="")], [*LOADED, begins(), draws("other"), (asks("part"),), ends(), (asks("part"),)], got)
    assert got == [asks(page=""), asks("part"), asks()]


def test_click_on_a_part_waits_until_the_newest_page_is_drawn() -> None:
    said = [asks(), asks("part")]
    anew = [begins(), draws(), begins(run="anew"), draws(), ends(again=True), begins(run="last"), draws(), ends()]
    assert handed_on(said, anew) == [1, 1, 1, 1, 1, 1, 1, 1, 2]


def test_nothing_waits_for_a_part_that_has_stopped_to_count() -> None:
    said = (asks("part", by_itself=True), asks())
    assert handed_on([asks(page="")], [*LOADED, said, stops("part")]) == [1, 1, 1, 1, 1, 2, 3]
    assert handed_on([asks(page="")], [*LOADED, stops("part"), said[:1]]) == [1, 1, 1, 1, 1, 1, 1]


def test_click_on_a_part_waits_for_what_the_page_asked_by_itself() -> None:
    said = [asks("part", by_itself=True), asks("part"), asks()]
    once = [begins("part"), draws(), ends("part")]
    assert handed_on(list(said), once * 2) == [1, 1, 1, 2, 2, 2, 3]
    anew = [begins("part"), draws(), ends(again=True), begins(), draws(), ends()]
    assert handed_on(list(said), anew + once) == [1, 1, 1, 1, 1, 1, 2, 2, 2, 3]
    folded = [begins("other"), begins(), draws(), ends()]  # it is drawn with the whole page
    assert handed_on(said, folded + once) == [1, 1, 1, 1, 2, 2, 2, 3]


def test_where_a_file_may_go_is_neither_asked_nor_forgotten_as_a_page_begins() -> None:
    """Streamlit forgets what it has not yet told as a whole page begins; a part that counts is none."""
    said = [asks(), wants(), asks("part", by_itself=True), asks(), wants()]
    answers = [begins(), draws(), ends(again=True), begins(run="anew"), draws(), ends(run="anew")]
    again = [gives(), begins("part"), draws(), ends("part"), begins(), draws(), ends()]
    assert handed_on(said, answers + again) == [1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 4, 4, 4, 5]


@BY_ITSELF
def test_choice_waits_for_what_the_page_draws_by_itself(first: bytes) -> None:
    events = [
        *LOADED,
        (first, asks(), asks(page="other")),
        *DRAWS_ANEW,
        ends(run="anew"),
        begins(run="chosen"),
        draws(),
    ]
    assert handed_on([asks(page="")], events) == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4]


def test_line_that_was_lost_and_is_back() -> None:
    said, got = [asks("part", by_itself=True), asks("other"), asks()], list[bytes]()
    answers = [begins("part"), draws(), ends("part"), begins("other"), draws(), ends("other")]
    assert handed_on(said, answers, got) == [1, 1, 1, 2, 2, 2, 3]
    assert got[1] == asks("other")
    assert handed_on([asks("part", by_itself=True), asks()], answers[:3]) == [1, 1, 1, 2]


@BY_ITSELF
def test_page_is_left_though_it_draws_by_itself(first: bytes) -> None:
    events = [*LOADED, (first,), *DRAWS_ANEW, (asks(page="other"), asks())]
    late = [draws(), ends(run="anew", again=True), begins(page="other"), draws()]
    assert handed_on([asks(page="")], [*events, *late]) == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4]


def test_what_a_page_that_is_left_still_draws_is_no_answer() -> None:
    said = (asks("part", by_itself=True), asks(page="other"), asks())
    late = [*DRAWS_ANEW, ends(run="anew", again=True), begins(page="other"), draws()]
    assert handed_on([asks(page="")], [*LOADED, said, *late]) == [1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 4]


def test_request_goes_on_where_the_one_before_is_never_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "LONGEST", 0.0)
    assert handed_on([asks("gone"), asks(), asks("part")], []) == [3]


def test_click_on_a_part_of_a_page_that_was_left_asks_for_that_page(monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter([asks(page="old"), asks("part", page="old"), asks(page="new"), asks("part", page="old")])
    expected = [asks(page="old"), asks("part", page="old"), asks(page="new"), asks(page="old")]
    assert heard(said, 4) == expected
    again = [asks(page="old"), asks(page="new"), asks(page="new")]
    tick = asks("counting", page="old", by_itself=True)
    assert heard(iter([*again, tick, asks("part", page="old")]), 4) == [*again, asks(page="old")]
    back = [*again, asks("part", page="old"), asks("part", page="old"), tick, asks("part", page="old")]
    assert heard(iter(back), 7) == [*again, asks(page="old"), asks(page="old"), tick, asks("part", page="old")]
    arrived = [asks(page="old"), asks(page="new"), asks("part", page="new"), asks("part", page="old"), tick]
    assert heard(iter(arrived), 5) == arrived  # the server itself led back
    monkeypatch.setattr(order, "LONGEST", 0.0)
    assert heard(iter([*again, tick, asks("part", page="old")]), 5) == [*again, tick, asks("part", page="old")]


def test_page_to_which_the_server_led_is_none_that_was_left() -> None:
    said, tick = [asks(page="home")], asks("part", page="result", by_itself=True)
    home, result = (begins(page="home"), navigates("home")), (begins(page="result"), navigates("result"))
    end = (draws(), ends(), (tick,))
    assert handed_on(list(said), [*home, *result, *end]) == [1, 1, 1, 1, 1, 1, 1, 2]
    assert handed_on(said, [*result, *home, *end]) == [1, 1, 1, 1, 1, 1, 1, 1]  # of a run before


def test_what_is_no_request_passes_as_it_is() -> None:
    said = [b"\xff\xff", BackMsg(load_git_info=True).SerializeToString()]
    assert heard(iter(said), 2) == said
