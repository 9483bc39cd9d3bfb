"""The pictures of docs/: `python -m website.pictures` draws them again, from what the library answers."""

import math
import re
from collections.abc import Callable

import numpy as np

import bayesfold as bf
from bayesfold.demo.triage import triage
from website import tour_pictures
from website.contents import DOCS
from website.drawing import arrow, bar, box, curve, svg, text

FOLDER = DOCS / "pictures"
CHINESE = {
    "your rows": "你的数据",
    "text, numbers, dates, gaps": "文字、数字、日期、缺失",
    "one tally": "一份计数",
    "counts and sums, by class": "按类别的计数与求和",
    "a model": "模型",
    "densities, tables, networks": "密度、概率表、网络",
    "a prediction": "预测",
    "probability, why, decision": "概率、理由、决策",
    "+ learn, merge": "＋ 学习、合并",
    "- forget, leave out": "－ 遗忘、留出",
    "10,000 people": "10,000 人",
    "100 ill": "100 人患病",
    "P(ill) = 0.01": "P(病) = 0.01",
    "9,900 well": "9,900 人健康",
    "90 positive": "90 人阳性",
    "10 negative": "10 人阴性",
    "495 positive": "495 人阳性",
    "9,405 negative": "9,405 人阴性",
    "P(+ | ill) = 0.9": "P(+ | 病) = 0.9",
    "P(+ | well) = 0.05": "P(+ | 健康) = 0.05",
    "treat, 1 if well": "治疗，若健康则损失 1",
    "wait, 5 if ill": "等待，若患病则损失 5",
    "ask somebody, 0.5 always": "请人来看，总是 0.5",
    "expected cost R(decision | x)": "条件风险 R(决策 | x)",
    "P(ill | x)": "P(病 | x)",
    "good: N(0.574, 0.129²)": "好瓜：N(0.574, 0.129²)",
    "not good: N(0.496, 0.195²)": "坏瓜：N(0.496, 0.195²)",
    "density of the melon": "西瓜的密度",
    "open": "打开",
    "blocked": "阻断",
    "P(ill | +) = 90 / (90 + 495) = 0.154": "P(病 | +) = 90 / (90 + 495) = 0.154",
}
"""What the pictures with words say on the pages in Chinese."""


def idea() -> str:
    """Rows are folded into sums; models are made of sums; sums add and subtract."""
    stations = [
        ("your rows", "text, numbers, dates, gaps"),
        ("one tally", "counts and sums, by class"),
        ("a model", "densities, tables, networks"),
        ("a prediction", "probability, why, decision"),
    ]
    parts = [box(115 + 215 * i, 75, lines, 190) for i, lines in enumerate(stations)]
    parts += [arrow((210 + 215 * i, 75), (235 + 215 * i, 75)) for i in range(3)]
    parts.append(text(222, 32, "+ learn, merge", "middle", "small"))
    parts.append(text(222, 130, "- forget, leave out", "middle", "small"))
    return svg(875, 150, "Rows become sums, sums become a model, the model predicts", parts)


def explained() -> str:
    """The reasons of one answer, one bar each, from the prior to their sum."""
    X, y = triage(2400)
    clf = bf.NaiveBayes(numeric="gaussian", missing_as="skip").fit(X, y)
    person = {"age": 53, "pulse": 66, "oxygen": 94.9, "temperature": 37.2, "awake": "alert"}
    why = clf.explain(person)[0]
    reasons = [reason for reason in why.reasons if round(reason.contribution, 2)]
    steps = np.cumsum([reason.contribution for reason in reasons])
    high, low = max(steps.max(), 0.0), min(steps.min(), 0.0)
    left, unit = 190, 420 / (high - low)

    def place(value: float) -> float:
        return left + (value - low) * unit

    parts = [text(24, 34, f"{why.decision} rather than {why.against}: {math.exp(why.log_odds):.1f} to 1", kind="title")]
    foot = 62 + 34 * (len(reasons) + 1)
    parts.append(curve([(place(0), 54), (place(0), foot)], "line"))
    before = 0.0
    for i, (reason, after) in enumerate(zip(reasons, steps, strict=True)):
        y0 = 62 + 34 * i
        name = reason.part if reason.value is None else f"{reason.part} = {reason.value}"
        parts.append(text(left - 12, y0 + 17, name, "end"))
        parts.append(
            bar(place(min(before, after)), y0, abs(after - before) * unit, 24, "for" if after > before else "against")
        )
        parts.append(text(place(max(before, after)) + 8, y0 + 17, f"{reason.contribution:+.2f}", kind="small"))
        before = float(after)
    y0 = 62 + 34 * len(reasons)
    parts += [
        text(left - 12, y0 + 17, "sum, in log-odds", "end", "strong"),
        bar(place(0), y0, before * unit, 24, "rest"),
    ]
    parts.append(text(place(before) + 8, y0 + 17, f"{before:+.2f}", kind="strong"))
    return svg(700, foot + 16, "The reasons of one answer, which add up to its log-odds", parts)


def network() -> str:
    """A network with the belief of every state, once an x-ray has been seen."""
    net = bf.read_network("smoking")
    at = {
        "smoking": (350, 70),
        "bronchitis": (130, 200),
        "cancer": (350, 200),
        "dyspnoea": (240, 330),
        "xray": (460, 330),
    }
    seen = {"xray": "abnormal"}
    parts = []
    for a, b in net.edges:
        (x0, y0), (x1, y1) = at[a], at[b]
        if (a, b) == ("smoking", "xray"):
            parts += [curve([(430, 80), (545, 150), (545, 230)], "line"), arrow((545, 230), (490, 288))]
        else:
            parts.append(arrow((x0, y0 + 42), (x1 + (x0 - x1) * 0.12, y1 - 42)))
    for name, (x, y) in at.items():
        belief = {seen[name]: 1.0} if name in seen else net.query(name, evidence=seen).to_dict()
        kind = "seen" if name in seen else "box"
        parts.append(f'<rect class="{kind}" x="{x - 90}" y="{y - 42}" width="180" height="84" rx="7"/>')
        parts.append(text(x, y - 22, name, "middle", "strong"))
        for i, state in enumerate(net.states(name)):
            p = float(belief.get(state, 0.0))
            parts.append(text(x - 80, y + 4 + 24 * i, state, kind="small"))
            parts.append(bar(x - 14, y - 7 + 24 * i, 46 * p, 13, "for"))
            parts.append(text(x + 84, y + 4 + 24 * i, f"{p:.1%}", "end", "small"))
    return svg(700, 390, "A Bayesian network: what an abnormal x-ray tells about everything else", parts)


DRAWN: dict[str, Callable[[], str]] = {
    "idea": idea,
    "explained": explained,
    "network": network,
    "bayes": tour_pictures.bayes,
    "risk": tour_pictures.risk,
    "densities": tour_pictures.densities,
    "structures": tour_pictures.structures,
    "seven": tour_pictures.seven,
    "three": tour_pictures.three,
    "chain": tour_pictures.chain,
    "factors": tour_pictures.factors,
}


def every() -> dict[str, str]:
    """{file: what it should hold}"""
    drawn = {f"{name}.svg": draw() for name, draw in DRAWN.items()}
    for name in ("idea", "bayes", "risk", "densities", "three"):
        drawn[f"{name}.zh.svg"] = in_chinese(drawn[f"{name}.svg"])
    return drawn


def in_chinese(drawing: str) -> str:
    """The same drawing with its words in Chinese; numbers and the names of variables stay."""
    return re.sub(r">([^<\n]+)</text>", lambda said: f">{CHINESE.get(said[1], said[1])}</text>", drawing)


if __name__ == "__main__":
    for name, drawing in every().items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")
        print(f"wrote {FOLDER / name}")
