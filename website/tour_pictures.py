"""The pictures of the tour: graphs, curves and a tree, with numbers from the library."""

import math

import numpy as np

import bayesfold as bf
from website.drawing import R, arrow, box, curve, graph, svg, text


def bayes() -> str:
    """Bayes' rule in whole people."""
    places = {
        (370, 40): ("10,000 people",),
        (190, 120): ("100 ill", "P(ill) = 0.01"),
        (550, 120): ("9,900 well",),
        (100, 220): ("90 positive", "P(+ | ill) = 0.9"),
        (265, 220): ("10 negative",),
        (470, 220): ("495 positive", "P(+ | well) = 0.05"),
        (645, 220): ("9,405 negative",),
    }
    tree = [((370, 40), (190, 120)), ((370, 40), (550, 120)), ((190, 120), (100, 220)), ((190, 120), (265, 220))]
    tree += [((550, 120), (470, 220)), ((550, 120), (645, 220))]
    parts = [arrow((a[0] + (b[0] - a[0]) * 0.25, a[1] + 24), (b[0], b[1] - 27)) for a, b in tree]
    positive = [(100, 220), (470, 220)]
    parts += [box(*at, lines, 140, "seen" if at in positive else "box") for at, lines in places.items()]
    parts.append(text(370, 285, "P(ill | +) = 90 / (90 + 495) = 0.154", "middle", "title"))
    return svg(740, 310, "Bayes' rule, counted in people", parts)


def risk() -> str:
    """What each decision is expected to cost, by the probability of illness."""
    chances = np.linspace(0, 1, 51)
    costs = bf.conditional_risk(np.column_stack([chances, 1 - chances]), [[0, 1], [5, 0]])
    left, base, width, unit = 70, 250, 520, 80.0

    def at(p: float, cost: float) -> tuple[float, float]:
        return left + width * p, base - unit * min(cost, 2.6)

    parts = [curve([at(0, 0), at(1, 0)], "line"), curve([at(0, 0), at(0, 2.6)], "line")]
    for k, kind in ((0, "for-line"), (1, "against-line")):
        parts.append(
            curve([at(float(p), float(c)) for p, c in zip(chances, costs[:, k], strict=True) if c <= 2.6], kind)
        )
    parts.append(curve([at(0, 0.5), at(1, 0.5)], "rest-line"))
    parts += [text(*at(0.02, 1.08), "treat, 1 if well"), text(*at(0.54, 2.45), "wait, 5 if ill")]
    parts.append(text(*at(0.72, 0.56), "ask somebody, 0.5 always"))
    for p in (0.1, 0.5):
        parts.append(curve([at(p, 0), at(p, 0.5)], "grid"))
        parts.append(text(at(p, 0)[0], base + 20, f"{p:g}", "middle", "small"))
    parts += [text(left, base + 20, "0", "middle", "small"), text(left + width, base + 20, "1", "middle", "small")]
    parts.append(text(left + width / 2, base + 40, "P(ill | x)", "middle"))
    parts.append(text(left, 24, "expected cost R(decision | x)"))
    return svg(660, 305, "Conditional risk of three decisions; the lowest line is taken", parts)


def densities() -> str:
    """The two normal densities of the watermelons' density."""
    classes = {"good": (0.574, 0.129, "for-line"), "not good": (0.496, 0.195, "against-line")}
    left, base, width, unit = 50, 230, 560, 60.0
    parts = [curve([(left, base), (left + width, base)], "line")]
    for name, (mean, deviation, kind) in classes.items():
        xs = np.linspace(0, 1, 101)
        ys = np.exp(-((xs - mean) ** 2) / (2 * deviation**2)) / (deviation * math.sqrt(2 * math.pi))
        parts.append(
            curve([(left + width * float(x), base - unit * float(v)) for x, v in zip(xs, ys, strict=True)], kind)
        )
        top = base - unit / (deviation * math.sqrt(2 * math.pi))
        shift, anchor = (60, "start") if name == "good" else (-75, "end")
        parts.append(text(left + width * mean + shift, top + 10, f"{name}: N({mean}, {deviation}²)", anchor))
    parts += [curve([(left + width * 0.697, base), (left + width * 0.697, 40)], "grid")]
    parts.append(text(left + width * 0.697, base + 20, "0.697", "middle", "small"))
    parts += [text(left, base + 20, "0", "middle", "small"), text(left + width, base + 20, "1", "middle", "small")]
    parts.append(text(left + width / 2, base + 20, "density of the melon", "middle"))
    return svg(660, 265, "One normal density for each class", parts)


def structures() -> str:
    """Naive Bayes, SPODE and TAN as networks."""
    parts = []
    names = ["x1", "x2", "x3", "x4"]
    more = {
        "naive Bayes": [],
        "SPODE, super-parent x1": [("x1", name) for name in names[1:]],
        "TAN": [("x1", "x2"), ("x2", "x3"), ("x2", "x4")],
    }
    across = [[30, 85, 140, 195], [110, 30, 110, 190], [20, 75, 200, 165]]
    down = [[225, 165, 225, 165], [165, 235, 235, 235], [155, 245, 155, 255]]
    for k, (title, between) in enumerate(more.items()):
        x0 = 20 + 250 * k
        at = {name: (x0 + across[k][i], down[k][i]) for i, name in enumerate(names)}
        at["c"] = (x0 + 110, 75)
        parts.append(text(x0 + 110, 30, title, "middle", "strong"))
        parts += graph(at, [*(("c", name) for name in names if (k, name) != (1, "x3")), *between])
        if k == 1:  # round the super-parent
            parts += [curve([(x0 + 128, 92), (x0 + 150, 160)], "line"), arrow((x0 + 150, 160), (x0 + 123, 214))]
    return svg(760, 300, "Three classifiers as Bayesian networks", parts)


def seven() -> str:
    """The seven nodes of the notes."""
    at = {
        "x1": (70, 50),
        "x2": (190, 50),
        "x3": (310, 50),
        "x4": (150, 150),
        "x5": (310, 150),
        "x6": (90, 250),
        "x7": (240, 250),
    }
    return svg(380, 300, "Seven nodes", graph(at, bf.read_network("seven-nodes").edges))


def three() -> str:
    """The three ways in which a path can pass a node, c observed and not."""
    shapes = {
        "tail-to-tail": ([("c", "a"), ("c", "b")], "open", "blocked"),
        "head-to-tail": ([("a", "c"), ("c", "b")], "open", "blocked"),
        "head-to-head": ([("a", "c"), ("b", "c")], "blocked", "open"),
    }
    parts = []
    for k, (title, (edges, free, seen)) in enumerate(shapes.items()):
        x0 = 20 + 235 * k
        parts.append(text(x0 + 105, 28, title, "middle", "strong"))
        for row, (verdict, observed) in enumerate(((free, ()), (seen, ("c",)))):
            y0 = 70 + 130 * row
            up = title == "tail-to-tail"
            at = {
                "a": (x0 + 35, y0 + (40 if up else 0)),
                "b": (x0 + 175, y0 + (40 if up else 0)),
                "c": (x0 + 105, y0 + (0 if up else 40)),
            }
            parts += graph(at, edges, observed)
            parts.append(text(x0 + 105, y0 + 85, verdict, "middle", "small"))
    return svg(740, 310, "Three structures: c unobserved above, observed below", parts)


def chain() -> str:
    """A Markov chain of two states, and the same as a network."""
    steps = bf.MarkovChain.fit([["sun", "sun", "rain", "sun"], ["rain", "rain", "sun"]]).transitions().to_dict()
    at = {"rain": (110, 90), "sun": (300, 90)}
    parts = graph(at, [])
    parts += [arrow((136, 76), (276, 76)), arrow((274, 104), (136, 104))]
    parts += [
        text(206, 66, f"{steps['rain']['sun']:g}", "middle"),
        text(206, 126, f"{steps['sun']['rain']:g}", "middle"),
    ]
    for name, (x, y) in at.items():
        parts.append(
            f'<path class="line" d="M{x - 12} {y - R + 2}C{x - 40} {y - 70} {x + 40} {y - 70} {x + 12} {y - R + 2}"/>'
        )
        parts.append(text(x, y - 62, f"{steps[name][name]:g}", "middle"))
    line = {f"x{i}": (440 + 80 * i, 90) for i in range(4)}
    parts += graph(line, [(f"x{i}", f"x{i + 1}") for i in range(3)])
    return svg(740, 150, "A Markov chain: its steps, and the network that it is", parts)


def factors() -> str:
    """The smoking network as a factor graph."""
    at = {
        "smoking": (320, 50),
        "bronchitis": (120, 170),
        "cancer": (320, 170),
        "dyspnoea": (220, 290),
        "xray": (460, 290),
    }
    squares = {"f1": (430, 50), "f2": (320, 110), "f3": (190, 105), "f4": (450, 175), "f5": (220, 230)}
    links = [("f1", "smoking"), ("f2", "smoking"), ("f2", "cancer"), ("f3", "smoking"), ("f3", "bronchitis")]
    links += [
        ("f4", "smoking"),
        ("f4", "cancer"),
        ("f4", "xray"),
        ("f5", "cancer"),
        ("f5", "bronchitis"),
        ("f5", "dyspnoea"),
    ]
    parts = graph({**at, **squares}, links, squares=squares, directed=False)
    said = {"f1": "P(s)", "f2": "P(c | s)", "f3": "P(b | s)", "f4": "P(x | c, s)", "f5": "P(d | c, b)"}
    parts += [
        text(x + 15, y - 8 if name == "f1" else y + 18, said[name], kind="small") for name, (x, y) in squares.items()
    ]
    return svg(600, 330, "A factor graph: one square for each table", parts)
