"""A table of ten string columns (2 to 200 levels) and ten float columns, three string classes, some cells missing."""

import numpy as np
import pandas as pd
import pyarrow as pa

LEVELS = {f"s{j}": levels for j, levels in enumerate((2, 3, 5, 8, 12, 20, 35, 60, 120, 200))}
STRINGS, FLOATS = list(LEVELS), [f"x{j}" for j in range(10)]
CLASSES = ("alpha", "beta", "gamma")


def arrow_table(rows: int, missing: float = 0.05, seed: int = 0) -> tuple[pa.Table, pa.DictionaryArray]:
    """Features (strings as Arrow dictionaries, missing as null) and labels."""
    rng = np.random.default_rng(seed)
    y = rng.choice(len(CLASSES), rows, p=[0.5, 0.3, 0.2])
    columns = {name: strings(rng, y, name, levels, missing) for name, levels in LEVELS.items()}
    for name in FLOATS:
        mean, spread = rng.normal(0, 0.3, len(CLASSES)), rng.uniform(0.8, 1.5, len(CLASSES))
        columns[name] = pa.array(rng.normal(mean[y], spread[y]), mask=rng.random(rows) < missing)
    return pa.table(columns), coded(y, CLASSES)


def strings(rng: np.random.Generator, y: np.ndarray, name: str, levels: int, missing: float) -> pa.DictionaryArray:
    """Levels drawn from a distribution of the class, as a dictionary column."""
    codes = np.empty(len(y), np.int32)
    for k in range(len(CLASSES)):
        mine = y == k
        codes[mine] = rng.choice(levels, mine.sum(), p=rng.dirichlet(np.full(levels, 3.0)))
    return coded(codes, [f"{name}_level_{level}" for level in range(levels)], rng.random(len(y)) < missing)


def coded(codes: np.ndarray, levels: object, mask: np.ndarray | None = None) -> pa.DictionaryArray:
    """A dictionary array of codes and their levels."""
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=mask), pa.array(levels, pa.string()))


def pandas_table(table: pa.Table, y: pa.DictionaryArray) -> tuple[pd.DataFrame, pd.Series]:
    """The same in pandas' default types: `str` with NaN, float64 with NaN."""
    plain = pa.schema([(name, pa.string() if name in LEVELS else pa.float64()) for name in table.column_names])
    return table.cast(plain).to_pandas(), y.cast(pa.string()).to_pandas()
