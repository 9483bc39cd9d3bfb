"""A file of a network whose numbers are no counts is refused, also if its digest was put right."""

import numpy as np
import pytest
from tests.store.damaged import closed, opened

import bayesfold as bf
from bayesfold.store import Unreadable

X = {"a": ["x", "y", "x", "y"] * 10, "b": ["u", "u", "v", None] * 10}
Y = ["p", "q", "q", "p"] * 10


def saved(folder, **how):
    """What a file of a network says, and its arrays."""
    clf = bf.NetworkClassifier([("class", "a"), ("class", "b")]).fit(X, Y, **how)
    clf.save(folder / "m.bayes")
    return opened((folder / "m.bayes").read_bytes())


def load(folder, told, arrays):
    """The model of an edited file."""
    (folder / "m.bayes").write_bytes(closed(told, arrays))
    return bf.load(folder / "m.bayes")


@pytest.mark.parametrize(("number", "why"), [(-5, "below 0"), (2**62, "the same rows"), (7, "the same rows")])
def test_counts(tmp_path, number, why):
    told, arrays = saved(tmp_path)
    assert load(tmp_path, told, arrays).predict(X).tolist()
    for place in range(arrays["counts"].size):
        wrong = arrays["counts"].copy()
        wrong[place] = number
        with pytest.raises(Unreadable, match=why):
            load(tmp_path, told, {**arrays, "counts": wrong})


@pytest.mark.parametrize("number", [-5.0, np.nan, np.inf, 1e4])
def test_weights(tmp_path, number):
    told, arrays = saved(tmp_path, sample_weight=np.arange(1, 41.0))
    assert load(tmp_path, told, arrays).predict(X).tolist()
    for part in (0, 1):
        for place in range(arrays["weights"].shape[1]):
            wrong = arrays["weights"].copy()
            wrong[part, place] = number
            with pytest.raises(Unreadable, match="does not hold together"):
                load(tmp_path, told, {**arrays, "weights": wrong})


def test_a_network_that_has_forgotten_rows_and_faded_is_read(tmp_path):
    clf = bf.NetworkClassifier([("class", "a"), ("class", "b")]).fit(X, Y, sample_weight=np.linspace(1e-3, 1e3, 40))
    clf.forget({name: cells[:7] for name, cells in X.items()}, Y[:7], sample_weight=np.linspace(1e-3, 1e3, 40)[:7])
    clf.decay(0.3)
    clf.save(tmp_path / "m.bayes")
    np.testing.assert_allclose(bf.load(tmp_path / "m.bayes").predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("part", ["counts", "weights", "sums"])
def test_sums_of_another_graph_are_refused(tmp_path, part):
    told, arrays = saved(tmp_path, sample_weight=np.arange(1, 41.0))
    with pytest.raises(Unreadable, match=f"its {part} are not those of its graph"):
        load(tmp_path, told, {**arrays, part: np.zeros((*arrays[part].shape[:-1], 3), arrays[part].dtype)})
