"""scikit-learn's own tests of its naive Bayes module, run on the classes that take its place.

Its test module ships with the wheel. It is loaded here under another name with the five classes replaced; every test in
it passes, except those listed in `CANNOT_APPLY`.
"""

import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sklearn import naive_bayes

import bayesfold

# test_alpha_vector lets this warning pass, as scikit-learn's own configuration does
pytestmark = pytest.mark.filterwarnings("ignore:alpha too small:UserWarning")

CLASSES = ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB")

CANNOT_APPLY = {
    "test_gnb_check_update_with_no_data": "calls the private _update_mean_variance; a tally has no such step",
    "test_gnb_array_api_compliance": "asks for arrays of other libraries back (torch, cupy); the kernels read numpy's",
}


def load() -> ModuleType:
    """The test module with our classes in place of its own."""
    spec = importlib.util.find_spec("sklearn.tests.test_naive_bayes")
    assert spec is not None
    assert spec.origin is not None
    with pytest.MonkeyPatch.context() as patch:
        for name in CLASSES:
            patch.setattr(naive_bayes, name, getattr(bayesfold, name))
        ours = importlib.util.spec_from_file_location("sklearn_suite_on_bayesfold", spec.origin)
        assert ours is not None
        assert ours.loader is not None
        module = importlib.util.module_from_spec(ours)
        sys.modules[module.__name__] = module
        ours.loader.exec_module(module)
    return module


SUITE = load()


def every_test(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Every test of a module, by name."""
    return ((name, test) for name, test in vars(module).items() if name.startswith("test_"))


globals().update({name: test for name, test in every_test(SUITE) if name not in CANNOT_APPLY})


@pytest.fixture(params=range(3))
def global_random_seed(request: pytest.FixtureRequest) -> int:
    """scikit-learn's fixture: a test must pass with any seed."""
    seed: int = request.param
    return seed


@pytest.fixture(params=[np.float32, np.float64])
def global_dtype(request: pytest.FixtureRequest) -> Any:
    """scikit-learn's fixture: a test must pass with both widths."""
    return request.param


def test_the_suite_is_run_on_our_classes() -> None:
    for name in CLASSES:
        assert getattr(SUITE, name) is getattr(bayesfold, name)


def test_what_is_left_out_is_there_and_little() -> None:
    names = {name for name, _ in every_test(SUITE)}
    assert names >= set(CANNOT_APPLY)
    assert len(names) - len(CANNOT_APPLY) >= 30
