"""A mark of missing values beside numbers leaves them numbers, in memory as in files of text."""

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf

ROWS = 80
NUMBERS = np.round(np.cos(np.arange(ROWS)) * 9, 1)
LABELS = np.where(NUMBERS + np.sin(np.arange(ROWS) * 5) > 0, "p", "q")
HOLES = np.arange(ROWS) % 11 == 3


def table(mark):
    """Numbers, some of which are the mark."""
    column = pd.Series([mark if hole else x for x, hole in zip(NUMBERS, HOLES, strict=True)], dtype=object)
    return pd.DataFrame({"dose": column, "other": np.arange(ROWS) % 3})


@pytest.mark.parametrize("missing", ["n/a", {"dose": "n/a"}, {0: ["?", "n/a"]}])
@pytest.mark.parametrize("make", [bf.NaiveBayes, bf.BayesClassifier, bf.KDB])
def test_numbers_beside_a_mark_are_numbers(make, missing, tmp_path):
    marked, plain = table("n/a"), table(None).astype({"dose": float})
    model, expected = make(missing=missing).fit(marked, LABELS), make().fit(plain, LABELS)
    assert [c.family for c in model.columns_] == [c.family for c in expected.columns_]
    np.testing.assert_array_equal(model.predict_proba(marked), expected.predict_proba(plain))
    np.testing.assert_array_equal(model.predict_proba(plain), expected.predict_proba(plain))
    alone = [model.predict_proba(row)[0] for row in marked.to_dict("records")]
    np.testing.assert_allclose(alone, expected.predict_proba(plain), atol=1e-12)
    model.partial_fit(marked[:9], LABELS[:9]).forget(marked[:9], LABELS[:9])
    np.testing.assert_allclose(model.predict_proba(marked), expected.predict_proba(plain), atol=1e-9)
    marked.assign(y=LABELS).to_csv(tmp_path / "t.csv", index=False)
    by_name = {"dose": "n/a"} if isinstance(missing, dict) else missing
    from_file = make(missing=by_name).fit_from(tmp_path / "t.csv", "y")
    np.testing.assert_allclose(from_file.predict_proba(plain), expected.predict_proba(plain), atol=1e-12)


def test_scores_of_rows_held_out_are_those_of_numbers():
    marked, plain = table("n/a"), table(None).astype({"dose": float})
    marked_scores = bf.evaluate(bf.NaiveBayes(missing="n/a"), marked, LABELS)
    assert repr(marked_scores) == repr(bf.evaluate(bf.NaiveBayes(), plain, LABELS))


def test_what_is_declared_or_another_text_stays_categories():
    model = bf.NaiveBayes(missing="n/a", families={"dose": "categorical"}).fit(table("n/a"), LABELS)
    assert model.columns_[0].family == "categorical"
    several = table("n/a")
    several.loc[0, "dose"] = "high"
    assert bf.NaiveBayes(missing="n/a").fit(several, LABELS).columns_[0].family == "categorical"
