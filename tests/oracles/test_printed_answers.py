"""The answers that the textbooks print, and the numbers of the study notes, from tables typed in as facts."""

import gzip
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

from bayesfold import NaiveBayes
from bayesfold.families.gaussian import Gaussian

SHARED = Path(__file__).parents[3] / "shared" / "data"
MAXIMUM_LIKELIHOOD = {"alpha": 0, "prior_alpha": 0}
UNBIASED = Gaussian(pseudo_rows=0, ddof=1)


def table(text, labels):
    """Rows typed one a line, cells between spaces; numbers where all cells of a column are numbers."""
    rows = [line.split() for line in text.strip().splitlines()]
    frame = pd.DataFrame(rows[1:], columns=rows[0])
    for name in frame:
        numbers = pd.to_numeric(frame[name], errors="coerce")
        if numbers.notna().all():
            frame[name] = numbers
    return frame.drop(columns=labels), frame[labels].tolist()


def joint(clf, **row):
    """P(class, row) by class."""
    return dict(zip(clf.classes_.tolist(), np.exp(clf.predict_joint_log_proba(row))[0].tolist(), strict=True))


def said(clf, column, value):
    """log P(value | class) by class, for one column."""
    parts = clf.model_.contributions(clf.schema_.encode_row({column: value}))[0]
    return dict(zip(clf.classes_.tolist(), parts[1 + clf.model_.names.index(column)].tolist(), strict=True))


def mean_and_deviation(clf, column, label):
    """Of a normal density, from its log at three places: a parabola."""
    left, middle, right = (said(clf, column, x)[label] for x in (0.0, 0.5, 1.0))
    curvature, slope = 4 * (left - 2 * middle + right), right - left
    return 0.5 - slope / curvature, math.sqrt(-1 / curvature)


# Li Hang, 统计学习方法, example 4.1 --------------------------------------------------------------------------------

LI_HANG = table(
    """
    X1 X2 Y
    1 S -1
    1 M -1
    1 M 1
    1 S 1
    1 S -1
    2 S -1
    2 M -1
    2 M 1
    2 L 1
    2 L 1
    3 L 1
    3 M 1
    3 M 1
    3 L 1
    3 L -1
    """,
    "Y",
)


def li_hang(lam):
    return NaiveBayes(alpha=lam, prior_alpha=lam, families={"X1": "categorical"}).fit(*LI_HANG)


def test_li_hang_4_1_by_maximum_likelihood():
    answer = joint(li_hang(0), X1=2, X2="S")
    assert answer[1] == pytest.approx(1 / 45, rel=1e-14)
    assert answer[-1] == pytest.approx(1 / 15, rel=1e-14)
    assert li_hang(0).predict({"X1": 2, "X2": "S"}).tolist() == [-1]


def test_li_hang_4_2_by_laplace_smoothing():
    answer = joint(li_hang(1), X1=2, X2="S")
    assert (round(answer[1], 4), round(answer[-1], 4)) == (0.0327, 0.0610)
    assert answer[1] == pytest.approx(10 / 17 * 4 / 12 * 2 / 12, rel=1e-14)
    assert answer[-1] == pytest.approx(7 / 17 * 3 / 9 * 4 / 9, rel=1e-14)
    assert li_hang(1).predict({"X1": 2, "X2": "S"}).tolist() == [-1]


# Zhou Zhihua, 机器学习, table 4.3 ----------------------------------------------------------------------------------

WATERMELON = table(
    """
    色泽 根蒂 敲声 纹理 脐部 触感 密度 含糖率 好瓜
    青绿 蜷缩 浊响 清晰 凹陷 硬滑 0.697 0.460 是
    乌黑 蜷缩 沉闷 清晰 凹陷 硬滑 0.774 0.376 是
    乌黑 蜷缩 浊响 清晰 凹陷 硬滑 0.634 0.264 是
    青绿 蜷缩 沉闷 清晰 凹陷 硬滑 0.608 0.318 是
    浅白 蜷缩 浊响 清晰 凹陷 硬滑 0.556 0.215 是
    青绿 稍蜷 浊响 清晰 稍凹 软粘 0.403 0.237 是
    乌黑 稍蜷 浊响 稍糊 稍凹 软粘 0.481 0.149 是
    乌黑 稍蜷 浊响 清晰 稍凹 硬滑 0.437 0.211 是
    乌黑 稍蜷 沉闷 稍糊 稍凹 硬滑 0.666 0.091 否
    青绿 硬挺 清脆 清晰 平坦 软粘 0.243 0.267 否
    浅白 硬挺 清脆 模糊 平坦 硬滑 0.245 0.057 否
    浅白 蜷缩 浊响 模糊 平坦 软粘 0.343 0.099 否
    青绿 稍蜷 浊响 稍糊 凹陷 硬滑 0.639 0.161 否
    浅白 稍蜷 沉闷 稍糊 凹陷 硬滑 0.657 0.198 否
    乌黑 稍蜷 浊响 清晰 稍凹 软粘 0.360 0.370 否
    浅白 蜷缩 浊响 模糊 平坦 硬滑 0.593 0.042 否
    青绿 蜷缩 沉闷 稍糊 稍凹 硬滑 0.719 0.103 否
    """,
    "好瓜",
)
MELON = {
    "色泽": "青绿",
    "根蒂": "蜷缩",
    "敲声": "浊响",
    "纹理": "清晰",
    "脐部": "凹陷",
    "触感": "硬滑",
    "密度": 0.697,
    "含糖率": 0.460,
}


def watermelon(**options):
    return NaiveBayes(families={"密度": UNBIASED, "含糖率": UNBIASED}, **options).fit(*WATERMELON)


@pytest.mark.parametrize(
    ("column", "label", "mean", "deviation"),
    [
        ("密度", "是", 0.574, 0.129),
        ("含糖率", "是", 0.279, 0.101),
        ("密度", "否", 0.496, 0.195),
        ("含糖率", "否", 0.154, 0.108),
    ],
)
def test_watermelon_means_and_deviations(column, label, mean, deviation):
    found = mean_and_deviation(watermelon(**MAXIMUM_LIKELIHOOD), column, label)
    assert tuple(round(value, 3) for value in found) == (mean, deviation)


def test_watermelon_products():
    """The book, which rounds on the way, prints 0.052 (first printings 0.038) and 6.80e-5."""
    answer = joint(watermelon(**MAXIMUM_LIKELIHOOD), **MELON)
    assert round(answer["是"], 5) == 0.05238
    assert round(answer["否"], 8) == 6.858e-5
    assert watermelon(**MAXIMUM_LIKELIHOOD).predict(MELON).tolist() == ["是"]


def test_watermelon_with_laplace_correction():
    clf = watermelon(alpha=1, prior_alpha=1)
    prior = dict(zip(clf.classes_.tolist(), np.exp(clf.model_.log_prior()).tolist(), strict=True))
    assert prior["是"] == pytest.approx((8 + 1) / (17 + 2), rel=1e-14)
    assert prior["否"] == pytest.approx((9 + 1) / (17 + 2), rel=1e-14)
    colour = said(clf, "色泽", "青绿")
    assert math.exp(colour["是"]) == pytest.approx((3 + 1) / (8 + 3), rel=1e-14)
    assert math.exp(colour["否"]) == pytest.approx((3 + 1) / (9 + 3), rel=1e-14)
    assert (round(prior["是"], 3), round(math.exp(colour["是"]), 3)) == (0.474, 0.364)


# Witten and Frank, the weather ----------------------------------------------------------------------------------------

WEATHER = table(
    """
    outlook temperature humidity windy play
    sunny hot high FALSE no
    sunny hot high TRUE no
    overcast hot high FALSE yes
    rainy mild high FALSE yes
    rainy cool normal FALSE yes
    rainy cool normal TRUE no
    overcast cool normal TRUE yes
    sunny mild high FALSE no
    sunny cool normal FALSE yes
    rainy mild normal FALSE yes
    sunny mild normal TRUE yes
    overcast mild high TRUE yes
    overcast hot normal FALSE yes
    rainy mild high TRUE no
    """,
    "play",
)
NUMERIC = WEATHER[0].assign(
    temperature=[85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71],
    humidity=[85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91],
)


def test_the_weather_in_words():
    clf = NaiveBayes(**MAXIMUM_LIKELIHOOD).fit(*WEATHER)
    day = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "windy": "TRUE"}
    answer = joint(clf, **day)
    assert (round(answer["yes"], 4), round(answer["no"], 4)) == (0.0053, 0.0206)
    assert round(clf.predict_proba(day)[0, 0], 3) == 0.795


def test_the_weather_in_numbers():
    """The book rounds deviations to 7.9 and 9.7 and prints 0.000137 for no (older editions 0.000108)."""
    clf = NaiveBayes(families={"temperature": UNBIASED, "humidity": UNBIASED}, **MAXIMUM_LIKELIHOOD)
    clf.fit(NUMERIC, WEATHER[1])
    answer = joint(clf, outlook="sunny", temperature=66, humidity=90, windy="TRUE")
    assert round(answer["yes"], 6) == 0.000036
    assert answer["no"] == pytest.approx(0.000137, abs=1e-6)
    assert answer["no"] == pytest.approx(0.00013634724439546222, rel=1e-12)


# the study notes ------------------------------------------------------------------------------------------------------


def test_the_number_of_values_is_that_of_the_whole_column_not_of_the_class():
    """Five values in all: a row (b) is q. Counted class by class (2 and 4 values) it would be p."""
    clf = NaiveBayes().fit({"x": [*"aabbcde"]}, [*"pppqqqq"])
    p, q = ({value: math.exp(said(clf, "x", value)[c]) for value in "abcde"} for c in "pq")
    assert p == pytest.approx({"a": 3 / 8, "b": 2 / 8, "c": 1 / 8, "d": 1 / 8, "e": 1 / 8}, rel=1e-14)
    assert q == pytest.approx({"a": 1 / 9, "b": 2 / 9, "c": 2 / 9, "d": 2 / 9, "e": 2 / 9}, rel=1e-14)
    assert joint(clf, x="b") == pytest.approx({"p": 4 / 9 * 2 / 8, "q": 5 / 9 * 2 / 9}, rel=1e-14)
    assert clf.predict({"x": "b"}).tolist() == ["q"]
    assert 4 / 9 * 2 / (3 + 2) > 5 / 9 * 2 / (4 + 4)  # what the notes' listing computes


@pytest.mark.slow
def test_fifty_thousand_binary_words_do_not_underflow():
    """The product is 0 in both classes; the sum of logs knows better."""
    draw = np.random.default_rng(4)
    words, documents = 50_000, 12
    spam = np.arange(documents) % 2
    rate = np.where(np.arange(words) % 100 == 0, 0.7, 0.5)
    X = (draw.random((documents, words)) < np.where(spam[:, None] == 1, rate, 1 - rate)).astype(np.uint8)
    clf = NaiveBayes(numeric="categorical").fit(X, spam)
    row = X[1]
    expected, products = [], []
    for c in (0, 1):
        inside = X[spam == c]
        shown = np.where(row == 1, inside.sum(0), len(inside) - inside.sum(0))
        levels = 1 + (X.min(0) != X.max(0))
        factors = np.where(levels == 2, (shown + 1) / (len(inside) + 2), 1.0)
        expected.append(math.log(7 / 14) + math.fsum(np.log(factors)))
        products.append(7 / 14 * np.prod(factors))
    assert products == [0.0, 0.0]
    assert clf.predict_joint_log_proba(X[1:2])[0].tolist() == pytest.approx(expected, rel=1e-12)
    assert (clf.predict(X) == spam).all()


@pytest.mark.skipif(not SHARED.exists(), reason="the public data sets are not beside the repository")
def test_the_mixed_rule_of_the_notes_on_pima_diabetes():
    """Columns 1 to 6 normal by maximum likelihood, 0 and 7 discrete with Laplace's rule, and so the prior; 10 x 10."""
    diabetes = pd.read_csv(SHARED / "pima_diabetes.csv")
    with gzip.open(SHARED / "folds" / "pima_diabetes.csv.gz") as lines:
        folds = pd.read_csv(lines)
    X, y = diabetes.iloc[:, :-1], diabetes.iloc[:, -1].to_numpy()
    normal = dict.fromkeys(range(1, 7), Gaussian(pseudo_rows=0))
    clf = NaiveBayes(families={0: "categorical", 7: "categorical", **normal}).fit(X, y)
    assert [c.family for c in clf.columns_] == ["categorical", *["gaussian"] * 6, "categorical"]
    held_out = [clf.leave_folds_out(X, y, folds[repetition].to_numpy()) for repetition in folds]
    accuracy = np.mean([(log_p.argmax(1) == y).mean() for log_p in held_out])
    log_loss = -np.mean([log_p[np.arange(len(y)), y].mean() for log_p in held_out])
    assert (round(accuracy, 3), round(log_loss, 3)) == (0.754, 0.620)


def test_iris_eighty_to_twenty():
    X, y = load_iris(return_X_y=True)
    train, test, known, truth = train_test_split(X, y, test_size=0.2, random_state=0)
    clf = NaiveBayes(families=dict.fromkeys(range(4), Gaussian(pseudo_rows=0))).fit(train, known)
    assert (len(train), len(test)) == (120, 30)
    assert clf.score(test, truth) == pytest.approx(29 / 30)


def test_the_posterior_mode_is_what_minimises_the_risk_under_0_1_loss():
    """R(c_i | x) = sum_j l_ij P(c_j | x) with l_ij = [i != j] is 1 - P(c_i | x)."""
    X, y = load_iris(return_X_y=True)
    clf = NaiveBayes().fit(X, y)
    posterior = clf.predict_proba(X)
    loss = 1 - np.eye(3)
    risk = posterior @ loss.T
    np.testing.assert_allclose(risk, 1 - posterior, atol=1e-15)
    np.testing.assert_array_equal(clf.classes_[risk.argmin(1)], clf.predict(X))


def test_a_generative_model_has_a_joint_probability_and_draws_rows_from_it():
    """P(c | x) is P(x, c) over its sum, and what is drawn has the means and the shares that were learned."""
    X, y = load_iris(return_X_y=True)
    clf = NaiveBayes(numeric="gaussian").fit(X, y)
    joint_probability = np.exp(clf.predict_joint_log_proba(X))
    np.testing.assert_allclose(
        clf.predict_proba(X), joint_probability / joint_probability.sum(1, keepdims=True), rtol=1e-9
    )
    columns, labels = clf.sample(20_000, random_state=3)
    np.testing.assert_allclose([(labels == c).mean() for c in range(3)], [1 / 3] * 3, atol=0.02)
    for c in range(3):
        means = [columns[name][labels == c].mean() for name in ("x0", "x1", "x2", "x3")]
        np.testing.assert_allclose(means, X[y == c].mean(0), atol=0.05)
