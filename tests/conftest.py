"""How hard the tests try: every count in full with BAYESFOLD_SOAK=1, otherwise a tenth of it, always the same tenth.

With `--quick` each test function runs one of its cases, on few examples, and those marked slow do not run: every module
is still tried, in two minutes.
"""

import os

from hypothesis import HealthCheck, Phase, settings
from tests.sparks import spark as spark

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn's checks of array libraries want it before scipy loads

FULL = 200

settings.register_profile(
    "tenth",
    max_examples=FULL // 10,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],  # a failure is told at once; ./dev soak looks for the smallest one
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("tenth"), max_examples=3)
settings.register_profile(
    "soak",
    max_examples=FULL,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="one case of each test, on few examples, without slow ones")


def pytest_configure(config):
    quick = config.getoption("--quick")
    settings.load_profile("soak" if os.environ.get("BAYESFOLD_SOAK") == "1" else "quick" if quick else "tenth")


def pytest_collection_modifyitems(config, items):
    """Tests of Spark first, so that one process of several starts it; with --quick one case of each that is quick."""
    items.sort(key=lambda item: "spark" not in getattr(item, "fixturenames", ()))
    if not config.getoption("--quick"):
        return
    first = {item.nodeid.partition("[")[0]: item for item in reversed(items) if not item.get_closest_marker("slow")}
    kept = set(first.values())
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]
