"""How the score of a network improved during the search, stage by stage."""

from dataclasses import dataclass
from typing import Any

from bayesfold.plots._figure import colours, ink, make_figure

OF = "arcs"


@dataclass(frozen=True)
class SearchPath:
    """The stages that found a better network, the score after each, and whether no other network scores higher."""

    stages: tuple[str, ...]
    scores: tuple[float, ...]
    kind: str
    optimal: bool
    interrupted: bool


def data(source: Any) -> SearchPath:
    """The path of a network that was learned."""
    if not hasattr(source, "path"):
        raise ValueError("a network alone does not say how it was found; give what learn_network returned")
    stages, scores = zip(*source.path, strict=True) if source.path else ((), ())
    return SearchPath(tuple(stages), tuple(scores), source.kind, source.optimal, source.interrupted)


def draw(numbers: SearchPath, dark: bool = False) -> dict[str, Any]:
    """A line that rises in steps; the last of them is what was found."""
    steps = list(range(1, len(numbers.stages) + 1))
    rise = {
        "type": "scatter",
        "mode": "lines+markers",
        "line": {"shape": "hv", "color": colours(dark)[0], "width": 2},
        "marker": {"size": 8, "color": colours(dark)[0]},
        "x": steps,
        "y": numbers.scores,
        "hovertext": [f"{stage}: {score:.6g}" for stage, score in zip(numbers.stages, numbers.scores, strict=True)],
        "hoverinfo": "text",
        "showlegend": False,
    }
    end = "; no network scores higher" if numbers.optimal else "; stopped before its end" * numbers.interrupted
    last = numbers.scores[-1] if numbers.scores else 0.0
    line = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": last, "y1": last,
        "line": {"color": colours(dark)[1] if numbers.optimal else ink(dark, faint=True), "width": 1, "dash": "dash"},
    }  # fmt: skip
    layout = {
        "title": {"text": f"The score rose to {last:.6g}{end}"},
        "xaxis": {"tickvals": steps, "ticktext": list(numbers.stages), "showgrid": False},
        "yaxis": {"title": {"text": numbers.kind}, "tickformat": ",.6~g"},
        "shapes": [line],
    }
    return make_figure([rise], layout, dark, 820, 460)
