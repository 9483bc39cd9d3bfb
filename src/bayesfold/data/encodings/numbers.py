"""Numbers, or their logarithms, as they are.

>>> Real("dose", transform="log").encode(Frame.of({"dose": [1.0, None, 0.0]})).tolist()        # of 0 there is none
[0.0, nan, nan]
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.encoding import NO_MARKERS, Encoding, with_markers
from bayesfold.data.frame import Floats, Frame, Level


@dataclass(frozen=True)
class Real(Encoding):
    """A column of numbers, or of their logarithms, and the family its density was found to be of.

    `least`: numbers below it may be scored, but not learned.
    """

    name: str
    source: str = ""
    transform: str = ""
    missing: frozenset[Level] = NO_MARKERS
    family: str = "gaussian"
    least: float | None = None
    is_number: ClassVar[bool] = True
    reads_numbers: ClassVar[bool] = True

    @classmethod
    def restored(
        cls,
        name: str,
        source: str = "",
        transform: str = "",
        missing: frozenset[Level] = NO_MARKERS,
        family: str = "gaussian",
        least: float | None = None,
    ) -> "Real":
        """The column that a file tells of; when files did not tell the least number, poisson alone had one."""
        before = 0.0 if family == "poisson" else None
        return cls(name, source, transform, missing, family, before if least is None else least)

    def encode(self, frame: Frame) -> Floats:
        """The number of each row, NaN where it is missing."""
        x = frame.numbers(self.origin, self.missing)
        return x if not self.transform else logarithm(x)

    def refuse(self, x: Floats) -> None:
        """Say where a number stands that is to be learned and cannot be."""
        if self.least is not None and (below := x < self.least).any():
            refuse_number(self.origin, x, below, self.family, f"numbers of at least {self.least:g}")

    @property
    def in_words(self) -> str:
        """How it is read, for a person.

        >>> Real("dose", family="lognormal", transform="log").in_words
        'numbers with a lognormal density'
        """
        return with_markers(f"numbers with a {self.family} density", self.missing)


def logarithm(x: Floats) -> Floats:
    """log x, NaN (says nothing) where x is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, np.log(x), np.nan)


def refuse_number(name: str, x: Floats, wrong: NDArray[np.bool_], family: str, needs: str) -> None:
    """Say where the first number stands that a family cannot learn, and what it needs."""
    row = int(np.argmax(wrong))
    raise ValueError(
        f"column {name!r} is {x[row]:g} in row {row}, but {family} needs {needs}; make it missing (NaN), or fit with "
        f"another density: families={{{name!r}: 'gaussian'}}"
    )


def refuse_infinity(name: str, row: int) -> None:
    """Say where the infinity stands."""
    raise ValueError(f"column {name!r} is infinite in row {row}; make it missing (NaN) or a large finite number")


def finite(name: str, x: Floats) -> Floats:
    """The numbers, if none is infinite."""
    if np.isinf(x).any():
        refuse_infinity(name, int(np.flatnonzero(np.isinf(x))[0]))
    return x


def finite_numbers(frame: Frame, name: str, missing: frozenset[Level]) -> Floats:
    """A column's numbers, if none is infinite: that is looked for once."""
    x = frame.numbers(name, missing)
    if ("finite", name, missing) not in frame.kept:
        frame.kept["finite", name, missing] = finite(name, x) is x
    return x
