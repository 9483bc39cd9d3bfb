"""Mistakes drawn at random: so many of each room, the same whenever seed and sources are.

Each that could be planted has a number, made from the seed and from what it is (file, text of the line, change), and
the smallest numbers are drawn: a change to one file leaves the draws from the others as they are.

>>> source = "def total(w):\\n    return sum(w) + 1\\n"
>>> [identity for identity, _ in identities("m.py", source)]
['m.py | return sum(w) + 1 | return sum(w) + 1 -> None', 'm.py | return sum(w) + 1 | + -> -', \
'm.py | return sum(w) + 1 | 1 -> 2']
"""

import ast
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from heapq import nsmallest

from tests.mutants.kernels import is_kernel
from tests.mutants.lines import ROOT
from tests.mutants.plant import Mutant, changes, plant

ROOMS = (
    "data",
    "tally",
    "families",
    "models",
    "networks",
    "decisions",
    "explanations",
    "learning",
    "store",
    "io",
    "runtime",
    "kernels",
)


def counts_of(rooms: str, count: int) -> dict[str, int]:
    """How many mutants of each room are wanted, as the command line says it.

    >>> counts_of("tally,networks:30", 8)
    {'tally': 8, 'networks': 30}
    """
    named = (room.partition(":") for room in rooms.split(","))
    return {room: int(told) if told else count for room, _, told in named}


def draw_mutants(counts: dict[str, int], seed: int) -> dict[str, Mutant]:
    """So many mutants of each room by what identifies them, in an order that spreads each room over the whole hunt."""
    drawn: list[tuple[float, str, str, int]] = []
    for room, count in counts.items():
        every = [
            (path, identity, k)
            for file in sorted((ROOT / "src" / "bayesfold" / room).rglob("*.py"))
            if room != "kernels" or is_kernel(str(file.relative_to(ROOT)))
            for path in [str(file.relative_to(ROOT))]
            for identity, k in identities(path, file.read_text(encoding="utf-8"))
        ]
        numbered = ((digest(f"{seed} {identity}"), path, identity, k) for path, identity, k in every)
        least = nsmallest(count, numbered)
        drawn += [((turn + 0.5) / len(least), path, identity, k) for turn, (_, path, identity, k) in enumerate(least)]
        print(f"{room}: {len(least)} of {len(every)} mutants", flush=True)
    drawn.sort(key=lambda one: one[0])
    return {identity: plant(path, (ROOT / path).read_text("utf-8"), k) for _, path, identity, k in drawn}


def identities(path: str, source: str) -> Iterator[tuple[str, int]]:
    """What identifies each mistake that can be planted in a file, and its place among them."""
    lines, seen = source.splitlines(), Counter[str]()
    for k, (line, what, _) in enumerate(changes(ast.parse(source))):
        identity = f"{path} | {lines[line - 1].strip()} | {what}"
        seen[identity] += 1
        yield identity if seen[identity] == 1 else f"{identity} | {seen[identity]}", k


def digest(text: str) -> str:
    """A number that looks drawn at random."""
    return sha256(text.encode()).hexdigest()
