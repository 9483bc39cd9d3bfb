"""New seeds until the time is over: `./dev soak --minutes 30`. Or one seed: `./dev soak --seed tables 644`.

A seed that fails is printed with what it was and the command that repeats it; the others go on.
"""

import argparse
import importlib
import sys
import tempfile
import time
import traceback
from pathlib import Path

SUBJECTS = {"tables": 20, "exports": 20, "networks": 20, "files": 4, "processes": 1}
"""How many seeds of each are tried in turn: they take about as long."""


def tried(subject: str, seed: int) -> bool:
    """Whether a seed holds; if not, why is printed."""
    check = importlib.import_module(f"tests.adversarial.test_{subject}").check
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(seed, Path(folder))
        except Exception:  # noqa: BLE001 (whatever it is, it is told, and the next seed is tried)
            print(
                f"\n{traceback.format_exc()}\n{subject} {seed} failed: ./dev soak --seed {subject} {seed}", flush=True
            )
            return False
    return True


def until(end: float, first: int) -> int:
    """Try seeds until the time is over; how many failed."""
    seed, counts, failed = first, dict.fromkeys(SUBJECTS, 0), 0
    while time.monotonic() < end:
        for subject, many in SUBJECTS.items():
            for k in range(many):
                if time.monotonic() < end:
                    failed += not tried(subject, seed + k)
                    counts[subject] += 1
        seed += max(SUBJECTS.values())
    said = ", ".join(f"{n} {subject}" for subject, n in counts.items())
    print(f"{said}, from seed {first} on; {failed} failed")
    return failed


def main() -> int:
    """The exit code: 1 where a seed failed."""
    parser = argparse.ArgumentParser(prog="./dev soak", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--first", type=int, default=int(time.time()) % 1_000_000 * 1_000, help="the first seed")
    parser.add_argument("--seed", nargs=2, metavar=("SUBJECT", "SEED"), help="one seed of one subject, and no other")
    told = parser.parse_args()
    if told.seed:
        return int(not tried(told.seed[0], int(told.seed[1])))
    return int(until(time.monotonic() + 60 * told.minutes, told.first) > 0)


if __name__ == "__main__":
    sys.exit(main())
