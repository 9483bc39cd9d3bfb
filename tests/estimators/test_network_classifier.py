"""A network as a classifier: its answers are the network's, and scikit-learn's tools take it."""

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.networks.graphs import random_network

import bayesfold as bf


def sampled(seed=3, rows=400):
    """A random network, and rows of it as features and labels."""
    draw = np.random.default_rng(seed)
    net = random_network(draw, 6)
    table = pd.DataFrame(net.sample(rows, draw))
    target = net.nodes[-1]
    return net, table.drop(columns=target), table[target].to_numpy()


def expected_failures(estimator):
    """A weight that says how much a row counts makes pseudo rows weigh as much, and copies do not."""
    importance = estimator.weights_are == "importance"
    return {"check_sample_weight_equivalence_on_dense_data": "a weight is no number of copies"} if importance else {}


@parametrize_with_checks(
    [bf.NetworkClassifier(), bf.NetworkClassifier(weights_are="counts")],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_check(estimator, check):
    check(estimator)


def test_answers_are_those_of_the_network():
    net, X, y = sampled()
    target = net.nodes[-1]
    clf = bf.NetworkClassifier(net.edges, target=target, tables={"alpha": 0.5}).fit(X, y)
    expected = bf.fit_network(net.edges, X.assign(**{target: y}), alpha=0.5)
    np.testing.assert_array_equal(clf.predict_proba(X), expected.predict_proba(X, target))
    assert clf.classes_.tolist() == list(expected.states(target))
    assert clf.score(X, y) == (clf.predict(X) == y).mean()
    np.testing.assert_allclose(clf.predict_proba(X[:5].mask(np.eye(5, dtype=bool))).sum(1), 1)


def test_structures_are_learned_with_the_options_given():
    _, X, y = sampled()
    clf = bf.NetworkClassifier(learn={"search": "tree", "score": "bdeu"}).fit(X, y)
    expected = bf.learn_network(X.assign(**{"class": y}), search="tree", score="bdeu")
    assert clf.network_.edges == expected.network.edges
    assert clf.learned_.score == expected.score
    assert cross_val_score(clone(clf), X, y, cv=3).mean() > 0.3


def test_rows_come_and_go():
    _, X, y = sampled()
    whole = bf.NetworkClassifier().fit(X, y)
    part = clone(whole).fit(X, y).forget(X[300:], y[300:])
    again = part.partial_fit(X[300:], y[300:])
    np.testing.assert_array_equal(again.predict_proba(X), whole.predict_proba(X))
    first = bf.NetworkClassifier().partial_fit(X, y)
    np.testing.assert_array_equal(first.predict_proba(X), whole.predict_proba(X))


def test_values_that_were_never_seen_are_missing():
    _, X, y = sampled()
    clf = bf.NetworkClassifier().fit(X, y)
    odd, empty = X[:4].copy(), X[:4].copy()
    odd[X.columns[0]], empty[X.columns[0]] = "never", None
    np.testing.assert_array_equal(clf.predict_proba(odd), clf.predict_proba(empty))


def test_mistakes_cost():
    draw = np.random.default_rng(2)
    ill = draw.random(500) < 0.2
    X = pd.DataFrame({"test": np.where(draw.random(500) < 0.75, ill, ~ill)})
    y = np.where(ill, "ill", "well")
    plain = bf.NetworkClassifier().fit(X, y)
    careful = clone(plain).set_params(loss={"well": {"ill": 9}, "ill": {"well": 1}}).fit(X, y)
    assert (careful.predict(X) == "ill").sum() > (plain.predict(X) == "ill").sum()
    shy = clone(plain).set_params(reject_cost=0.2).fit(X, y)
    assert "reject" in shy.predict(X)
    assert shy.score(X, y) < plain.score(X, y)


def test_a_column_called_class_and_labels_that_are_numbers():
    draw = np.random.default_rng(1)
    X = pd.DataFrame({"class": draw.integers(0, 2, 80), "b": draw.integers(0, 3, 80)})
    y = X["class"].to_numpy() * 2
    clf = bf.NetworkClassifier().fit(X, y)
    assert clf.predict(X).tolist() == y.tolist()
    assert clf.predict(X).dtype == y.dtype
    assert "class (2)" in clf.network_.nodes


def test_a_network_of_numbers_is_refused_with_a_way_out():
    net = bf.MixedNetwork.from_edges([("class", "x0")], numbers=["x0"])
    with pytest.raises(ValueError, match=r"structure=net\.edges, or ask the network itself"):
        bf.NetworkClassifier(net).fit([[1.0], [2.0]], ["a", "b"])


def test_on_an_error_nothing_has_changed():
    net, X, y = sampled()
    clf = bf.NetworkClassifier().fit(X, y)
    before = clf.predict_proba(X)
    clf.set_params(structure=[("nobody", "nothing")])
    with pytest.raises(ValueError, match="nobody"):
        clf.fit(X, y)
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    with pytest.raises(ValueError, match="no node 'class'"):
        bf.NetworkClassifier([(net.nodes[0], net.nodes[1])]).fit(X, y)


def test_numbers_are_cut_where_classes_differ():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 600)
    X = np.column_stack([draw.normal(3 * y, 1), draw.normal(0, 1, 600), draw.integers(0, 3, 600)])
    X[:5, 0] = np.nan
    clf = bf.NetworkClassifier([("x0", "class"), ("class", "x1"), ("class", "x2")]).fit(X, y)
    assert len(clf.cuts_["x0"]) >= 1
    assert len(clf.cuts_["x1"]) == 4  # nothing to tell the classes apart: fifths
    assert "x2" not in clf.cuts_
    assert clf.score(X, y) > 0.9
    whole = bf.NetworkClassifier().fit(X[5:], y[5:])
    assert whole.score(X[5:], y[5:]) > 0.9
    np.testing.assert_allclose(whole.predict_proba([[np.nan, 0.0, 1]]).sum(), 1)
    holes = bf.NetworkClassifier().fit(X, y)  # arcs from whole rows, tables from all
    assert holes.learned_.rows == 595
    assert holes.network_.tables["class"].shape == whole.network_.tables["class"].shape


def test_classes_may_be_declared_and_counts_are_copies():
    _, X, y = sampled(rows=120)
    declared = bf.NetworkClassifier().partial_fit(X, y, classes=["a", "b", "c", "zebra"])
    assert "zebra" in declared.classes_
    weight = np.random.default_rng(1).integers(0, 3, 120)
    one = bf.NetworkClassifier(weights_are="counts").fit(X, y, sample_weight=weight)
    two = bf.NetworkClassifier().fit(X.loc[X.index.repeat(weight)], y.repeat(weight))
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=1e-9)
    with pytest.raises(ValueError, match="120 rows but 3 labels"):
        bf.NetworkClassifier().fit(X, y[:3])
    with pytest.raises(ValueError, match="all weights are zero"):
        bf.NetworkClassifier().fit(X, y, sample_weight=np.zeros(120))


@pytest.mark.parametrize("how", [{}, {"learn": {"search": "conditional"}}, {"structure": "naive"}])
def test_reasons_add_up_to_the_log_odds(how):
    _, X, y = sampled()
    if how.get("structure"):
        how = {"structure": [("class", column) for column in X]}
    clf = bf.NetworkClassifier(**how).fit(X, y)
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.3)
    for rows in (X, holes):
        found = clf.explain(rows)
        logs = np.sort(np.log(clf.predict_proba(rows)), axis=1)
        np.testing.assert_allclose(found.log_odds, logs[:, -1] - logs[:, -2], atol=1e-9)
        assert found[0].decision == clf.predict(rows[:1])[0]
        assert found.parts[0] == "prior"
    whole = clf.explain(X)
    assert "missing parents" not in whole.parts
    a, b = clf.classes_[:2]
    turned = clf.explain(X[:5], of=a, against=b).log_odds
    np.testing.assert_allclose(turned, -clf.explain(X[:5], of=b, against=a).log_odds, atol=1e-9)
    with pytest.raises(ValueError, match="is not a class"):
        clf.explain(X, of="nobody")
    with pytest.raises(ValueError, match="against itself"):
        clf.explain(X, of=a, against=a)


@pytest.mark.parametrize("tables", [{}, {"method": "bdeu", "equivalent_sample_size": 5.0}, {"em": True}])
def test_a_saved_classifier_goes_on(tables, tmp_path):
    draw = np.random.default_rng(0)
    _, X, y = sampled(rows=200)
    X = X.assign(size=draw.normal(0, 1, 200) + (y == y[0]))
    clf = bf.NetworkClassifier(tables=tables, loss=np.eye(len(set(y))) * -1, target="what").fit(X, y)
    clf.save(tmp_path / "net.bayes")
    again = bf.load(tmp_path / "net.bayes")
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert again.classes_.dtype == clf.classes_.dtype
    assert again.get_params().keys() == clf.get_params().keys()
    assert again.feature_names_in_.tolist() == list(X)
    np.testing.assert_array_equal(again.explain(X[:3]).margins, clf.explain(X[:3]).margins)
    if "em" not in tables:
        np.testing.assert_array_equal(
            again.forget(X[:50], y[:50]).predict_proba(X), clf.forget(X[:50], y[:50]).predict_proba(X)
        )


def test_files_of_networks_are_read_with_suspicion(tmp_path):
    net, X, y = sampled(rows=60)
    target = net.nodes[-1]
    clf = bf.NetworkClassifier(net, target=target).fit(X, y)
    path = tmp_path / "net.bayes"
    clf.save(path)
    assert bf.load(path).structure == net.edges
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ValueError, match=r"net\.bayes: "):
        bf.load(path)
    clf.save(path)
    with pytest.raises(ValueError, match="holds a NetworkClassifier"), bf.updating(path):
        pass


def test_the_conditional_search_tells_the_class():
    draw = np.random.default_rng(5)
    a, b, noise = (draw.integers(0, 2, 600) for _ in range(3))
    X = pd.DataFrame({"a": a, "b": b, "noise": noise, "copy": np.where(draw.random(600) < 0.9, noise, 1 - noise)})
    y = np.where(draw.random(600) < 0.95, a ^ b, 1 - (a ^ b))
    found = bf.NetworkClassifier(learn={"search": "conditional"}).fit(X, y)
    joined = {frozenset(edge) for edge in found.network_.edges}
    assert frozenset("ab") in joined
    assert found.score(X, y) > 0.9
    assert not {edge for edge in joined if "noise" in edge and "class" in edge}
    assert str(found.learned_).startswith("log P(class | row), rows left out, -")
    assert found.learned_.compare(found.network_).ahead is None
    with pytest.raises(TypeError, match="forbid"):
        bf.NetworkClassifier(learn={"search": "conditional", "forbid": []}).fit(X, y)


def test_merged_parts_are_the_whole():
    net, X, y = sampled()
    whole = bf.NetworkClassifier(net.edges, target=net.nodes[-1]).fit(X, y)
    first, second = (copy.deepcopy(whole).forget(X[part], y[part]) for part in (slice(150, None), slice(150)))
    merged = first + second
    np.testing.assert_array_equal(merged.predict_proba(X), whole.predict_proba(X))
    np.testing.assert_allclose(np.exp(merged.predict_log_proba(X)), merged.predict_proba(X), rtol=1e-12)
    assert merged.to_network() is merged.network_


def test_what_cannot_be_merged_is_refused():
    draw = np.random.default_rng(0)
    X, y = pd.DataFrame({"x": draw.normal(size=300)}), draw.integers(0, 2, 300)
    X["x"] += 2 * y
    clf = bf.NetworkClassifier([("class", "x")]).fit(X, y)
    with pytest.raises(ValueError, match="cut 'x' differently"):
        clf.merge(bf.NetworkClassifier([("class", "x")]).fit(X[:150] * 1.1, y[:150]))
    with pytest.raises(TypeError, match="not with NaiveBayes"):
        clf.merge(bf.NaiveBayes().fit(X, y))


def test_decay_makes_newer_rows_count_for_more():
    X, y = pd.DataFrame({"a": list("xy") * 50}), np.array([0, 1] * 50)
    clf = bf.NetworkClassifier([("class", "a")]).fit(X, y)
    turned = copy.deepcopy(clf).partial_fit(X, 1 - y)
    faded = clf.decay(0.1).partial_fit(X, 1 - y)
    assert turned.predict_proba({"a": ["x"]})[0, 1] == pytest.approx(0.5)
    assert faded.predict_proba({"a": ["x"]})[0, 1] > 0.85


def test_em_asked_for_uses_the_rows_with_holes():
    _, X, y = sampled()
    holes = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    assert bf.NetworkClassifier().fit(holes, y).learned_.left_out == holes.isna().any(axis=1).sum()
    assert bf.NetworkClassifier(learn={"em": True}).fit(holes, y).learned_.left_out == 0


def test_options_that_the_conditional_search_lacks_are_refused():
    _, X, y = sampled()
    with pytest.raises(TypeError, match="takes max_parents and alpha, not 'score'"):
        bf.NetworkClassifier(learn={"search": "conditional", "score": "bic"}).fit(X, y)


def test_a_row_left_out_is_one_that_the_others_answer():
    _, X, y = sampled(rows=60)
    clf = bf.NetworkClassifier(learn={"score": "bdeu"}).fit(X, y)
    left_out = clf.leave_one_out(X, y)
    for i in (0, 7, 31):
        others = np.arange(60) != i
        alone = copy.deepcopy(clf)
        alone.network_ = clf.network_.fit(X[others].assign(**{clf._target: y[others]}))
        np.testing.assert_allclose(left_out[i], alone.predict_log_proba(X.iloc[[i]])[0], rtol=1e-9)
    weight = np.arange(1.0, 61.0)
    heavy = copy.deepcopy(clf).fit(X, y, weight)
    without = copy.deepcopy(heavy).forget(X.iloc[[5]], y[[5]], weight[[5]])
    said = heavy.leave_one_out(X, y, weight)[5]
    np.testing.assert_allclose(said, without.predict_log_proba(X.iloc[[5]])[0], rtol=1e-9)


def test_of_copies_one_is_left_out():
    _, X, y = sampled(rows=60)
    times = np.random.default_rng(2).integers(1, 4, 60)
    repeated, labels = X.loc[X.index.repeat(times)], y.repeat(times)
    counted = bf.NetworkClassifier(weights_are="counts").fit(X, y, times)
    there = bf.NetworkClassifier().fit(repeated, labels)
    assert times.max() > 1
    np.testing.assert_allclose(
        counted.leave_one_out(X, y, times).repeat(times, axis=0), there.leave_one_out(repeated, labels), rtol=1e-9
    )


@pytest.mark.parametrize("costs", [{}, {"loss": True}, {"reject_cost": 0.2, "reject_label": "?"}])
def test_what_to_ask_is_by_all_states_of_a_column(costs):
    net, X, y = sampled()
    classes = np.unique(y)
    if "loss" in costs:
        costs = {"loss": np.random.default_rng(0).random((len(classes), len(classes))) * (1 - np.eye(len(classes)))}
    clf = bf.NetworkClassifier(net.edges, target=net.nodes[-1], **costs).fit(X, y)
    first, *_ = X.columns
    row = {first: X[first][0]}
    asked = clf.what_to_ask(row)
    assert [*asked.values()] == sorted(asked.values(), reverse=True)
    assert set(asked) == set(X.columns) - {first}
    loss = costs.get("loss", 1 - np.eye(len(classes)))

    def least(p):
        return min((loss @ p).min(), costs.get("reject_cost", np.inf))

    def told(shown):
        return clf.predict_proba([dict.fromkeys(X.columns) | shown])[0]

    assert asked.risk == pytest.approx(least(told(row)))
    for column, gain in asked.items():
        chances = clf.network_.query(column, evidence=row).values
        after = [least(told(row | {column: v})) for v in clf.network_.states(column)]
        assert gain == pytest.approx(asked.risk - float(chances @ after), abs=1e-12)
    with pytest.raises(ValueError, match="nothing to ask"):
        clf.what_to_ask(X.iloc[0].to_dict())
    assert clf.what_to_ask({}).risk == pytest.approx(least(told({})))
    with pytest.raises(ValueError, match="none of the columns of the model"):
        clf.what_to_ask({"colour": "red"})


def test_rows_are_drawn_from_the_network():
    _, X, y = sampled()
    clf = bf.NetworkClassifier().fit(X, y)
    columns, labels = clf.sample(20_000, random_state=0)
    assert set(columns) == set(X.columns)
    assert labels.dtype == clf.classes_.dtype
    for name in X.columns[:2]:
        share = np.mean(np.asarray(columns[name]) == X[name][0])
        assert share == pytest.approx(clf.network_.query(name)[X[name][0]], abs=0.02)
    assert clf.predict(columns).shape == labels.shape
    numbers = np.random.default_rng(0).normal(size=(200, 1))
    cut = bf.NetworkClassifier([("class", "x0")]).fit(numbers, (numbers[:, 0] > 0).astype(int))
    with pytest.raises(ValueError, match=r"the network knows 'x0' by intervals, .*to_network\(\).sample\(3\) draws"):
        cut.sample(3)


def test_rows_of_weight_zero_are_left_out_and_forgotten_as_they_were_learned():
    X = {"a": [*"xyxzyxzz"], "b": ["k", "l", "k", None, "l", "l", "k", "l"]}
    y, weight = np.array([*"ppnnpnpn"]), np.array([1, 2, 0, 1, 0, 1, 1, 1.0])
    given = {"alpha": 1.0}  # in the unit of the weights, whichever rows are learned
    clf = bf.NetworkClassifier([("class", "a"), ("a", "b")], tables=given).fit(X, y, sample_weight=weight)
    left_out = clf.leave_one_out(X, y, sample_weight=weight)
    np.testing.assert_allclose(np.exp(left_out)[2], clf.predict_proba({"a": ["x"], "b": ["k"]})[0], rtol=1e-12)
    some = {name: column[:4] for name, column in X.items()}
    rest = {name: column[4:] for name, column in X.items()}
    expected = bf.NetworkClassifier(clf.network_, tables=given).fit(rest, y[4:], sample_weight=weight[4:])
    forgotten = clf.forget(some, y[:4], sample_weight=weight[:4], keep_levels=True)
    np.testing.assert_allclose(forgotten.predict_proba(X), expected.predict_proba(X), rtol=1e-12)


def test_an_explanation_names_the_columns_that_speak_through_the_prior():
    X = {"a": [*"xyxyxxyy"] * 3, "b": [*"klklkklk"] * 3}
    clf = bf.NetworkClassifier([("a", "class"), ("class", "b")]).fit(X, [*"pnpnpnpn"] * 3)
    said = str(clf.explain({"a": ["x"], "b": ["k"]})[0])
    assert "the class depends on 'a', and what that says is in the line of the prior" in said
    clf = bf.NetworkClassifier([("class", "a"), ("class", "b")]).fit(X, [*"pnpnpnpn"] * 3)
    assert "in the line of the prior" not in str(clf.explain({"a": ["x"], "b": ["k"]})[0])


def test_a_table_that_lacks_a_column_is_refused_and_changes_nothing():
    rows = {"a": [*"xyxy"] * 10, "b": [*"uuvv"] * 10}
    labels = [*"pqpq"] * 10
    clf = bf.NetworkClassifier(structure=[("class", "a"), ("class", "b")]).fit(rows, labels)
    before = clf.predict_proba(rows)
    lacking = {"a": rows["a"], "B": rows["b"]}
    for ask in (
        lambda: clf.partial_fit(lacking, labels),
        lambda: clf.forget(lacking, labels),
        lambda: clf.predict_proba(lacking),
        lambda: clf.explain(lacking),
        lambda: clf.leave_one_out(lacking, labels),
    ):
        with pytest.raises(ValueError, match="the table has no column 'b'"):
            ask()
    np.testing.assert_array_equal(clf.predict_proba(rows), before)
    np.testing.assert_allclose(clf.predict_proba([{"a": "x"}]), clf.predict_proba({"a": "x"}))


def test_a_row_without_a_class_is_refused_unless_it_is_guessed():
    table = pd.DataFrame({"x": [*"aabbab"] * 10, "z": [*"pqqp"] * 15})
    labels = ["u" if x == "a" else "v" for x in table.x]
    clf = bf.NetworkClassifier().fit(table, labels)
    labels[4] = None
    for call in (bf.NetworkClassifier().fit, clf.partial_fit, clf.forget, clf.leave_one_out):
        with pytest.raises(ValueError, match="row 4 has no label"):
            call(table, labels)
    for settings in ({"learn": {"em": True}}, {"structure": [("class", "x")], "tables": {"em": True}}):
        assert bf.NetworkClassifier(**settings).fit(table, labels).classes_.tolist() == ["u", "v"]


def test_rows_that_cannot_happen_are_told_by_name():
    X, y = [["a", "p", "s"], ["a", "p", "s"], ["b", "q", "t"], ["b", "q", "t"]], ["A", "A", "B", "B"]
    arcs = [("class", "x0"), ("x0", "x1"), ("x1", "x2")]
    clf = bf.NetworkClassifier(arcs, tables={"method": "mle"}).fit(X, y)
    asked = [["a", "p", "s"], ["a", "q", None]]
    for ask in (clf.predict_proba, clf.predict, clf.explain):
        with pytest.raises(
            bf.ImpossibleEvidence, match=r"^row 1: x0=a, x1=q cannot happen together: its probability is 0$"
        ):
            ask(asked)
    with pytest.raises(bf.ImpossibleEvidence, match=r"^row 0: x0=a, x1=q cannot happen together"):
        clf.what_to_ask({"x0": "a", "x1": "q"})
    rows, labels = [*X, ["c", "p", "s"]], [*y, "A"]
    with pytest.raises(bf.ImpossibleEvidence, match=r"^row 4: x0=c cannot happen"):
        bf.NetworkClassifier(arcs, tables={"method": "mle"}).fit(rows, labels).leave_one_out(rows, labels)
