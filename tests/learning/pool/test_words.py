"""What a part of a pool has chosen, in words: one and several, rows and weights, numbers and landmarks."""

from types import SimpleNamespace

import pytest

from bayesfold.learning.gaussian_vector import NAME
from bayesfold.learning.pool import words
from bayesfold.learning.pool.words import correlations_in_words, covariance_in_words, in_words


def part(parents, *, weighted=False, roots=(), features=1):
    """A part of networks whose nodes have so many parents, the class among them."""
    networks = tuple(tuple(SimpleNamespace(parents=range(n)) for n in network) for network in parents)
    return SimpleNamespace(
        schema=SimpleNamespace(vectors=(), features=range(features)),
        mixture=SimpleNamespace(networks=networks, roots=roots),
        tally=SimpleNamespace(weighted=weighted),
    )


@pytest.mark.parametrize(
    ("model", "deeper", "said"),
    [
        (part([[1, 1]]), None, "1 network, columns independent given the class"),
        (part([[]]), None, "1 network, columns independent given the class"),
        (part([[1, 2]]), 1.0, "1 network, up to 1 parent per column, prior worth 1 row"),
        (part([[1, 2], [3, 1]]), 2.5, "2 networks, up to 2 parents per column, prior worth 2.5 rows"),
        (part([[2]], weighted=True), 1.0, "1 network, up to 1 parent per column, prior worth 1 weight"),
        (part([[2]], features=4), None, "1 network, up to 1 parent per column"),
        (part([[2]], features=5), None, "1 network, up to 1 parent per column, one exponent for all columns"),
        (part([[2]], features=5, roots=(1,)), None, "1 network, up to 1 parent per column"),
    ],
)
def test_tables_in_words(monkeypatch, model, deeper, said):
    monkeypatch.setattr(words.exponents, "MOST_EXPONENTS", 5)
    monkeypatch.setattr(words.choose, "deeper_of", lambda _: deeper)
    assert in_words(model) == said


def numbers(landmarks=(), tied=0.0, diagonal=0.0):
    shrinkage = SimpleNamespace(tied=tied, diagonal=diagonal)
    schema = SimpleNamespace(vectors=(NAME,), landmarks=landmarks, width=lambda name: 7 if name == NAME else 0)
    mixture = SimpleNamespace(networks=())
    return SimpleNamespace(
        schema=schema, mixture=mixture, families={NAME: SimpleNamespace(shrinkage=shrinkage, bandwidth=0.125)}
    )


def test_numbers_in_words():
    assert in_words(numbers()) == "7 numbers, a covariance for each class"
    assert in_words(numbers(tied=1.0, diagonal=1.0)) == "7 numbers, one covariance for all classes, no correlations"
    near = SimpleNamespace(places=range(12), diagonal=0.25)
    assert in_words(numbers((near,))) == "kernels at 12 landmarks, bandwidth 0.12, correlations shrunk by 25 %"
    assert covariance_in_words(0.125) == "covariances shrunk by 12.5 % to a common one"
    assert [correlations_in_words(x) for x in (0.0, 1.0)] == ["", ", no correlations"]
