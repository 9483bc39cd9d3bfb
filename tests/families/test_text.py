"""Texts: scikit-learn's numbers, and rows left out against refits, for every model and limit."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import naive_bayes
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

import bayesfold as bf
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.data.text.tokenizer import Analyser
from bayesfold.families.categorical import Categorical
from bayesfold.families.text import Text
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.structures.naive import Naive
from bayesfold.tally.counter import count

DOCS = [
    "win a prize now, win it", "meeting at ten", "prize inside: win", "lunch at noon? at one?", "you win money",
    "see you at noon",
    "money money money", "the report is late", "win the lunch", "ten reports at ten", "unique wording here", "",
]  # fmt: skip
LABELS = ["spam", "ham", "spam", "ham", "spam", "ham", "junk", "ham", "spam", "ham", "junk", "junk"]
PLAIN = {"weights": None, "alpha": 1.0, "prior_alpha": 0.0}


def peers(peer, binary=False, **vectorizer):
    counts = CountVectorizer(binary=binary, **vectorizer)
    fitted = peer.fit(counts.fit_transform(DOCS), LABELS)
    return fitted.predict_proba(counts.transform(DOCS[::-1]))


@pytest.mark.parametrize("limits", [{}, {"min_df": 2}, {"max_df": 0.25}, {"max_df": 3}, {"min_df": 2, "max_df": 4}])
@pytest.mark.parametrize(
    ("model", "peer"),
    [
        ("multinomial", naive_bayes.MultinomialNB()),
        ("multinomial", naive_bayes.MultinomialNB(alpha=0.1)),
        ("bernoulli", naive_bayes.BernoulliNB()),
    ],
)
def test_the_probabilities_are_scikit_learns(model, peer, limits):
    clf = bf.TextClassifier(model=model, **(PLAIN | {"alpha": peer.alpha}), **limits).fit(DOCS, LABELS)
    np.testing.assert_allclose(clf.predict_proba(DOCS[::-1]), peers(peer, model == "bernoulli", **limits), rtol=1e-9)


@pytest.mark.parametrize("norm", [False, True])
def test_complement_has_scikit_learns_weights(norm):
    """scikit-learn's ComplementNB leaves the prior out; ours has it, like all models here."""
    vectorizer = CountVectorizer()
    peer = naive_bayes.ComplementNB(norm=norm).fit(vectorizer.fit_transform(DOCS), LABELS)
    text = Text("complement", normalised=norm)
    model = fitted(text, DOCS, LABELS)
    weights = model.flat.forms[0].weights[:, 1:]
    order = [vectorizer.vocabulary_[w] for w in model.schema.features[0].vocabulary]
    np.testing.assert_allclose(weights, peer.feature_log_prob_.T[order], rtol=1e-9)


def test_idf_is_scikit_learns_without_a_norm():
    clf = bf.TextClassifier(model="multinomial", idf=True, **PLAIN).fit(DOCS, LABELS)
    counts, tfidf = CountVectorizer(), TfidfTransformer(norm=None)
    peer = naive_bayes.MultinomialNB().fit(tfidf.fit_transform(counts.fit_transform(DOCS)), LABELS)
    expected = peer.predict_proba(tfidf.transform(counts.transform(DOCS)))
    np.testing.assert_allclose(clf.predict_proba(DOCS), expected, rtol=1e-9)


def test_stop_words_and_the_cap_are_scikit_learns():
    for options in ({"stop_words": ["win", "at"]}, {"max_features": 4}):
        clf = bf.TextClassifier(model="multinomial", **PLAIN, **options).fit(DOCS[:10], LABELS[:10])
        counts = CountVectorizer(**options)
        peer = naive_bayes.MultinomialNB().fit(counts.fit_transform(DOCS[:10]), LABELS[:10])
        if "max_features" in options:  # of terms that weigh the same either may be kept
            assert (clf.model_.flat.forms[0].weights != 0).any(1).sum() == 4
            continue
        np.testing.assert_allclose(clf.predict_proba(DOCS), peer.predict_proba(counts.transform(DOCS)), rtol=1e-9)


def fitted(text, docs, labels, weight=None, like=None):
    """A model of these documents, with the schema of another if one is given."""
    frame = Frame.of({"body": list(docs)})
    if like is None:
        schema = Schema(Categories("y"), (text.reads("body", frozenset()),)).with_classes(labels).grown(frame)
    else:
        schema = like.schema
    batch = schema.encode(frame, np.array(labels), weight)
    families = {"body": text, "y": Categorical(1.0)}
    mixture = Naive().learn(schema, None)
    return Model(mixture, families, count(schema, cliques(schema, mixture, families), batch))


WAYS = [
    Text("multinomial"),
    Text("multinomial", alpha=0.0),
    Text("multinomial", alpha=0.01, norm="l2"),
    Text("multinomial", tf="log", norm="l1", min_df=2),
    Text("multinomial", max_df=2, stop_words=("win",)),
    Text("multinomial", min_df=2, max_df=3),
    Text("complement", alpha=0.5),
    Text("complement", alpha=0.5, normalised=True, min_df=2),
    Text("complement", alpha=0.0, max_df=3),
    Text("multinomial", idf=True, alpha=0.1),
    Text("complement", idf=True, alpha=0.03, norm="l2", min_df=2),
    Text("bernoulli"),
    Text("bernoulli", alpha=0.1, min_df=2, max_df=3),
    Text("bernoulli", analyser=Analyser("char_wb", (2, 3))),
    Text("multinomial", analyser=Analyser(buckets=8)),
]


@pytest.mark.parametrize("text", WAYS)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_row_left_out_is_a_refit_without_it(text, weighted):
    weight = np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0]) if weighted else None
    model = fitted(text, DOCS, LABELS, weight)
    frame = Frame.of({"body": DOCS})
    batch = model.schema.encode(frame, np.array(LABELS), weight)
    found = model.log_joint(batch, leave_out=True)
    for i in range(len(DOCS)):
        keep = np.arange(len(DOCS)) != i
        docs, labels = (
            [d for d, k in zip(DOCS, keep, strict=True) if k],
            [y for y, k in zip(LABELS, keep, strict=True) if k],
        )
        w = None if weight is None else weight[keep]
        refit = fitted(text, docs, labels, w, like=model)
        expected = refit.log_joint(refit.schema.encode(Frame.of({"body": [DOCS[i]]})))[0]
        np.testing.assert_allclose(found[i], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("text", WAYS)
def test_a_family_scores_documents_as_the_model_does(text):
    model = fitted(text, DOCS, LABELS)
    batch = model.schema.encode(Frame.of({"body": DOCS[::-1]}))
    scores = text.log_density(model.flat.forms[0], batch.column("body"))[:, 1:]
    rows = np.array([LABELS.count(label) for label in model.classes])
    np.testing.assert_allclose(model.log_joint(batch) - scores, np.tile(np.log((rows + 1) / 15), (12, 1)), rtol=1e-9)


WORDS = st.lists(st.sampled_from(["win", "prize", "lunch", "ten", "x"]), max_size=5).map(" ".join)


@pytest.mark.parametrize("text", [w for w in WAYS if w.alpha != 0.0])
@given(rows=st.lists(st.tuples(WORDS, st.sampled_from("pq")), min_size=2, max_size=8))
def test_any_row_left_out_is_a_refit_without_it(rows, text):
    docs, labels = map(list, zip(*rows, strict=True))
    model = fitted(text, docs, labels)
    batch = model.schema.encode(Frame.of({"body": docs}), np.array(labels))
    found = model.log_joint(batch, leave_out=True)
    refit = fitted(text, docs[1:], labels[1:], like=model)
    expected = refit.log_joint(refit.schema.encode(Frame.of({"body": docs[:1]})))[0]
    np.testing.assert_allclose(found[0], expected, rtol=1e-9, atol=1e-9)


def test_a_model_that_is_none_is_refused():
    with pytest.raises(ValueError, match="'poisson' is not one of 'multinomial', 'complement', 'bernoulli'"):
        Text("poisson")
    model = fitted(replace(Text(), alpha="auto"), DOCS, LABELS)
    with pytest.raises(ValueError, match="chosen on rows"):
        model.scorer.log_joint(model.schema.encode(Frame.of({"body": DOCS})))


def test_a_document_that_is_drawn_shows_terms_as_often_as_those_of_its_class():
    texts = ["ham eggs", "ham eggs", "ham eggs", "ham", "spam", "spam eggs"]
    clf = bf.NaiveBayes(families={"t": Text(model="bernoulli", alpha=1.0)})
    clf.fit({"t": texts}, [*"ppppqq"])
    columns, labels = clf.model_.sample(20_000, np.random.default_rng(0))
    shown = [set((text or "").split()) for text in columns["t"]]
    own = np.asarray(labels) == "p"
    for c, rows, counts in ((own, 4, {"ham": 4, "eggs": 3, "spam": 0}), (~own, 2, {"ham": 0, "eggs": 1, "spam": 2})):
        for term, n in counts.items():
            share = np.mean([term in terms for terms in np.array(shown, object)[c]])
            assert share == pytest.approx((n + 1) / (rows + 2), abs=0.02), term
