"""A generated table of parcels: text of 2 to 200 levels, floats, whole numbers, one cell in twenty missing.

The last depot opens late: only the last tenth of the rows can show it.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

CLASSES = np.array(["late", "lost", "on time"])
SHARES = (0.15, 0.02, 0.83)
LEVELS = {"express": 2, "weekday": 7, "carrier": 12, "country": 40, "depot": 200}
HOLES = 0.05


def parcels(rows: int, seed: int = 0) -> tuple[pa.Table, NDArray[np.str_]]:
    """The table, text as Arrow dictionaries, and what became of each parcel."""
    draw = np.random.default_rng(seed)
    fate = draw.choice(len(CLASSES), rows, p=SHARES)
    trouble = np.array([0.6, 1.0, 0.0])[fate]
    columns: dict[str, Any] = {name: text(draw, fate, name, levels) for name, levels in LEVELS.items()}
    columns |= {
        "distance": holed(draw, draw.lognormal(5.0 + 0.8 * trouble, 0.8)),
        "weight": holed(draw, draw.lognormal(0.3 * trouble, 0.6)),
        "temperature": holed(draw, draw.normal(11.0 - 9.0 * trouble, 8.0)),
        "value": holed(draw, draw.normal(60.0 + 40.0 * (fate == 1), 20.0)),
        "items": holed(draw, draw.poisson(1.5 + 2.0 * trouble)),
        "hour": holed(draw, (14 + 5 * trouble + 4 * draw.standard_normal(rows)).astype(np.int64) % 24),
    }
    return pa.table(columns), CLASSES[fate]


def text(draw: "np.random.Generator", fate: NDArray[np.intp], name: str, levels: int) -> pa.Array:
    """Levels whose shares differ from class to class."""
    base = draw.dirichlet(np.full(levels, 2.0))
    ladder = np.cumsum([0.8 * base + 0.2 * draw.dirichlet(np.full(levels, 0.5)) for _ in CLASSES], axis=1)
    height = draw.random(len(fate))
    code = np.empty(len(fate), np.int32)
    for k, steps in enumerate(ladder):
        own = fate == k
        code[own] = np.searchsorted(steps, height[own] * steps[-1])
    words = [f"{name} {i}" for i in range(levels)]
    code = np.minimum(code, levels - 1)
    if name == "depot":
        code[: len(code) * 9 // 10] %= levels - 1
    return pa.DictionaryArray.from_arrays(holed(draw, code), words)


def holed(draw: "np.random.Generator", values: NDArray[Any]) -> pa.Array:
    """The values, some of them missing."""
    return pa.array(values, mask=draw.random(len(values)) < HOLES)
