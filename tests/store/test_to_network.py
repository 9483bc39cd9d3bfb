"""A classifier and its network give the same posteriors, whatever cells are missing."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from bayesfold import AODE, KDB, SPODE, TAN, GaussianBayes, NaiveBayes, export_model, load, read_network
from bayesfold.cli._networks import read_any_network
from bayesfold.models.calibration import Calibration
from bayesfold.models.model import Model
from bayesfold.store.to_network import to_network

DRAW = np.random.default_rng(4)
Y = DRAW.choice(["p", "q", "r"], 120)
X = pd.DataFrame(
    {
        "a": np.where(Y == "p", "x", DRAW.choice(["x", "y", "z"], 120)),
        "b": DRAW.choice(["u", "v"], 120),
        "n": DRAW.normal(size=120) + (Y == "q"),
    }
)
X["c"] = np.where(DRAW.random(120) < 0.8, X.a, DRAW.choice(["x", "y", "z"], 120))
HOLED = X.mask(DRAW.random(X.shape) < 0.3)


@pytest.mark.parametrize("clf", [NaiveBayes(numeric="mdl"), TAN(), KDB(1), KDB(2), TAN(alpha=1.0)], ids=str)
def test_a_network_answers_as_its_classifier(clf):
    clf.set_params(missing_as="skip").fit(X, Y)
    net = clf.to_network()
    assert set(net.nodes) == {"class", *X.columns}
    binned = {c.name: c for c in clf.schema_.features}
    table = HOLED.assign(
        n=[None if v == 0 else binned["n"].levels[v - 1] for v in binned["n"].place(HOLED.n.to_numpy())]
    )
    proba = net.predict_proba(table, target="class")
    np.testing.assert_allclose(proba, clf.predict_proba(HOLED), atol=1e-9)


@pytest.mark.parametrize("clf", [SPODE("a"), SPODE(), SPODE("n", alpha=1.0), SPODE("c", prior_alpha=3.0)], ids=str)
def test_a_super_parent_is_one_network(clf):
    clf.fit(X, Y)
    net, (root,) = clf.to_network(), *clf.model_.mixture.roots
    assert set(net.edges) >= {("class", root[0]), *((root[0], name) for name in X if name != root[0])}
    binned = {c.name: c for c in clf.schema_.features}["n"]
    table = X.assign(n=[binned.levels[v - 1] for v in binned.place(X.n.to_numpy())])
    np.testing.assert_allclose(net.predict_proba(table, target="class"), clf.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize(
    ("clf", "why"),
    [
        (AODE(), "joins several networks"),
        (GaussianBayes(), "has a density, not levels"),
        (NaiveBayes(numeric="gaussian"), "column 'n' has a density"),
        (KDB(1, weights="auto"), "exponents"),
        (TAN(calibration="temperature"), "calibration"),
    ],
    ids=str,
)
def test_what_is_no_network_says_so(clf, why):
    with pytest.raises(ValueError, match=why):
        clf.fit(X, Y).to_network()


def test_the_class_is_called_by_its_column(tmp_path):
    table = pd.DataFrame({"sex": ["m", "f", "m", "f"] * 5, "alive": ["yes", "no", "no", "yes"] * 5})
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False)
    clf = NaiveBayes().fit_from(str(path), target="alive")
    clf.save(tmp_path / "m.bayes")
    export_model(clf, tmp_path / "m.bif")
    for net in (clf.to_network(), load(tmp_path / "m.bayes").to_network(), read_any_network(str(tmp_path / "m.bayes"))):
        assert net.factorization() == "P(alive) P(sex | alive)"
    assert read_network(tmp_path / "m.bif").factorization() == "P(alive) P(sex | alive)"
    assert to_network(clf.model_, "sex").nodes == ("class", "sex")  # a column is called so already


@pytest.mark.parametrize("mass", [-3.0, 4.0, 4.5, 22, "22", 1e6])
def test_a_number_finds_its_bin(mass):
    draw = np.random.default_rng(0)
    X = pd.DataFrame({"mass": draw.normal(4, 1, 300) * np.repeat([1, 5], 150)})
    clf = NaiveBayes(numeric="mdl").fit(X, np.repeat(["cat", "dog"], 150))
    net = to_network(clf.model_, "pet")
    expected = clf.predict_proba(pd.DataFrame({"mass": [float(mass)]}))[0]
    np.testing.assert_allclose(net.query(f"pet | mass={mass}").values, expected, rtol=1e-9)
    cut = clf.model_.schema.features[0].cuts[0]  # as it is, not as it is written
    for x in (cut, np.nextafter(cut, -np.inf)):
        expected = clf.predict_proba(pd.DataFrame({"mass": [x]}))[0]
        np.testing.assert_allclose(net.query("pet", mass=float(x)).values, expected, rtol=1e-9)
    with pytest.raises(ValueError, match="has no state 'heavy'"):
        net.query("pet | mass=heavy")


def test_what_a_network_cannot_say_is_refused_each_alone():
    plain = NaiveBayes(numeric="mdl", weights=None, calibration=None, missing_as="skip").fit(X, Y).model_
    assert to_network(plain).nodes
    (network,) = plain.mixture.networks
    powers = tuple(replace(node, power=0.5) if i == 1 else node for i, node in enumerate(network))
    told = {"tally": plain.tally, "families": plain.families}
    exponents = Model(replace(plain.mixture, networks=(powers,)), **told)
    assert exponents.is_textbook
    calibrated = Model(plain.mixture, **told, calibration=Calibration(2.0))
    assert not calibrated.is_textbook
    product = Model(replace(plain.mixture, combine="product"), **told)
    for model in (exponents, calibrated, product):
        with pytest.raises(ValueError, match="exponents and calibration are not part of a network"):
            to_network(model)


def test_bins_of_large_numbers_have_names_of_their_own():
    """Bins between 10,000,001.125 and 10,000,005.125 were all "1e+07 to 1e+07", and no network could have them."""
    draw = np.random.default_rng(0)
    k = draw.integers(0, 4, 800)
    clf = NaiveBayes(numeric="mdl").fit({"x": 10_000_000 + 2 * k + draw.integers(0, 2, 800) * 0.25}, k)
    states = ("below 10000001.1", "10000001.1 to 10000003.1", "10000003.1 to 10000005.1", "10000005.1 and above")
    assert tuple(map(str, clf.to_network().states("x"))) == states
