"""How hard the tests try: every count in full with BAYESFOLD_SOAK=1, otherwise a tenth of it, always the same tenth."""

import os

from hypothesis import HealthCheck, Phase, settings

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
settings.register_profile(
    "soak",
    max_examples=FULL,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("soak" if os.environ.get("BAYESFOLD_SOAK") == "1" else "tenth")
