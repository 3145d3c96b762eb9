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
    if fault == "banner":
        print("Vendor SDK 1.0", flush=True)
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
            case "blank":
                answer[-1] = ""
            case "short":
                answer[-1] = "1.5"
            case "wide":
                answer = ["1 " * (2 * int(length) + 1_025)] * int(count)
            case "exits":
                print(answer[0], flush=True)
                sys.exit(7)
            case "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "half-a-line":
                sys.stdout.write(answer[0][:3])
                sys.exit(0)
            case "fewer":
                del answer[max(1, len(answer) - 1) :]
            case "more":
                answer.append(answer[0])
            case "endless-lines":
                while True:  # more than was asked for in each piece that a pipe passes on whole
                    print("\n".join(answer * 10))
            case "endless-line":
                while True:
                    print(answer[0], end=" ")
            case "noise-on-stderr":
                sys.stderr.write("warning: entropy pool is warming up\n" * 20_000)
            case "infinite":
                answer = ["nan " * (int(length) - 1) + "-Infinity"] * int(count)
            case "windows":
                answer = [row + "\r" for row in answer]
        print("\n".join(answer), flush=True)
        if fault == "unasked":
            print(answer[0], flush=True)
    if fault == "deaf-to-the-end":
        time.sleep(600)


if __name__ == "__main__":
    main()
