"""Columns that no model could read by are refused, each for its reason, and those at the limits are not."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest

from bayesfold.data.encodings import Binned, Categories, Counts, Real
from bayesfold.data.schema import Schema
from bayesfold.data.vector import OneHot, Scaled, Vector
from bayesfold.store.check_schema import check_column, check_schema
from bayesfold.store.unreadable import Unreadable

GOOD: list[Any] = [
    Categories("a"),
    Categories("a", ("u", "v")),
    Binned("a", (1.0, 2.0)),
    Binned("a", ()),
    Real("a"),
    Real("a", transform="log"),
    Counts("a", ("u",)),
    Vector("a", (Scaled("x"), OneHot("z", ("u", "v")))),
    Vector("a", (OneHot("z", ("u", "v"), shares=(0.25, 0.75), hole_is_level=True),)),
    Vector("a", (Scaled("x", limit=0.0),)),
    Vector("a", (Scaled("x", knots=((1.0, 0.0), (1.0, 0.0))),)),
]
SHARES = "no shares of its levels"
SCALED = "no centre, unit and limit"
WRONG: list[tuple[Any, str]] = [
    (Categories("a", ("u", "u")), "a level twice"),
    (Categories("a", (nan,)), "the level NaN"),
    (Binned("a", (1.0, 1.0)), "do not rise"),
    (Binned("a", (2.0, 1.0)), "do not rise"),
    (Binned("a", (1.0, inf)), "do not rise"),
    (Binned("a", (nan,)), "do not rise"),
    (Binned("a", (1.0,), family="none"), "no density 'none'"),
    (Real("a", family="none"), "no density 'none'"),
    (Real("a", transform="root"), "turned into 'root'"),
    (Counts("a", ()), "a column twice, or none"),
    (Counts("a", ("u", "u")), "a column twice, or none"),
    (Vector("a", (OneHot("z", ("u", "u")),)), "a level twice"),
    (Vector("a", (OneHot("z", ("u", "v"), shares=(0.5,)),)), SHARES),
    (Vector("a", (OneHot("z", ("u", "v"), shares=(1.0, 0.0)),)), SHARES),
    (Vector("a", (OneHot("z", ("u", "v"), shares=(nan, 0.5)),)), SHARES),
    (Vector("a", (OneHot("z", ("u", "v"), shares=(-0.5, 0.5)),)), SHARES),
    (Vector("a", (Scaled("x", centre=nan),)), SCALED),
    (Vector("a", (Scaled("x", unit=0.0),)), SCALED),
    (Vector("a", (Scaled("x", unit=inf),)), SCALED),
    (Vector("a", (Scaled("x", limit=-1.0),)), SCALED),
    (Vector("a", (Scaled("x", knots=((1.0, 0.0), (0.5, 1.0))),)), SCALED),
    (Vector("a", (Scaled("x", knots=((nan, 0.0),)),)), SCALED),
]


@pytest.mark.parametrize("column", GOOD, ids=str)
def test_a_column_that_can_be_read_is_taken(column: Any) -> None:
    check_column(column)
    check_schema(Schema(Categories("y", ("p",)), (column,)))


@pytest.mark.parametrize(("column", "why"), WRONG, ids=[f"{i} {why}" for i, (_, why) in enumerate(WRONG)])
def test_a_column_that_cannot_be_read_is_refused(column: Any, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        check_schema(Schema(Categories("y", ("p",)), (column,)))


def test_columns_have_names_of_their_own_and_classes_are_there() -> None:
    good = Schema(Categories("y", ("p",)), (Real("a"),))
    for schema, why in (
        (replace(good, features=(Real("a"), Real("a"))), "the same name"),
        (replace(good, features=(Real("y"),)), "the same name"),
        (replace(good, target=Categories("y")), "it has no classes"),
        (replace(good, target=Categories("y", (None,))), "it has no classes"),
    ):
        with pytest.raises(Unreadable, match=why):
            check_schema(schema)
