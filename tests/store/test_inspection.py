"""A saved model in words."""

import warnings

import numpy as np

import bayesfold as bf
from bayesfold import store
from bayesfold.estimators.base import ColumnWarning

TABLE = {
    "年龄": [31, 44, 27, 58, 61, 35, 49, 52] * 5,
    "coat": ["long", "short", None, "short"] * 10,
    "ward": ["7 B"] * 40,
}
LABELS = ["well", "sick"] * 20


def lines(clf, tmp_path, **told):
    """{section: lines} of a classifier that was saved and loaded."""
    path = tmp_path / "m.bayes"
    clf.save(path, **told)
    found = store.inspect(store.load(path), path)
    return {s.title: {line[0]: line[1:] for line in s.lines} for s in found.sections}, str(found)


def fitted(clf):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColumnWarning)
        return clf.fit(TABLE, LABELS)


def test_dates_are_one_column_whatever_parts_are_read(tmp_path):
    days = [f"2024-01-{day:02}" for day in range(1, 31)]
    found, _ = lines(bf.NaiveBayes().fit({"day": days}, ["rest" if i % 7 > 4 else "work" for i in range(30)]), tmp_path)
    assert found["model"]["reads"] == ("1 column",)


def test_naive_bayes_in_words(tmp_path):
    loss = {"sick": {"well": 1}, "well": {"sick": 20}}
    clf = fitted(bf.NaiveBayes(numeric="gaussian", missing_as="value", loss=loss, reject_cost=0.5))
    found, text = lines(clf, tmp_path, source="ward 7", date="2026-11-16")
    model, costs = found["model"], "the least expected loss, loss[decision][truth]"
    assert model["kind"] == ("NaiveBayes",)
    assert model["rows"] == ("40",)
    assert model["predicts"] == ("class: 'sick', 'well'",)
    assert model["reads"] == ("2 columns; 1 left out",)
    assert model["structure"] == ("P(class) P(年龄 | class) P(coat | class)",)
    assert model["decides"] == (f"{costs} = {loss}; rejects what would cost more than 0.5",)
    assert model["settings"] == ("numeric='gaussian', missing_as='value'",)
    assert model["can still"] == ("learn, forget, merge, decay, leave rows out",)
    assert model["file"][0].startswith(f"{tmp_path / 'm.bayes'}, ")
    assert found["classes"] == {"sick": ("20", "0.5"), "well": ("20", "0.5")}
    assert found["columns"]["coat"][:2] == ("3 categories, missing being one of them", "categorical")
    assert found["columns"]["年龄"][:2] == ("numbers with a gaussian density", "gaussian")
    assert found["columns"]["ward"][0] == "not read"
    assert found["history"] == {"save": ("40", "ward 7", "2026-11-16")}
    assert "calibration" not in model
    assert text.startswith("model\nwhat       is\nkind       NaiveBayes\n")


def test_a_pool_in_words(tmp_path):
    clf = fitted(bf.BayesClassifier(time_budget=0.0))
    found, _ = lines(clf, tmp_path)
    assert found["model"]["structure"][0].startswith("a pool of naive (")
    assert list(found["parts"]) == ["naive", "aode", "kdb", "gaussian", "parzen", "together"]
    assert "reweigh" not in found["model"]["can still"][0]
    clf.forget({name: values[:1] for name, values in TABLE.items()}, LABELS[:1])
    assert "reweigh(X, y) fits them again" in lines(clf, tmp_path)[0]["model"]["can still"][0]


def test_weights_and_structures_in_words(tmp_path):
    found, _ = lines(fitted(bf.AODE(combine="pool", calibration=None)), tmp_path)
    assert found["model"]["structure"] == (
        "the weighted product of 2 networks, in each of which all columns depend on a column and the class",
    )
    assert all(0 < float(found["columns"][name][2]) < 2 for name in ("年龄", "coat"))
    found, _ = lines(fitted(bf.NaiveBayes(calibration="temperature").set_params(class_weight="balanced")), tmp_path)
    assert found["model"]["calibration"][0].startswith("joint probability to the power ")


def test_what_a_model_cannot_do_any_more_is_said(tmp_path):
    decayed, _ = lines(fitted(bf.NaiveBayes()).decay(0.5), tmp_path)
    assert decayed["model"]["rows"] == ("40 that weigh 20, decayed",)
    assert "weights that they have now" in decayed["model"]["can still"][0]
    soft = bf.NaiveBayes(unlabelled=0.5).fit({"coat": TABLE["coat"]}, [None, *LABELS[1:]])
    found, _ = lines(soft, tmp_path)
    assert found["model"]["can still"][0].startswith("predict only")
    assert found["model"]["unlabelled"] == ("1 rows without a label, each of the weight 0.5",)


def test_a_drop_in_in_words(tmp_path):
    found, _ = lines(bf.MultinomialNB(alpha=np.array([1.0, 2.0])).fit([[1, 2], [3, 4]], [0, 1]), tmp_path)
    assert found["model"]["settings"] == ("alpha=[1.0, 2.0], fit_prior=True, force_alpha=True",)
    assert found["model"]["can still"][0].endswith("(in Python, with bayesfold.load)")
    assert found["columns"]["x1"] == ("in a block of 2 counts", "multinomial")


def test_long_tables_are_cut_in_print(tmp_path):
    path = tmp_path / "m.bayes"
    bf.GaussianNB().fit(np.random.default_rng(0).normal(size=(4, 100)), [0, 1, 0, 1]).save(path)
    found = store.inspect(store.load(path))
    assert "\nand 60 more" in str(found)
    assert found._repr_html_().count("<tr>") > 100
