"""What a file declares, piece by piece: refused by what is wrong, understood with a note, and as large as told."""

import warnings

import numpy as np
import pytest

from bayesfold.networks import declared as module
from bayesfold.networks.declared import Declared, FormatError, FormatWarning


def declared(file=""):
    found = Declared(file)
    found.variable("a", ("x", "y"))
    found.variable("b", (0, 1, 2))
    return found


@pytest.mark.parametrize(
    ("name", "states", "said"),
    [
        ("", ("x",), "a variable has no name; give it one"),
        ("a", ("x",), "the variable 'a' is declared twice; keep one declaration"),
        ("c", (), "'c' needs at least one state, and each of its states once"),
        ("c", ("x", "y", "x"), "'c' needs at least one state, and each of its states once"),
    ],
)
def test_what_is_no_variable_is_refused(name, states, said):
    with pytest.raises(ValueError, match=said):
        declared().variable(name, states)


@pytest.mark.parametrize(
    ("child", "parents", "said"),
    [
        ("b", ("b",), "the table of 'b' names a variable twice; name each once"),
        ("b", ("a", "a"), "the table of 'b' names a variable twice"),
        ("q", (), "there is no variable 'q'"),
        ("a", ("q",), "there is no variable 'q'"),
    ],
)
def test_what_is_no_table_is_refused(child, parents, said):
    with pytest.raises(ValueError, match=said):
        declared().table(child, parents, [1.0])


def test_a_table_is_given_once_and_has_a_number_for_each_cell():
    found = declared()
    found.table("a", (), [0.25, 0.75])
    with pytest.raises(ValueError, match="the table of 'a' is given twice; keep one"):
        found.table("a", (), [0.25, 0.75])
    with pytest.raises(ValueError, match="the table of 'b' over a x b has 6 cells, but 5 numbers"):
        found.table("b", ("a",), [0.2] * 5)
    with pytest.raises(ValueError, match="the variable 'b' has no table; add one"):
        found.network()
    again = declared()
    again.table("b", ("a",), [0.5, 0.25, 0.25, 0, 0.5, 0.5])
    again.table("a", (), [0.25, 0.75])
    assert again.network().tables["b"].tolist() == [[0.5, 0.25, 0.25], [0, 0.5, 0.5]]


def test_a_file_has_as_many_cells_as_it_may(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 8)
    found = declared()
    found.table("a", (), [0.5, 0.5])
    assert found.shape("b", ("a",)) == (2, 3)
    assert found.cells == 8
    monkeypatch.setattr(module, "MOST_CELLS", 7)
    found = declared()
    found.table("a", (), [0.5, 0.5])
    with pytest.raises(ValueError, match="the table of 'b' has 6 cells over 2 variables; a file may hold 7 cells"):
        found.shape("b", ("a",))


@pytest.mark.parametrize("many", [31, 32])
def test_a_table_has_at_most_32_variables(many):
    found = Declared()
    for v in range(many + 1):
        found.variable(f"v{v}", ("only",))
    parents = [f"v{v}" for v in range(many)]
    if many < 32:
        assert found.shape(f"v{many}", parents) == (1,) * 32
        return
    with pytest.raises(ValueError, match=r"has 1 cells over 33 variables; a file may hold .* and a table 32 variables"):
        found.shape(f"v{many}", parents)


def test_rows_that_sum_to_something_else_are_divided_where_the_format_says_so():
    found = declared("t.net")
    found.table("a", (), [1.0, 3.0], line=4, scaled=True)
    found.table("b", ("a",), [1.0, 1.0, 2.0, 0.5, 0.25, 0.25], line=9, scaled=True)
    with pytest.warns(FormatWarning) as seen:
        net = found.network()
    assert net.tables["a"].tolist() == [0.25, 0.75]
    assert net.tables["b"].tolist() == [[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]]
    assert [str(one.message) for one in seen] == [
        "t.net, line 4: P(a) sums to 4, not to 1; rows were divided by their sums (and so on, 1 times more)"
    ]
    with pytest.raises(ValueError, match="sums to 4"):
        declared().table("a", (), [1.0, 3.0])


def test_a_row_of_zeros_is_of_parents_that_never_meet():
    found = declared()
    found.table("a", (), [0.5, 0.5])
    found.table("b", ("a",), [0.5, 0.25, 0.25, 0.0, 0.0, 0.0], line=3)
    with pytest.warns(FormatWarning, match=r"^line 3: P\(b \| a=y\) sums to 0, not to 1; these parents are taken"):
        net = found.network()
    np.testing.assert_allclose(net.tables["b"], [[0.5, 0.25, 0.25], [1 / 3] * 3])
    with pytest.raises(ValueError, match="P"):
        declared().table("a", (), [1.5, -0.5], scaled=True)
    nameless = declared()
    nameless.note(0, "something", "was understood")
    nameless.table("a", (), [0.5, 0.5])
    nameless.table("b", (), [0.5, 0.5, 0.0])
    with pytest.warns(FormatWarning, match="^something; was understood$"):
        nameless.network()
    plain = declared("t.bif")
    plain.table("a", (), [0.5, 0.5])
    plain.table("b", (), [0.5, 0.5, 0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain.network().nodes == ("a", "b")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({}, "odd"),
        ({"line": 3, "column": 7}, "line 3, column 7: odd"),
        ({"path": "t.bif"}, "t.bif: odd"),
        ({"line": 3, "column": 7, "path": "t.bif"}, "t.bif, line 3, column 7: odd"),
    ],
)
def test_an_error_stands_where_it_shows(place, said):
    error = FormatError("odd", **place)
    assert str(error) == said
    assert (error.message, error.line, error.path) == ("odd", place.get("line", 0), place.get("path", ""))
