"""Streams of generated text of any length, and learning from them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bayesfold

WORDS, LENGTH, PLACES = 50_000, 10, 2**16
DOCUMENTS = 20_000
"""Documents that come again and again, each time with other words behind them."""


def documents(many: int, fresh: int) -> Iterator[str]:
    """Documents of one vocabulary; each has `fresh` words besides that no other document shows."""
    rng = np.random.default_rng(0)
    p = 1 / np.arange(1, WORDS + 1)
    drawn = rng.choice(WORDS, (DOCUMENTS, LENGTH), p=p / p.sum()).tolist()
    again = [" ".join(f"w{j}" for j in row) for row in drawn]
    for i in range(many):
        yield " ".join([again[i % DOCUMENTS], *(f"n{i}x{k}" for k in range(fresh))])


def classifier(hashed: int | None) -> Any:
    """What learns: nothing that needs rows to be looked at twice."""
    return bayesfold.TextClassifier(model="multinomial", alpha=1.0, weights=None, hashed=hashed)


def by_blocks(many: int, fresh: int, hashed: int | None, block: int = 20_000) -> Any:
    """Learn block after block."""
    clf, stream = classifier(hashed), documents(many, fresh)
    for begin in range(0, many, block):
        texts = [text for _, text in zip(range(min(block, many - begin)), stream, strict=False)]
        clf.partial_fit(texts, [i % 2 for i in range(len(texts))])
    return clf


def write(path: Path, many: int, fresh: int) -> None:
    """The same documents as a file."""
    with path.open("w") as file:
        file.write("text,y\n")
        file.writelines(f"{text},{i % 2}\n" for i, text in enumerate(documents(many, fresh)))


def by_file(path: str, hashed: int | None) -> Any:
    """Learn a file."""
    return classifier(hashed).fit_from(path, target="y")
