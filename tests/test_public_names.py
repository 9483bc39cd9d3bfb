"""The names the world sees: sorted, lazy, and all of them there."""

import subprocess
import sys

import bayesfold


def test_every_public_name_loads() -> None:
    assert bayesfold.__all__ == sorted(bayesfold.__all__)
    for name in bayesfold.__all__:
        assert getattr(bayesfold, name) is not None
        assert name in dir(bayesfold)


def test_only_what_is_public_is_listed() -> None:
    assert dir(bayesfold) == sorted([*bayesfold.__all__, "__version__"])
    assert {"roc", "network", "waterfall", "plot", "save"} < set(dir(bayesfold.plots))
    assert not [name for name in dir(bayesfold.plots) if name.startswith("_") or name == "Any"]


def test_the_package_is_a_command() -> None:
    run = subprocess.run([sys.executable, "-m", "bayesfold", "--version"], check=True, capture_output=True, text=True)
    assert run.stdout == f"bayesfold, version {bayesfold.__version__}\n"


def test_families_are_reached_by_their_file() -> None:
    code = (
        "import bayesfold; print(bayesfold.families.gaussian.Gaussian(), bayesfold.families.bernoulli.Bernoulli(2.0))"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.startswith("Gaussian(pseudo_rows=1.0")
    assert said.endswith("Bernoulli(alpha=2.0)\n")


def test_importing_costs_nothing() -> None:
    code = (
        "import sys, time; start = time.process_time(); import bayesfold; took = time.process_time() - start; "
        "heavy = {'numpy', 'scipy', 'sklearn', 'pyarrow', 'pandas', 'narwhals'} & set(sys.modules); "
        "print(not heavy, took < 0.05)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True) for _ in range(3)]
    assert "True True\n" in [run.stdout for run in runs]


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(bayesfold, "NaiveBaye")
