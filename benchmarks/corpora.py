"""Documents out of 50,000 made-up words by Zipf's law, about 100 to a document; of the second 15 % are accented
and 15 % Chinese.
"""

from typing import Any

import numpy as np

CLASSES, WORDS, LENGTH = 20, 50_000, 100
LETTERS = "etaoinshrdlucmfwygpbvk"
ACCENTS = str.maketrans("aeou", "áéöü")
CHINESE = str.maketrans({letter: chr(0x4E00 + 7 * i) for i, letter in enumerate(LETTERS)})


def corpora(documents: int) -> tuple[dict[str, list[str]], Any]:
    """The two corpora, and the classes."""
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list(LETTERS), rng.integers(2, 11))) for _ in range(WORDS)]
    p = 1 / np.arange(1, WORDS + 1)
    drawn = rng.choice(WORDS, (documents, LENGTH), p=p / p.sum())
    capital = rng.random((documents, LENGTH)) < 0.1
    plain = [
        " ".join(words[w].title() if c else words[w] for w, c in zip(row, capitals, strict=True))
        for row, capitals in zip(drawn, capital, strict=True)
    ]
    mixed = [
        text.translate(ACCENTS) if i % 20 < 3 else text.translate(CHINESE) if i % 20 < 6 else text
        for i, text in enumerate(plain)
    ]
    return {"ASCII": plain, "30 % other": mixed}, rng.integers(0, CLASSES, documents)
