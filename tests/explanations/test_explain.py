"""Explanations of rows, by hand and in print."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import bayesfold as bf

X = pd.DataFrame({"coat": ["short", "long", None, "short"] * 3, "mass": [4.2, 5.1, 30.0, 22.5] * 3})
X["mass"] += np.arange(12) / 10
Y = ["cat", "cat", "dog", "dog"] * 3


def test_a_table_of_categories_by_hand():
    coats = pd.DataFrame({"coat": ["short", "long", "short", "long", "short", "short", "long", "short"]})
    clf = bf.NaiveBayes().fit(coats, ["cat", "cat", "cat", "cat", "dog", "dog", "dog", "dog"])
    one = clf.explain({"coat": "short"})[0]
    prior, coat = one.reasons
    assert (prior.part, prior.value, coat.part, coat.value) == ("prior", None, "coat", "short")
    assert one.decision == "dog"
    # two of four cats and three of four dogs are short; one row is added to each of two levels
    assert coat.contribution == pytest.approx(np.log((3 + 1) / (4 + 2)) - np.log((2 + 1) / (4 + 2)))
    assert one.log_odds == pytest.approx(np.log(4 / 3))


def test_the_words_of_a_text_are_explained_one_by_one():
    counts = np.array([[3, 0, 0, 1], [4, 1, 0, 0], [1, 2, 2, 0], [0, 5, 1, 0]])
    y = ["ham", "ham", "spam", "spam"]
    clf = bf.MultinomialNB().fit(counts, y)
    for block in (counts, csr_array(counts)):
        found = clf.explain(block, of="ham", against="spam")
        np.testing.assert_allclose(found.log_odds, -np.diff(clf.predict_joint_log_proba(counts))[:, 0], atol=1e-12)
        by_name = {reason.part: reason for reason in found[2].reasons}
        weights = clf.feature_log_prob_[0] - clf.feature_log_prob_[1]
        assert "x3" not in by_name
        assert by_name["x1"].contribution == pytest.approx(2 * weights[1])
        assert by_name["x1"].value == 2
    mean = clf.explain(counts).importance()
    assert mean["x0"] == pytest.approx(np.abs(counts[:, 0] * weights[0]).mean())


def test_what_a_bernoulli_row_lacks_stays_with_the_block():
    counts = np.array([[1, 0], [1, 1], [0, 1], [0, 1]])
    clf = bf.BernoulliNB().fit(counts, [0, 0, 1, 1])
    one = {r.part: r.contribution for r in clf.explain(counts, of=0, against=1)[0].reasons}
    p = np.exp(clf.feature_log_prob_)
    assert one["counts"] == pytest.approx(np.diff(-np.log(1 - p).sum(1))[0])
    assert one["x0"] == pytest.approx(np.log(p[0, 0] / (1 - p[0, 0])) - np.log(p[1, 0] / (1 - p[1, 0])))


def test_importance_is_the_mean_of_what_is_explained():
    found = bf.NaiveBayes().fit(X, Y).explain(X)
    mean = found.importance()
    assert set(mean) == {"prior", "coat", "mass"}
    masses = [abs(r.contribution) for one in found for r in one.reasons if r.part == "mass"]
    assert mean["mass"] == pytest.approx(np.mean(masses))
    assert list(mean.values()) == sorted(mean.values(), reverse=True)
    assert str(mean).splitlines()[0].split() == ["part", "mean", "|log-odds|"]
    assert "<table>" in mean._repr_html_()


def test_it_prints_with_the_values():
    clf = bf.NaiveBayes().fit(X, Y)
    found = clf.explain(X)
    text = str(found[2])
    assert text.startswith("dog against cat: log-odds +")
    assert "30.2" in text
    assert "coat" in text
    assert text.splitlines()[-1].split() == ["sum", f"{found[2].log_odds:+.3f}"]
    assert "and 7 more rows" in str(found)
    assert "and 7 more rows" in found._repr_html_()
    assert "<table>" in found[0]._repr_html_()
    assert len(found[1:3]) == 2
    assert found[-1].decision == found[11].decision


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_as_a_data_frame(backend):
    found = bf.NaiveBayes().fit(X, Y).explain(X)
    frame = found.to_frame(backend)
    assert frame.shape == (36, 6)
    table = pd.DataFrame(found.columns())
    sums = table.groupby("row").contribution.sum()
    np.testing.assert_allclose(sums, found.log_odds)


def test_a_decision_that_is_not_the_most_probable_class_is_said_to_be_so():
    clf = bf.NaiveBayes(loss={"cat": {"dog": 1}, "dog": {"cat": 100}}).fit(X, Y)
    one = clf.explain({"coat": "short"})[0]
    assert one.decision == "cat"
    assert one.log_odds < 0
    assert "for dog over cat" in str(one)


def test_a_rejected_row_is_explained_by_its_most_probable_class():
    clf = bf.NaiveBayes(reject_cost=1e-12).fit(X, Y)
    one = clf.explain({"coat": "short"})[0]
    assert one.label == "reject"
    assert "(predicted: reject)" in str(one)
    assert one.log_odds > 0


def test_two_chosen_classes():
    clf = bf.NaiveBayes().fit(X.assign(n=np.arange(12)), [*"abcabcabcabc"])
    joint = clf.predict_joint_log_proba(X.assign(n=np.arange(12)))
    found = clf.explain(X.assign(n=np.arange(12)), of="c", against="a")
    np.testing.assert_allclose(found.log_odds, joint[:, 2] - joint[:, 0], atol=1e-9)
    against = clf.explain(X.assign(n=np.arange(12)), against="a")
    assert all(e.against == "a" and e.decision != "a" for e in against)


def test_where_a_split_is_a_convention_it_is_stated():
    table = pd.DataFrame({"a": [*"xyxyxxyy"] * 4, "b": [*"xyxyxyxy"] * 4, "c": [*"xxyyxxyy"] * 4})
    y = [*"ppqqpqpq"] * 4
    said = [str(kind().fit(table, y).explain(table)[0]) for kind in (bf.NaiveBayes, bf.TAN, bf.AODE)]
    assert ["given its parents" in text for text in said] == [False, True, True]
    assert not any("vary together" in text for text in said)
    numbers = table.assign(a=np.arange(32) % 7, b=np.arange(32) % 5)
    assert "two correlated columns get half each" in str(bf.GaussianBayes().fit(numbers, y).explain(numbers))


def test_a_line_that_is_no_columns_is_told_in_words_where_it_says_something():
    table = pd.DataFrame({"a": [*"xyxyxxyy"] * 4, "b": [*"xyxyxyxy"] * 4, "c": [*"xxyyxxyy"] * 4})
    y = [*"ppqqpqpq"] * 3 + [*"pppppppq"]
    told = {
        "class offset": bf.NaiveBayes(weights="auto"),
        "averaging": bf.AODE(),
        "missing parents": bf.TAN(),
        "class spread": bf.GaussianBayes(covariance="full"),
    }
    for line, clf in told.items():
        row = {"a": "x"} if line == "missing parents" else {"a": "x", "b": "y", "c": "x"}
        one = clf.fit(table, y).explain(row)[0]
        size = next(abs(r.contribution) for r in one.reasons if r.part == line)
        assert (f"{line}: " in str(one)) == (f"<p>{line}: " in one._repr_html_()) == (size >= 5e-4)
    assert "class offset" not in str(bf.NaiveBayes(calibration="temperature").fit(table, y).explain(table[:1])[0])


def test_what_is_wrong_is_said():
    clf = bf.NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match="'cow' is not a class; the classes are 'cat', 'dog'"):
        clf.explain(X, of="cow")
    with pytest.raises(ValueError, match="against itself"):
        clf.explain(X, of="dog", against="dog")
    with pytest.raises(ValueError, match="one class"):
        bf.NaiveBayes().fit(X, ["cat"] * 12).explain(X)


def test_a_column_may_be_called_prior():
    table = pd.DataFrame({"prior": [*"xyxyxxyy"], "b": [*"xyxyxyxy"]})
    one, same = (
        bf.NaiveBayes().fit(t, [*"ppqqppqq"]).explain(t)[0] for t in (table, table.set_axis(["a", "b"], axis=1))
    )
    said = {r.part: (r.value, r.contribution) for r in one.reasons}
    expected = {r.part: (r.value, r.contribution) for r in same.reasons}
    assert said["prior"] == expected["a"]
    assert said["prior of the classes"] == expected["prior"]


def test_importance_is_the_mean_of_sizes_and_not_the_size_of_a_mean():
    """What speaks for a class in half of the rows and against it in the others is important all the same."""
    clf = bf.NaiveBayes().fit({"a": [*"uuuv", *"vvvu"]}, [*"pppp", *"qqqq"])
    why = clf.explain({"a": [*"uv"]}, of="p", against="q")
    parts = [next(r.contribution for r in one.reasons if r.part == "a") for one in why]
    assert parts[0] == pytest.approx(-parts[1])
    assert parts[0] == pytest.approx(np.log(2.0))  # (3 + 1) / (4 + 2) over (1 + 1) / (4 + 2)
    assert why.importance()["a"] == pytest.approx(np.log(2.0))


@pytest.mark.parametrize("far", [1e4, 1e8, 1e15, -1e15])
def test_a_pool_asked_about_values_that_no_row_was_near_says_its_log_odds(far):
    """A column said 3e18 and the cap took it back: the sum of the two was off by more than all the others said."""
    draw = np.random.default_rng(2)
    y = draw.integers(0, 3, 200)
    table = {"a": draw.normal(y), "b": draw.normal(-y), "c": np.where(draw.random(200) < 0.2 + 0.3 * y, "u", "v")}
    clf = bf.BayesClassifier().fit(table, np.array(["p", "q", "r"])[y])
    asked = {"a": [far, 0.5, far], "b": [0.1, far, -far], "c": ["u", "v", None]}
    classes, log_p = clf.classes_.tolist(), clf.predict_log_proba(asked)
    for row, why in enumerate(clf.explain(asked)):
        of, against = classes.index(why.decision), classes.index(why.against)
        assert sum(reason.contribution for reason in why.reasons) == pytest.approx(
            log_p[row, of] - log_p[row, against], abs=1e-7
        )
        assert against == max((k for k in range(3) if k != of), key=lambda k: log_p[row, k])
