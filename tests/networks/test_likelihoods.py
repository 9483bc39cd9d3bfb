"""Soft evidence in every form that people give it in."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bayesfold as bf
from bayesfold.networks.likelihoods import read_likelihoods, read_row_likelihoods

AXES = {"xray": ("abnormal", "normal"), "2": (1, 0)}


@pytest.mark.parametrize(
    "given",
    [
        [0.7, 0.2],
        {"normal": 0.2, "abnormal": 0.7},
        pd.Series({"normal": 0.2, "abnormal": 0.7}),
        pd.Series([0.7, 0.2]),
    ],
)
def test_states_are_found_by_name(given):
    assert read_likelihoods({"xray": given}, AXES)["xray"].tolist() == [0.7, 0.2]
    assert read_row_likelihoods({"xray": given}, AXES, 2)["xray"].tolist() == [[0.7, 0.2]] * 2


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_of_a_data_frame_are_states(frame):
    told = frame({"normal": [0.2, 0.3], "abnormal": [0.7, 0.6]})
    assert read_row_likelihoods({"xray": told}, AXES, 2)["xray"].tolist() == [[0.7, 0.2], [0.6, 0.3]]


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_columns_of_a_dict_are_states_too(rows):
    told = {"normal": [0.2, 0.3, 0.4][:rows], "abnormal": np.array([0.7, 0.6, 0.5])[:rows]}
    expected = [[0.7, 0.2], [0.6, 0.3], [0.5, 0.4]][:rows]
    assert read_row_likelihoods({"xray": told}, AXES, rows)["xray"].tolist() == expected


def test_numbers_of_columns_are_states_where_there_are_such():
    told = np.array([[0.7, 0.2]])
    assert read_row_likelihoods({"xray": pd.DataFrame(told)}, AXES, 1)["xray"].tolist() == [[0.7, 0.2]]
    assert read_row_likelihoods({"2": pd.DataFrame(told)}, AXES, 1)["2"].tolist() == [[0.2, 0.7]]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"xray": {"normal": 1}}, "the likelihood of 'xray' needs a number for each of 'abnormal', 'normal'"),
        ({"2": {1: 0.2, "1": 0.3}}, "the likelihood of '2' needs a number for each of 1, 0, not for 1, '1'"),
        ({"xray": {"normal": 1, "odd": 1}}, "'xray' has no state 'odd'"),
        ({"xray": "yes"}, "the likelihood of 'xray' is not made of numbers"),
        ({"xray": {"normal": "a", "abnormal": 1}}, "the likelihood of 'xray' is not made of numbers"),
        ({"xray": [np.nan, 1]}, "at least 0"),
    ],
)
def test_what_is_no_likelihood_is_named(given, why):
    for read in (lambda: read_likelihoods(given, AXES), lambda: read_row_likelihoods(given, AXES, 1)):
        with pytest.raises(ValueError, match=why):
            read()


def test_a_variable_that_is_a_number_has_soft_evidence():
    net = bf.BayesianNetwork.from_edges([(1, 2)], tables={1: {0: 0.3, 1: 0.7}, 2: [[0.1, 0.9], [0.5, 0.5]]})
    expected = net.query("1", likelihood={"2": [0.2, 0.3]}).values
    np.testing.assert_array_equal(net.query("1", likelihood={2: [0.2, 0.3]}).values, expected)
    np.testing.assert_allclose(net.posteriors({"1": [None]}, likelihood={2: [0.2, 0.3]})["1"][0], expected)
