"""TextClassifier: whatever the text comes in, what it learns and forgets, what it says, and what it refuses."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

import bayesfold as bf
from bayesfold.families.text import Text

DATA = Path(__file__).parents[3] / "shared" / "data"
WORDS = {"spam": ["win", "prize", "money", "free", "CLICK"], "ham": ["lunch", "meeting", "report", "ten", "Grüße"]}


def corpus(rows=120, seed=0):
    draw = np.random.default_rng(seed)
    y = np.where(draw.random(rows) < 0.4, "spam", "ham")
    both = ["the", "and", "you", "to"]
    return [" ".join(draw.choice([*WORDS[label], *both], draw.integers(1, 9))) for label in y], y


X, Y = corpus()
TEXTBOOK = {"model": "multinomial", "alpha": 1.0, "weights": None}


def same(a, b, rtol=1e-9):
    np.testing.assert_allclose(a.predict_log_proba(X), b.predict_log_proba(X), rtol=rtol, atol=1e-9)


@pytest.mark.parametrize(
    "store",
    [
        tuple,
        lambda x: np.array(x),
        lambda x: np.array(x, object),
        pd.Series,
        lambda x: pd.Series(x, dtype="category"),
        lambda x: pd.Series(x, dtype="string"),
        pl.Series,
        pa.array,
        lambda x: pa.chunked_array([x[:50], x[50:]]),
        lambda x: pa.array(x, pa.large_string()),
        lambda x: pd.DataFrame({"text": x}),
        lambda x: pl.DataFrame({"text": x}),
        lambda x: pa.table({"text": x}),
        lambda x: [{"text": text} for text in x],
        lambda x: {"text": x},
    ],
)
def test_text_comes_in_anything(store):
    plain, other = bf.TextClassifier().fit(X, Y), bf.TextClassifier().fit(store(X), Y)
    np.testing.assert_array_equal(plain.predict_proba(X), other.predict_proba(store(X)))


def test_partial_fit_forget_and_merge_are_fit():
    clf = bf.TextClassifier(**TEXTBOOK).fit(X[:60], Y[:60])
    whole = bf.TextClassifier(**TEXTBOOK).fit(X, Y)
    parts = clf.blank().partial_fit(X[60:], Y[60:])
    same(clf + parts, whole)
    same(parts + clf, whole)
    clf.partial_fit(X[60:], Y[60:])
    same(clf, whole)
    clf.forget(X[:60], Y[:60])
    same(clf, bf.TextClassifier(**TEXTBOOK).fit(X[60:], Y[60:]))
    for text, label in zip(X[:60], Y[:60], strict=True):
        clf.partial_fit({"text": text}, label)
    same(clf, whole)


@pytest.mark.parametrize(
    "options", [{}, {"model": "bernoulli"}, {"hashed": 2**12}, {"norm": "l2", "model": "complement"}]
)
def test_what_was_learned_and_forgotten_leaves_nothing(options):
    clf = bf.TextClassifier(**options).fit(X, Y)
    before = clf.predict_log_proba(X)
    clf.partial_fit(["words never seen before", "win win"], ["ham", "new class"])
    assert clf.classes_.tolist() == ["ham", "new class", "spam"]
    clf.forget(["words never seen before", "win win"], ["ham", "new class"])
    assert clf.classes_.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(clf.predict_log_proba(X), before, rtol=1e-7, atol=1e-7)


def test_rows_never_learned_are_refused_and_nothing_changes():
    clf = bf.TextClassifier().fit(X, Y)
    before = clf.predict_log_proba(X)
    with pytest.raises(ValueError, match=r"row 1 was not learned by this model: column 'text' shows a term never seen"):
        clf.forget([X[0], "unheard"], [Y[0], "ham"])
    spam = X[list(Y).index("spam")]
    with pytest.raises(ValueError, match=r"row 0 was not learned .* rows of its class show '.*' than would be taken"):
        clf.forget([spam] * 40, ["ham"] * 40)
    np.testing.assert_array_equal(clf.predict_log_proba(X), before)


def test_leave_one_out_is_a_refit_with_what_was_chosen():
    clf = bf.TextClassifier().fit(X, Y)
    found = clf.leave_one_out(X, Y)
    for i in (0, 7, 60):
        rest = pickle.loads(pickle.dumps(clf)).forget([X[i]], [Y[i]])
        np.testing.assert_allclose(found[i], rest.predict_log_proba([X[i]])[0], rtol=1e-7, atol=1e-7)


def test_explanations_name_words_and_add_up():
    clf = bf.TextClassifier().fit(X, Y)
    asked = ["win the MONEY, win!", "lunch", "unknown", ""]
    found, joint = clf.explain(asked), clf.predict_joint_log_proba(asked)
    np.testing.assert_allclose(found.log_odds, np.abs(joint[:, 0] - joint[:, 1]), atol=1e-9)
    words = {reason.part: reason.value for reason in found[0].reasons}
    assert words["win"] == 2
    assert words["money"] == 1
    assert "and" not in words
    assert "win" in str(found[0])


def test_the_words_of_two_texts_are_told_apart():
    table = pd.DataFrame({"subject": [x.split()[0] for x in X], "body": X})
    clf = bf.TextClassifier(**TEXTBOOK).fit(table, Y)
    shown = {reason.part for reason in clf.explain(table[:1])[0].reasons}
    assert any(part.startswith("subject: ") for part in shown)
    assert any(part.startswith("body: ") for part in shown)
    assert clf.score(table, Y) > 0.9


def test_top_terms_and_the_description_of_documents():
    clf = bf.TextClassifier().fit(X, Y)
    top = clf.top_terms(3)
    assert {term for term, _ in top["spam"]} <= {w.lower() for w in WORDS["spam"]}
    assert all(odds > 0 for _, odds in top["ham"])
    assert "class" in str(top)
    seen = clf.describe(["win prize", "prize; WIN win", "nothing here", "lunch"])["text"]
    assert (seen.documents, seen.terms) == (4, 8)
    assert (seen.unknown, seen.silent, seen.duplicates) == (0.25, 0.25, 0.5)
    assert "near duplicates" in str(seen)


def test_documents_name_the_places_of_a_hashed_vocabulary():
    exact, hashed = bf.TextClassifier().fit(X, Y), bf.TextClassifier(hashed=2**16).fit(X, Y)
    assert all(term.startswith("bucket ") for term, _ in hashed.top_terms(3)["spam"])
    named = hashed.top_terms(3, X)
    for label in ("spam", "ham"):
        assert [t.partition(" (bucket ")[0] for t, _ in named[label]] == [t for t, _ in exact.top_terms(3)[label]]
    with pytest.raises(ValueError, match="knows its terms by name"):
        exact.top_terms(3, X)


@pytest.mark.parametrize("classifier", [bf.NaiveBayes, bf.BayesClassifier, bf.AODE, bf.TAN, bf.KDB])
def test_a_text_beside_other_columns(classifier):
    draw = np.random.default_rng(1)
    hour = np.where(Y == "spam", draw.integers(0, 6, len(Y)), draw.integers(8, 20, len(Y))).astype(float)
    table = pd.DataFrame({"body": X, "country": draw.choice(["de", "us"], len(Y)), "hour": hour})
    clf = classifier(families={"body": "text"}).fit(table, Y)
    assert clf.score(table, Y) > 0.95
    found, joint = clf.explain(table[:5]), clf.predict_joint_log_proba(table[:5])
    np.testing.assert_allclose(found.log_odds, np.abs(joint[:, 0] - joint[:, 1]), atol=1e-8)
    without = bf.NaiveBayes(families={"body": "text"}).fit(table.assign(body=None), Y)
    assert without.score(table.assign(body=None), Y) > 0.9  # the hour still speaks


def test_free_text_that_is_left_out_says_how_it_could_be_used():
    table = pd.DataFrame({"body": [f"{x} number {i} of many" for i, x in enumerate(X)], "hour": np.arange(len(X)) % 24})
    with pytest.warns(bf.ColumnWarning, match=r"families=\{'body': 'text'\} reads its words"):
        bf.NaiveBayes().fit(table, Y)


def test_in_pipelines_grids_and_cross_validation():
    assert cross_val_score(bf.TextClassifier(), X, Y, cv=3).min() > 0.8
    grid = {"textclassifier__alpha": [0.1, 1.0], "textclassifier__model": ["multinomial", "bernoulli"]}
    search = GridSearchCV(make_pipeline(bf.TextClassifier(weights=None)), grid, cv=3).fit(X, Y)
    assert search.best_score_ > 0.8
    assert clone(bf.TextClassifier(ngram_range=(1, 2))).ngram_range == (1, 2)


CHANGES = {
    "model": "bernoulli",
    "alpha": 5.0,
    "prior_alpha": 50.0,
    "ridge": 10.0,
    "analyzer": "char_wb",
    "ngram_range": (1, 2),
    "lowercase": False,
    "hashed": 16,
    "tf": "log",
    "norm": "l1",
    "idf": True,
    "min_df": 25,
    "max_df": 0.2,
    "max_features": 5,
    "stop_words": ["win", "lunch"],
    "weights": "auto",
    "calibration": "temperature",
    "families": {"text": Text(alpha=7.0)},
    "missing": X[0],
    "priors": [0.9, 0.1],
    "class_weight": {"ham": 3.0},
    "loss": [[0, 9], [1, 0]],
    "reject_cost": 0.2,
    "reject_label": "unsure",
    "unseen_class": 0.3,
}


@pytest.mark.parametrize("option", sorted(bf.TextClassifier().get_params()))
def test_every_option_changes_an_output(option):
    draw = np.random.default_rng(0)
    y = np.where(draw.random(len(Y)) < 0.3, draw.permutation(Y), Y)  # not so easy that nothing matters
    y[0] = "ham" if y[0] == "spam" else "spam"
    docs = [x.upper() if i % 3 == 0 else x for i, x in enumerate(X)]
    docs[0] = X[0]
    if option == "weights_are":
        weight = draw.integers(1, 9, len(y)).astype(float)
        both = (
            bf.TextClassifier(**TEXTBOOK, weights_are=word).fit(docs, y, weight) for word in ("importance", "counts")
        )
        left_out = [clf.leave_one_out(docs, y, weight) for clf in both]
        assert np.abs(left_out[0] - left_out[1]).max() > 1e-6
        return
    common = {**TEXTBOOK, **{"reject_label": {"reject_cost": 0.2}, "ridge": {"model": "nb_lr"}}.get(option, {})}
    plain, changed = (bf.TextClassifier(**{**common, **o}).fit(docs, y) for o in ({}, {option: CHANGES[option]}))
    if option in ("loss", "reject_cost", "reject_label"):
        assert (plain.predict(docs) != changed.predict(docs)).any()
    elif option == "unseen_class":  # what is said of known classes stays
        assert (changed.predict_proba(docs, unseen=True)[:, -1] == 0.3).all()
    else:
        assert np.abs(plain.predict_proba(docs) - changed.predict_proba(docs)).max() > 1e-6


@pytest.mark.parametrize(
    ("options", "given", "said"),
    [
        ({"model": "svm"}, X, "model='svm' is not one of 'auto', 'multinomial', 'complement', 'bernoulli'"),
        ({"alpha": -1}, X, "alpha=-1 must be 'auto' or a number of at least 0"),
        ({"analyzer": "sentence"}, X, "analyzer='sentence' is not one of"),
        ({"ngram_range": (0, 1)}, X, "ngram_range=.0, 1. must be"),
        ({"hashed": 1000}, X, "hashed=1000 must be a power of two"),
        ({"tf": "often"}, X, "tf='often' is not one of 'count', 'presence', 'log'"),
        ({"norm": "l3"}, X, "norm='l3' is not one of"),
        ({"idf": "thawed"}, X, "idf='thawed' is not one of False, True, 'frozen'"),
        ({"min_df": 1.5}, X, "min_df=1.5 must be a number of documents .int. or a share"),
        ({"max_features": 0}, X, "max_features=0 must be None or at least 1"),
        ({"stop_words": "english"}, X, "must be a list of words"),
        ({}, "one text", "X is one text, 'one text'; give a list of texts"),
        ({}, [], "there are no documents"),
    ],
)
def test_what_cannot_be_is_refused(options, given, said):
    with pytest.raises((ValueError, TypeError), match=said):
        bf.TextClassifier(**{**TEXTBOOK, **options}).fit(given, Y)


def test_numbers_are_no_documents():
    with pytest.raises(ValueError, match="X holds int64, but documents are text"):
        bf.TextClassifier().fit(np.arange(len(Y)), Y)
    clf = bf.TextClassifier().fit(np.arange(240.0).reshape(120, 2), Y)
    with pytest.raises(ValueError, match="no column of this model is read as text"):
        clf.top_terms()


def test_a_silent_document_gets_the_prior():
    clf = bf.TextClassifier().fit(X, Y)
    share = (np.array([(c == Y).sum() for c in clf.classes_]) + 1) / (len(Y) + 2)
    np.testing.assert_allclose(clf.predict_proba([None, "", "zzz"]), np.tile(share, (3, 1)))


def test_text_without_blanks():
    docs = ["今天天气很好", "天气不错今天", "股票市场下跌", "市场股票上涨", "明天天气", "股票"]
    clf = bf.TextClassifier(analyzer="char", ngram_range=(1, 2), **TEXTBOOK).fit(docs, [*"wwmmwm"])
    assert clf.predict(["好天气", "股市"]).tolist() == ["w", "m"]


def test_a_saved_model_goes_on_learning():
    clf = bf.TextClassifier().fit(X, Y)
    again = pickle.loads(pickle.dumps(clf))
    same(clf.partial_fit(["brand new words"], ["ham"]), again.partial_fit(["brand new words"], ["ham"]))


@pytest.mark.parametrize(("name", "accuracy", "loss"), [("sms_spam.csv", 0.98, 0.055), ("bbc_news.csv.gz", 0.96, 0.12)])
def test_public_text_is_classified(name, accuracy, loss):
    if not (DATA / name).is_file():
        pytest.skip("the public sets are not here")
    table = pd.read_csv(DATA / name, keep_default_na=False)
    fold = pd.read_csv(DATA / "folds" / f"{name.split('.')[0]}.csv.gz").to_numpy()[:, 0]
    text, label = table["text"].to_numpy(), table.iloc[:, -1].to_numpy()
    clf = bf.TextClassifier().fit(text[fold != 0], label[fold != 0])
    log_p = clf.predict_log_proba(text[fold == 0])
    truth = np.searchsorted(clf.classes_, label[fold == 0])
    assert (log_p.argmax(1) == truth).mean() >= accuracy
    assert -log_p[np.arange(len(truth)), truth].mean() <= loss


def test_gaussian_bayes_says_that_it_reads_no_words():
    hour = np.where(Y == "spam", 3.0, 14.0) + np.arange(len(Y)) % 5
    with pytest.warns(UserWarning, match="'body' .Gaussian Bayes reads no words"):
        clf = bf.GaussianBayes(families={"body": "text"}).fit({"body": X, "hour": hour}, Y)
    line = next(c for c in clf.columns_ if c.name == "body")
    assert line.family == ""
    assert "reads no words" in line.why
    assert "reads no words" in clf.schema_.left_out["body"]
    assert clf.schema_.sources == ("hour",)
    pool = bf.BayesClassifier(families={"body": "text"}).fit({"body": X, "hour": hour}, Y)
    assert next(c for c in pool.columns_ if c.name == "body").family == "text"


def test_where_a_column_is_declared_text_no_other_is_read_so():
    table = {"body": X, "domain": np.where(Y == "spam", "win.example", "shop.example")}
    every = bf.TextClassifier(model="multinomial").fit(table, Y)
    one = bf.TextClassifier(model="multinomial", families={"body": "text"}).fit(table, Y)
    assert [c.family for c in every.columns_] == ["text", "text"]
    assert [c.family for c in one.columns_] == ["text", "categorical"]


def three_kinds(rows=150, seed=3):
    words = {"news": ["vote", "law", "court"], "sport": ["goal", "match", "vote"], "tech": ["chip", "code", "match"]}
    draw = np.random.default_rng(seed)
    y = draw.choice(list(words), rows)
    return [" ".join(draw.choice([*words[k], "the", "and"], draw.integers(1, 7))) for k in y], y


@pytest.mark.parametrize(("documents", "ridge"), [((X, Y), 1.0), ((X, Y), 0.2), (three_kinds(), 1.0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_nb_lr_is_logistic_regression_of_words_scaled_by_log_count_ratios(documents, ridge, weighted):
    x, y = documents
    weight = 1.0 + np.arange(len(y)) % 3 if weighted else None
    counts = CountVectorizer().fit_transform(x).toarray().astype(float)
    classes, w = np.unique(y), np.ones(len(y)) if weight is None else weight
    sums = np.array([w[y == c] @ counts[y == c] for c in classes]) + 0.5
    logs = np.log(sums / sums.sum(1, keepdims=True))
    pairs = [logs[i] - logs[j] for i in range(len(classes)) for j in range(i)]
    scaled = counts * np.sqrt(np.mean(np.square(pairs), axis=0))
    peer = LogisticRegression(C=1 / ridge, tol=1e-9, max_iter=10_000).fit(scaled, y, weight)
    clf = bf.TextClassifier(model="nb_lr", alpha=0.5, ridge=ridge).fit(x, y, weight)
    np.testing.assert_allclose(clf.predict_proba(x), peer.predict_proba(scaled), atol=2e-5)


def test_nb_lr_explains_word_by_word_and_is_saved(tmp_path):
    x, y = three_kinds()
    clf = bf.TextClassifier(model="nb_lr").fit(x, y)
    joint = np.sort(clf.predict_joint_log_proba(x[:20]), axis=1)
    found = clf.explain(x[:20])
    np.testing.assert_allclose(found.log_odds, joint[:, -1] - joint[:, -2], atol=1e-9)
    for one in found:
        np.testing.assert_allclose(sum(r.contribution for r in one.reasons), one.log_odds, atol=1e-9)
        assert {"goal", "chip", "law", "the", "and", "vote", "court", "match", "code"} & {r.part for r in one.reasons}
    clf.save(tmp_path / "lr.bayes")
    again = bf.load(tmp_path / "lr.bayes")
    np.testing.assert_array_equal(again.predict_proba(x), clf.predict_proba(x))
    told = bf.TextClassifier(model="nb_lr", priors={"news": 0.6, "sport": 0.2, "tech": 0.2}).fit(x, y)
    shift = told.predict_log_proba(x) - clf.predict_log_proba(x)
    given = np.log([0.6, 0.2, 0.2]) - np.log((np.unique(y, return_counts=True)[1] + 1) / (len(y) + 3))
    np.testing.assert_allclose(shift - shift[:, :1], np.tile(given - given[0], (len(y), 1)), atol=1e-9)


def test_nb_lr_refuses_what_is_no_sum():
    clf = bf.TextClassifier(model="nb_lr").fit(X, Y)
    before = clf.predict_log_proba(X)
    for change in (
        lambda: clf.partial_fit(X[:2], Y[:2]),
        lambda: clf.forget(X[:2], Y[:2]),
        lambda: clf.merge(clf),
        lambda: clf.leave_one_out(X, Y),
        lambda: clf.decay(0.5),
        clf.blank,
    ):
        with pytest.raises(ValueError, match="was found by iteration over all rows together"):
            change()
    np.testing.assert_array_equal(clf.predict_log_proba(X), before)
    with pytest.raises(ValueError, match="none can be learned later"):
        bf.TextClassifier(model="nb_lr").partial_fit(X, Y)
    with pytest.raises(ValueError, match="reads nothing else"):
        bf.TextClassifier(model="nb_lr").fit({"a": X, "b": X}, Y)
    with pytest.raises(ValueError, match="needs scores of rows left out"):
        bf.TextClassifier(model="nb_lr", calibration="temperature").fit(X, Y)
    with pytest.raises(ValueError, match="ridge=0 must be a number above 0"):
        bf.TextClassifier(model="nb_lr", ridge=0).fit(X, Y)


UNKNOWN = ["win unheard words", "lunch lunch nothing", "unheard"]


@pytest.mark.parametrize("norm", [None, "l1", "l2"])
@pytest.mark.parametrize(("model", "peer"), [("multinomial", MultinomialNB), ("complement", ComplementNB)])
def test_frozen_idf_is_scikit_learns_order(norm, model, peer):
    count, rare = CountVectorizer(), TfidfTransformer(norm=norm)
    first = rare.fit_transform(count.fit_transform(X[:80]))
    nb = peer(alpha=0.5).partial_fit(first, Y[:80], classes=np.unique(Y))
    clf = bf.TextClassifier(model=model, alpha=0.5, prior_alpha=0.0, weights=None, norm=norm, idf="frozen")
    clf.fit(X[:80], Y[:80])
    asked = [*X, *UNKNOWN]

    def agree():
        theirs = np.diff(nb.predict_joint_log_proba(rare.transform(count.transform(asked))), axis=1)
        if peer is ComplementNB:  # which has no prior of several classes
            theirs = theirs + np.diff(clf.model_.log_prior())
        ours = np.diff(clf.predict_joint_log_proba(asked), axis=1)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)

    agree()
    nb.partial_fit(rare.transform(count.transform(X[80:])), Y[80:])  # X[80:] has no new word
    clf.partial_fit(X[80:], Y[80:])
    agree()


@pytest.mark.parametrize("hashed", [None, 2**10])
def test_frozen_idf_stays_as_it_was_frozen(hashed, tmp_path):
    options = {**TEXTBOOK, "norm": "l2", "idf": "frozen", "hashed": hashed}
    clf = bf.TextClassifier(**options).fit(X[:60], Y[:60])
    before, more = clf.predict_log_proba(X), (["a new word", "win it"], ["ham", "spam"])
    both = clf + clf.blank().partial_fit(*more)
    clf.partial_fit(*more)
    same(both, clf)
    found = clf.leave_one_out(*more)
    np.testing.assert_allclose(clf.forget(*more).predict_log_proba(X), before, atol=1e-9)
    clf.partial_fit(more[0][1:], more[1][1:])
    np.testing.assert_allclose(found[0], clf.predict_log_proba(more[0])[0], atol=1e-6)
    clf.save(tmp_path / "frozen.bayes")
    again = bf.load(tmp_path / "frozen.bayes")
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    again.partial_fit(X[60:], Y[60:])
    other = bf.TextClassifier(**options).fit(X[60:], Y[60:])
    with pytest.raises(ValueError, match=r"read in two ways, as .*idf of 60 documents"):
        clf + other


@pytest.mark.parametrize("name", ["BayesClassifier", "AODE", "KDB", "NaiveBayes"])
def test_a_text_beside_other_columns_is_explained_word_by_word(name):
    docs, y = corpus()
    X = pd.DataFrame({"body": docs, "country": np.where(y == "spam", "XX", "DE"), "day": ["mo", "tu", "we"] * 40})
    X.loc[::5, "country"] = "FR"
    X.loc[7, "body"] = None
    clf = getattr(bf, name)(families={"body": "text"}).fit(X, y)
    found, log_proba = clf.explain(X[:12], of="spam", against="ham"), clf.predict_log_proba(X[:12])
    np.testing.assert_allclose(found.log_odds, log_proba[:, 1] - log_proba[:, 0], atol=1e-9)
    for row, one in enumerate(found):
        parts = {reason.part: reason for reason in one.reasons}
        words = {word for word in str(docs[row]).lower().split() if row != 7}
        assert words <= parts.keys()
        assert abs(parts["body"].contribution) < 1e-9  # all of it is said by its words
        assert {part for part, reason in parts.items() if isinstance(reason.value, float)} == words
    assert parts["country"].value == X.country[11]


def test_a_hashed_text_is_explained_by_the_documents_own_words():
    docs, y = corpus()
    clf = bf.TextClassifier(model="multinomial", alpha=1.0, weights=None, hashed=8).fit(docs, y)
    for doc, one in zip(docs[:20], clf.explain(docs[:20]), strict=True):
        named = [reason.part.partition(" (bucket ")[0].split(", ") for reason in one.reasons if "bucket" in reason.part]
        assert sorted(word for words in named for word in words) == sorted(set(doc.lower().split()))
    two = {"subject": docs, "body": docs[::-1]}
    one = bf.TextClassifier(hashed=2**10, ngram_range=(1, 2)).fit(pd.DataFrame(two), y).explain(pd.DataFrame(two))[0]
    first = docs[0].lower().split()
    assert any(reason.part.startswith(f"subject: {first[0]} (bucket") for reason in one.reasons)


STREAM = """
import os, resource, sys
child = os.fork()  # a process started by another inherits its high-water mark; a forked one does not
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
from bayesfold import TextClassifier
unit = 1 if sys.platform == "darwin" else 1024
hashed = int(sys.argv[1]) or None
base = [" ".join(f"w{(7 * i + j * j) % 3_000}" for j in range(40)) for i in range(5_000)]
y = [i % 2 for i in range(len(base))]
clf = TextClassifier(model="multinomial", alpha=1.0, weights=None, hashed=hashed)
for block in range(33):
    new = f" new{block}" if hashed else ""
    clf.partial_fit([text + new + (str(i) if hashed else "") for i, text in enumerate(base)], y)
    clf.predict(base)
    if block in (2, 32):
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("hashed", [0, 2**14])
def test_a_stream_of_text_takes_no_more_memory_the_longer_it_is(hashed):
    done = subprocess.run(
        [sys.executable, "-c", STREAM, str(hashed)], check=True, stdout=subprocess.PIPE, text=True, timeout=300
    )
    short, long = map(int, done.stdout.split())
    assert long - short < 20 << 20  # thirty blocks more, of 1.2 MB of text and 1.6 MB of counts each
