"""What the server has done, as Prometheus reads it: requests, how long they took, models read again.

>>> m = Metrics()
>>> m.seen("/api/v1/health", "GET", 200, 0.002)
>>> [line for line in m.text().splitlines() if line.startswith("bayesfold_requests_total")]
['bayesfold_requests_total{route="/api/v1/health",method="GET",status="200"} 1']
"""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from time import time

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MEDIA = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class Metrics:
    """Counters since the start; only the event loop writes them, except the two of reloading."""

    started: float = field(default_factory=time)
    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    took: dict[str, list[int]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    running: int = 0
    reloads: Counter[tuple[str, str]] = field(default_factory=Counter)

    def seen(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self.requests[route, method, status] += 1
        self.seconds[route] += seconds  # type: ignore[assignment]
        self.took.setdefault(route, [0] * (len(BUCKETS) + 1))[bisect_left(BUCKETS, seconds)] += 1

    def reloaded(self, model: str) -> None:
        """Count a model file that was read again."""
        self.reloads[model, "read"] += 1

    def reload_failed(self, model: str) -> None:
        """Count a model file that could not be read again."""
        self.reloads[model, "failed"] += 1

    def text(self) -> str:
        """All of it in Prometheus's format."""
        lines = ["# HELP bayesfold_requests_total Requests answered.", "# TYPE bayesfold_requests_total counter"]
        for (route, method, status), n in sorted(self.requests.items()):
            lines.append(f"bayesfold_requests_total{labels(route=route, method=method, status=status)} {n}")
        lines += ["# HELP bayesfold_request_seconds Time to answer.", "# TYPE bayesfold_request_seconds histogram"]
        for route, counts in sorted(self.took.items()):
            for edge, n in zip((*BUCKETS, "+Inf"), accumulate(counts), strict=True):
                lines.append(f"bayesfold_request_seconds_bucket{labels(route=route, le=edge)} {n}")
            lines.append(f"bayesfold_request_seconds_sum{labels(route=route)} {self.seconds[route]:.6f}")
            lines.append(f"bayesfold_request_seconds_count{labels(route=route)} {sum(counts)}")
        lines += [
            "# HELP bayesfold_requests_running Requests being answered.",
            "# TYPE bayesfold_requests_running gauge",
        ]
        lines.append(f"bayesfold_requests_running {self.running}")
        lines += ["# HELP bayesfold_reloads_total Model files read again.", "# TYPE bayesfold_reloads_total counter"]
        lines += [
            f"bayesfold_reloads_total{labels(model=m, result=r)} {n}" for (m, r), n in sorted(self.reloads.items())
        ]
        lines += [
            "# HELP bayesfold_start_time_seconds When it was started.",
            "# TYPE bayesfold_start_time_seconds gauge",
        ]
        return "\n".join([*lines, f"bayesfold_start_time_seconds {self.started:.3f}", ""])


def labels(**values: object) -> str:
    """Labels in braces.

    >>> labels(model='a "b"')
    '{model="a \\\\"b\\\\""}'
    """
    marks = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
    return "{" + ",".join(f'{name}="{str(value).translate(marks)}"' for name, value in values.items()) + "}"
