"""The style sheet comes with every whole page, and with nothing else."""

import asyncio
from typing import Any

from pages.frame.early import Message, Styled
from pages.frame.style import STYLE

PAGE = b"<!doctype html><html><body></body></html>"


def answer(
    status: int = 200, kind: bytes = b"text/html; charset=utf-8", accept: bytes = b"text/html,*/*", method: str = "GET"
) -> tuple[dict[bytes, bytes], bytes, dict[bytes, bytes]]:
    """Return headers and body of an answer in two parts, and the headers that the app behind saw."""
    seen: dict[bytes, bytes] = {}
    sent: list[Message] = []

    async def app(scope: Message, receive: Any, send: Any) -> None:
        seen.update(scope["headers"])
        headers = [(b"content-type", kind), (b"content-length", str(len(PAGE)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE[:10], "more_body": True})
        await send({"type": "http.response.body", "body": PAGE[10:]})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asked = [(b"accept", accept), (b"accept-encoding", b"gzip"), (b"if-none-match", b'"old"')]
    asyncio.run(Styled(app)({"type": "http", "method": method, "headers": asked}, receive, send))
    body = b"".join(part["body"] for part in sent if part["type"] == "http.response.body")
    return dict(sent[0]["headers"]), body, seen


def test_page_ends_with_the_style_sheet_and_says_its_length() -> None:
    headers, body, seen = answer()
    assert body == PAGE + STYLE.encode()
    assert int(headers[b"content-length"]) == len(body)
    assert set(seen) == {b"accept"}, "a page that the browser kept, or a packed one, would lack it"


def test_all_else_is_left_alone() -> None:
    for other in ({"status": 404}, {"kind": b"text/javascript"}, {"accept": b"*/*"}, {"method": "HEAD"}):
        headers, body, _ = answer(**other)  # type: ignore[arg-type]
        assert body == PAGE
        assert int(headers[b"content-length"]) == len(PAGE)
