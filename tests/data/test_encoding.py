"""Every kind of encoding answers what the other rooms ask of a column."""

import numpy as np
import pytest

from bayesfold.data.encoding import kind_of_levels
from bayesfold.data.encodings import Binned, Categories, Counts, Presence, Real
from bayesfold.data.frame import Frame
from bayesfold.data.sparse import csr_parts
from bayesfold.data.text.column import Words
from bayesfold.data.text.tokenizer import Analyser
from bayesfold.data.text.vocabulary import Vocabulary
from bayesfold.data.vector import Flag, OneHot, Scaled, Vector

ROWS = {"coat": ["long", "short", None], "mass": [2.0, None, 7.0], "text": ["win a prize", "meet at ten", None]}
KINDS = [
    Categories("coat", ("long", "short")),
    Real("mass"),
    Binned("mass", (3.0, 5.0)),
    Presence("coat there", "coat"),
    Counts("block", ("mass",)),
    Words("text", Vocabulary.of(["win", "prize"]), Analyser("word")),
    Vector("all", (Scaled("mass"), OneHot("coat", ("long", "short")), Flag("mass"))),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
def test_every_kind_answers(kind):
    frame = Frame.of({name: ROWS[name] for name in kind.sources})
    encoded = kind.encode(frame)
    assert (kind.slots > 0) + kind.is_number + kind.is_block == 1
    assert encoded.shape[1:] == ((kind.width,) if kind.is_block else ())
    assert len(kind.levels) == max(kind.slots - 1, 0)
    assert {source for source, _, _ in kind.cells} == set(kind.sources)
    assert {what for _, what, _ in kind.cells} <= {"number", "truth", "text", "words"}
    assert set(kind.levels_by_source) | set(kind.numeric_sources) <= set(kind.sources)
    assert kind.in_words
    assert kind.blank().united(kind).blank() == kind.blank()
    assert kind.slots_in(kind).tolist() == list(range(kind.slots))
    for order in (1, 2):
        assert kind.sums_in(kind, order).tolist() == list(range(kind.sums(order)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
def test_under_another_name_the_same_is_read(kind):
    frame = Frame.of({name: ROWS[name] for name in kind.sources})
    before, other = kind.encode(frame), kind.called("other")
    assert (other.name, other.sources, other.called(kind.name).sources) == ("other", kind.sources, kind.sources)
    after = other.encode(frame)
    for x, y in zip(*((e,) if isinstance(e, np.ndarray) else csr_parts(e) for e in (after, before)), strict=True):
        np.testing.assert_array_equal(x, y)
    assert kind.name != "other"


@pytest.mark.parametrize("kind", [k for k in KINDS if k.slots], ids=lambda kind: type(kind).__name__)
def test_slots_come_back_as_values(kind):
    frame = Frame.of({name: ROWS[name] for name in kind.sources})
    columns = {"coat": np.array(ROWS["coat"], object)}
    kind.decode(kind.encode(frame).astype(np.intp), np.random.default_rng(0), columns)
    again = kind.encode(Frame.of({name: columns[name] for name in kind.sources}))
    np.testing.assert_array_equal(again, kind.encode(frame))


def test_what_rows_do_not_show_goes_and_its_place_is_known():
    coat = Categories("coat", ("a", "b", "c"))
    kept = coat.without(np.array([True, False, True]))
    assert (kept.levels, kept.slots_in(coat).tolist()) == (("a", "c"), [0, 1, 3])
    text = Words("text", Vocabulary.of(["win", "a", "prize"]))
    terms = text.without(np.array([False, True, True]))
    assert (list(terms.vocabulary), terms.sums_in(text, 2).tolist()) == (["a", "prize"], [2, 3, 4, 5])
    vector = Vector("all", (Scaled("x"), OneHot("coat", ("a", "b"))))
    smaller = vector.without(np.array([True, False, True]))
    assert smaller.axes[1].levels == ("b",)
    sums = np.arange(3 + 9)  # x, then x x'
    np.testing.assert_array_equal(sums[smaller.sums_in(vector, 2)], [0, 2, 3 + 0, 3 + 2, 3 + 6, 3 + 8])


def test_missing_as_a_level():
    assert Categories("coat", ("a",)).with_holes().levels == ("a", None)
    assert Binned("mass", (1.0,)).with_holes().hole == 3
    assert Binned("mass", (1.0,), family="kde").with_holes() is None
    assert Real("mass").with_holes() is None


@pytest.mark.parametrize(
    ("levels", "kind"),
    [
        ((True, False, None), "truth"),
        ((True, 2), "number"),
        ((1, 2.5, None), "number"),
        ((1, "a"), "text"),
        (("a", 1), "text"),
        ((None,), "text"),
        ((), "text"),
    ],
)
def test_levels_are_numbers_only_if_all_of_them_are(levels, kind):
    assert kind_of_levels(levels) == kind
