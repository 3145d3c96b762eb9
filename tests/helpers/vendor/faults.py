"""A program that speaks the line protocol badly: ``python faults.py FAULT``; "none" answers as it should."""

import os
import signal
import subprocess
import sys
import time


def main() -> None:
    fault = sys.argv[1]
    if fault == "ends-at-start":
        sys.exit("no licence found")
    if fault == "deaf-to-the-end":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if fault == "child":
        print(subprocess.Popen(["sleep", "600"]).pid, file=sys.stderr, flush=True)
    if fault == "unread":
        while True:
            time.sleep(1)
    for line in sys.stdin:
        _, count, length, *numbers = line.split()
        assert len(numbers) == int(length)
        answer = [" ".join(numbers)] * int(count)
        match fault:
            case "silent":
                time.sleep(600)
            case "words":
                answer[-1] = "hello \x1b[2J"
            case "short":
                answer[-1] = "1.5"
            case "exits":
                print(answer[0], flush=True)
                sys.exit(7)
            case "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "more":
                answer.append(answer[0])
            case "endless-lines":
                while True:  # more than was asked for in each piece that a pipe passes on whole
                    print("\n".join(answer * 10))
            case "endless-line":
                while True:
                    print(answer[0], end=" ")
            case "infinite":
                answer = ["nan " * (int(length) - 1) + "-Infinity"] * int(count)
        print("\n".join(answer), flush=True)
    if fault == "deaf-to-the-end":
        time.sleep(600)


if __name__ == "__main__":
    main()
