"""A network of a program's own, whose every packet is noted: ``python -m tests.helpers.apart NOTES COMMAND ...``.

It has a loopback and a cable whose other end nobody holds: what is sent anywhere is really sent, and reaches nobody.
"""

import json
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

ADDRESSES = ("10.77.0.1", "fd77::1")
_SETUP = (
    "link set lo up",
    "link add out0 type veth peer name out1",
    "link set out0 arp off up",
    "link set out1 up",
    f"addr add {ADDRESSES[0]}/24 dev out0",
    "route add default dev out0",
)
_SETUP_6 = (f"-6 addr add {ADDRESSES[1]}/64 dev out0 nodad", "-6 route add default dev out0")
_SYN, _ACK, _NAME_SERVER = 0x02, 0x10, 53


def prefix(notes: Path) -> list[str]:
    """Return what to put before a command so that it runs in a network of its own; empty where there can be none."""
    command = ["unshare", "--map-root-user", "--net", sys.executable, "-m", "tests.helpers.apart", str(notes)]
    if not all(map(shutil.which, ("unshare", "ip"))):
        return []
    tried = subprocess.run([*command, "true"], check=False, capture_output=True)
    return command if tried.returncode == 0 else []


def noted(packet: bytes) -> tuple[str, str, int, str] | None:
    """Return protocol, target, its port and the name asked for of an IP packet that opens something, else None."""
    if packet[0] >> 4 == 4:
        kind, target, start = packet[9], socket.inet_ntop(socket.AF_INET, packet[16:20]), 4 * (packet[0] & 15)
    else:
        kind, target, start = packet[6], socket.inet_ntop(socket.AF_INET6, packet[24:40]), 40
    port = int.from_bytes(packet[start + 2 : start + 4])
    if kind == socket.IPPROTO_TCP and packet[start + 13] & (_SYN | _ACK) == _SYN:
        return "tcp", target, port, ""
    if kind == socket.IPPROTO_UDP:
        return "udp", target, port, _question(packet[start + 20 :]) if port == _NAME_SERVER else ""
    return None


def _question(message: bytes) -> str:
    """Return the name in a question to a name server: parts, each after its length."""
    parts = list[str]()
    while message and message[0]:
        parts.append(message[1 : 1 + message[0]].decode("latin-1"))
        message = message[1 + message[0] :]
    return ".".join(parts)


def _listen(tap: socket.socket, found: set[tuple[str, str, int, str]]) -> None:
    while True:
        packet, (_, protocol, *_) = tap.recvfrom(512)
        if protocol in (0x0800, 0x86DD) and (note := noted(packet)):
            found.add(note)


def main() -> int:
    """Set up the network that this process is alone in, run a command in it, and write down where packets went."""
    notes, command = Path(sys.argv[1]), sys.argv[2:]
    for line in _SETUP:
        subprocess.run(["ip", *line.split()], check=True)
    for line in _SETUP_6:  # where there is no IPv6, nothing can leave by it
        subprocess.run(["ip", *line.split()], check=False, stderr=subprocess.DEVNULL)
    found: set[tuple[str, str, int, str]] = set()
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003)) as tap:
        threading.Thread(target=_listen, args=(tap, found), daemon=True).start()
        code = subprocess.run(command, check=False).returncode
    notes.write_text(json.dumps(sorted(found)))
    return code


if __name__ == "__main__":
    sys.exit(main())
