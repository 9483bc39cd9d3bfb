"""Peak memory of learning from a stream of text, and from one ten times as long: `python -m benchmarks.text_memory`.

A hashed vocabulary must not grow at all; an exact one with the distinct terms that were seen, and not with the text.
Each figure is that of a process of its own, which learns documents block after block, or from a CSV file, and is asked
for its high-water mark.
"""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.memory import extra_peak
from benchmarks.text_stream import PLACES, WORDS, by_blocks, by_file, write

SHORT, LONG = 200_000, 2_000_000
STREAMS = (
    (f"hashed to {PLACES:,} places, a new word in every document", 1, PLACES),
    (f"exact, {WORDS:,} words", 0, None),
    ("exact, a new word in every document", 1, None),
)


def peaks(fresh: int, hashed: int | None) -> Iterator[tuple[str, list[int]]]:
    """In both ways of learning the peaks of a stream and of a longer one, in bytes."""
    yield "by blocks", [extra_peak(partial(by_blocks, many, fresh, hashed)) for many in (SHORT, LONG)]
    found = []
    for many in (SHORT, LONG):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "stream.csv")
            write(path, many, fresh)
            found.append(extra_peak(partial(by_file, str(path), hashed)))
    yield "from a file", found


def main() -> int:
    """Print a line for each stream and way."""
    print(f"{'peak memory above imports':70} {SHORT:10,} documents {LONG:10,} documents")
    for name, fresh, hashed in STREAMS:
        for way, found in peaks(fresh, hashed):
            figures = "".join(f"{peak / 2**20:17.0f} MiB" for peak in found)
            print(f"{name + ', ' + way:70} {figures}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
