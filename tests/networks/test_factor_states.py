"""Names and states of tables: found as they are written, refused where they are not there."""

import numpy as np
import pytest

from bayesfold.networks.factor_states import (
    MOST_AXES,
    MOST_CELLS,
    as_arrow,
    check_name,
    divide,
    find_state,
    key_by_name,
    log_sum,
    name_of,
    place_state,
    print_number,
    refuse_holes,
    refuse_size,
    shorten_count,
    write_number,
    write_pairs,
)
from bayesfold.networks.interval import name_intervals


@pytest.mark.parametrize(
    ("states", "state", "place"),
    [
        (("a", "b"), "b", 1), ((1, 2), "2", 1), ((1.0, 2.0), "2", 1), (("1", "2"), 2.0, 1), (("1.0", "2.0"), 2, 1),
        ((1, 2), "2.0", 1), ((True, False), "False", 1), (("True", "False"), False, 1), ((1, 2), 3, None),
        ((1.5, 2.5), "2.5", 1), (("a",), "A", None), ((1, 2), "02", None), ((0, 1), True, 1), ((2**53, 5), 2.0**53, 0),
        ((1, 2), float("inf"), None), (("a", "b"), np.array([1, 2]), None),
    ],
)  # fmt: skip
def test_where_a_state_stands(states, state, place):
    assert place_state(states, state) == place
    if place is not None:
        assert find_state("v", states, state) == place
    else:
        with pytest.raises(ValueError, match="'v' has no state"):
            find_state("v", states, state)


def test_a_number_finds_its_interval():
    cold, mild, warm = name_intervals(("below 10", "10 to 20", "20 and above"), (10.0, 20.0))
    assert [place_state((cold, mild, warm), x) for x in (-5, 9.9, 10, "19.9", 20, 1e9)] == [0, 0, 1, 1, 2, 2]
    assert place_state((cold, mild, warm), "red") is None


def test_numbers_as_they_may_be_written():
    assert write_number(2) == write_number(2.0) == {"2", "2.0"}
    assert write_number(2.5) == {"2.5"}
    assert write_number(2**53) == {str(2**53)}
    assert write_number(2**53 - 1) == {str(2**53 - 1), str(float(2**53 - 1))}
    assert write_number(True) == {"True"}
    assert print_number(1 / 3) == "0.333333"
    assert print_number(2.50) == "2.5"


def test_sums_and_quotients_where_there_is_nothing():
    np.testing.assert_allclose(log_sum(np.log([[1.0, 3.0], [0.5, 0.5]]), (1,)), np.log([4.0, 1.0]))
    assert log_sum(np.log([0.25, 0.5])) == pytest.approx(np.log(0.75))
    with np.errstate(divide="ignore"):
        assert log_sum(np.log([[0.0, 0.0], [0.0, 2.0]]), (1,)).tolist() == [-np.inf, pytest.approx(np.log(2.0))]
    assert log_sum(np.array([[-1000.0, -1000.0]]), (0, 1)) == pytest.approx(-1000 + np.log(2))
    assert divide([1.0, 0.0, 3.0], [2.0, 0.0, 1.0]).tolist() == [0.5, 0.0, 3.0]
    with pytest.raises(ZeroDivisionError):
        divide([1.0], [0.0])


def test_what_would_not_fit_is_refused_with_its_size():
    refuse_size({f"v{i}": (0,) for i in range(MOST_AXES)})
    with pytest.raises(ValueError, match="a table over 33 variables would have 1 cells"):
        refuse_size({f"v{i}": (0,) for i in range(MOST_AXES + 1)})
    refuse_size({f"v{i}": (0, 1) for i in range(28)})
    assert MOST_CELLS == 2**28
    with pytest.raises(ValueError, match=r"29 variables would have 5.37e\+08 cells \(4.29e\+09 bytes"):
        refuse_size({f"v{i}": (0, 1) for i in range(29)})
    assert [shorten_count(c) for c in (7, 123456, 10**299, 10**300, 3 * 10**400)] == [
        "7", "1.23e+05", "1e+299", "1.00e+300", "3.00e+400",
    ]  # fmt: skip


def test_names_are_text_or_numbers_and_each_there_once():
    assert [name_of(name) for name in ("a", 3, 2.5, np.int64(4), np.bool_(True))] == ["a", "3", "2.5", "4", "True"]
    with pytest.raises(TypeError, match="named by text or by a number, not by"):
        name_of(("a",))
    with pytest.raises(ValueError, match="two variables are written '1'; rename one"):
        key_by_name({1: "a", "1": "b"})
    assert check_name("variable", 3, {"3": 0}) == "3"
    assert check_name("variable", "a", iter(["b", "a"])) == "a"
    with pytest.raises(ValueError, match="there is no variable 'rian'; did you mean 'rain'"):
        check_name("variable", "rian", ["rain", "sun"])
    for hole in (None, float("nan")):
        with pytest.raises(ValueError, match="cannot be a state of 'v'"):
            refuse_holes("v", ("a", hole))
    refuse_holes("v", ("a", 0, False, ""))


def test_what_was_asked_as_it_is_written():
    given = {"a": 1, "do(b)": "x", "do(c": 2, "likelihood of d": {"y": 0.5}}
    assert write_pairs(given) == "a=1, do(b=x), do(c=2, likelihood of d"
    assert as_arrow((1, 2)).to_pylist() == [1, 2]
    assert as_arrow((1, "a")).to_pylist() == ["1", "a"]
