"""P(number | parents): normal about a line in the numbers above it, one line for each state of the categories above it.

    weight | sex=f  ~  N(12.3 + 0.45 height, 3.1^2)

>>> tall = LinearGaussian(12.3, 3.1, {"height": 0.45})
>>> print(tall)
N(12.3 + 0.45 height, 3.1^2)
>>> sex = {"sex": ("f", "m")}
>>> lines = read_lines({"f": tall, "m": LinearGaussian(-20, 4, {"height": 0.6})}, "weight", sex, ["height"])
>>> print("\\n".join(lines.words("weight", sex, ["height"])))
weight | sex=f ~ N(12.3 + 0.45 height, 3.1^2)
weight | sex=m ~ N(-20 + 0.6 height, 4^2)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from bayesfold.data.frame import Floats
from bayesfold.networks.factor_states import States, check_name, find_state, name_of, print_number
from bayesfold.networks.tables import row_title
from bayesfold.runtime.messages import listed


@dataclass(frozen=True)
class LinearGaussian:
    """A linear regression with normal errors: N(intercept + sum of slope times numeric parent, sd^2)."""

    intercept: float
    sd: float
    slopes: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "intercept", float(self.intercept))
        object.__setattr__(self, "sd", float(self.sd))
        object.__setattr__(self, "slopes", {name_of(v): float(x) for v, x in self.slopes.items()})
        if not np.isfinite([self.intercept, self.sd, *self.slopes.values()]).all() or self.sd < 0:
            raise ValueError(f"a line has finite numbers and a standard deviation of at least 0, not {self!r}")

    def __str__(self) -> str:
        terms = [(abs(x), f"{print_number(abs(x))} {v}", x < 0) for v, x in self.slopes.items()]
        first = print_number(self.intercept)
        if terms and self.intercept == 0:
            _, text, below = terms.pop(0)
            first = f"-{text}" if below else text
        line = first + "".join(f" {'-' if below else '+'} {text}" for _, text, below in terms)
        return f"N({line}, {print_number(self.sd)}^2)"


@dataclass(frozen=True, eq=False)
class Lines:
    """intercept and sd: [*categories above]; slopes: [*categories above, numbers above]."""

    intercept: Floats
    slopes: Floats
    sd: Floats

    def __post_init__(self) -> None:
        for name in ("intercept", "slopes", "sd"):
            values = np.array(getattr(self, name), np.float64, order="C")
            if not np.isfinite(values).all():
                raise ValueError(f"the {name} of a line must be finite numbers")
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        if self.intercept.shape != self.sd.shape or self.slopes.shape[:-1] != self.sd.shape:
            raise ValueError(
                f"intercepts {self.intercept.shape}, slopes {self.slopes.shape} and standard deviations {self.sd.shape}"
                " are not of the same categories"
            )
        if (self.sd < 0).any():
            raise ValueError(f"a standard deviation is at least 0, not {print_number(self.sd.min())}")

    def at(self, path: tuple[int, ...], above: Sequence[str]) -> LinearGaussian:
        """The line for some states of the categories."""
        slopes = dict(zip(above, self.slopes[path].tolist(), strict=True))
        return LinearGaussian(float(self.intercept[path]), float(self.sd[path]), slopes)

    def words(self, child: str, axes: Mapping[str, States], above: Sequence[str]) -> Iterator[str]:
        """One line of text for each combination of states."""
        for path in product(*(range(len(states)) for states in axes.values())):
            title = row_title(child, tuple(axes), axes, path).removeprefix("P(").removesuffix(")")
            yield f"{title} ~ {self.at(path, above)}"


def read_lines(given: Any, child: str, axes: Mapping[str, States], above: Sequence[str]) -> Lines:
    """Lines as people write them: one, or dicts of them by states of the categories above; `above`: numbers."""
    if isinstance(given, Lines):
        expected = tuple(map(len, axes.values())), len(above)
        if (given.sd.shape, given.slopes.shape[-1]) != expected:
            raise ValueError(
                f"the lines of {child!r} have the shape {given.slopes.shape} instead of {(*expected[0], expected[1])}"
            )
        return given
    shape = tuple(map(len, axes.values()))
    intercept, slopes, sd = np.full(shape, np.nan), np.zeros((*shape, len(above))), np.zeros(shape)

    def fill(part: Any, path: tuple[int, ...]) -> None:
        left = list(axes)[len(path) :]
        if not left:
            line = as_line(part, child)
            if not np.isnan(intercept[path]):
                title = row_title(child, tuple(axes), axes, path)
                raise ValueError(f"the line of {title.removeprefix('P(').removesuffix(')')} is given twice; keep one")
            for v in line.slopes:
                check_name(f"number above {child!r}", v, above)
            intercept[path], sd[path] = line.intercept, line.sd
            slopes[path] = [line.slopes.get(v, 0.0) for v in above]
            return
        if not isinstance(part, Mapping):
            raise TypeError(f"the lines of {child!r} need the states of {listed(left)} as keys, not {part!r}")
        for key, inner in part.items():
            keys = key if isinstance(key, tuple) and len(left) > 1 else (key,)
            if len(keys) > len(left):
                raise ValueError(
                    f"the lines of {child!r} have the key {key!r}; the categories above are {listed(axes)}"
                )
            fill(inner, (*path, *(find_state(v, axes[v], s) for v, s in zip(left, keys, strict=False))))

    fill(given, ())
    if np.isnan(intercept).any():
        path = tuple(int(i) for i in np.argwhere(np.isnan(intercept))[0])
        raise ValueError(f"{row_title(child, tuple(axes), axes, path)} is not given: each state needs a line")
    return Lines(intercept, slopes, sd)


def as_line(given: Any, child: str) -> LinearGaussian:
    """One line."""
    if not isinstance(given, LinearGaussian):
        raise TypeError(f"the line of {child!r} is a LinearGaussian(intercept, sd, slopes), not {given!r}")
    return given


def has_lines(given: Any) -> bool:
    """Whether what was given for a node is lines, and not a table: then the node is a number."""
    while isinstance(given, Mapping) and given:
        given = next(iter(given.values()))
    return isinstance(given, LinearGaussian | Lines)
