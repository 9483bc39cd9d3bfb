"""A page of one picture: it fills a desk's screen, and on a telephone it is read without being moved sideways."""

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import sync_playwright
from tests.web.page.browser import CHROMIUM, QUIET, needs_browser

import bayesfold as bf
from bayesfold import plots
from bayesfold.plots import confusion, densities, network
from bayesfold.plots._figure import shorten
from bayesfold.plots._page import draw_for_pages, title_of
from bayesfold.runtime.text_table import width

from .sources import SOURCES, X, Y

MEASURE = """() => {
  const place = document.getElementById("figure"), box = place.getBoundingClientRect();
  const right = Math.max(...[...place.querySelectorAll("text")].map(t => t.getBoundingClientRect().right));
  return {room: innerWidth, needs: document.documentElement.scrollWidth, left: box.left, right: box.right, words: right,
    high: box.height};
}"""
MOVED = ("nomogram", "two_networks")
"""Where letters that fit would be too small to be read."""
LONG = "恶性肿瘤需要立即治疗"


def saved(name, folder, source=None):
    """The page of a picture, in a file."""
    picture = plots.find(name)
    drawn = draw_for_pages(picture, picture.data(*(source or SOURCES[name])), dark=False)
    return plots.save(drawn, folder / f"{name}.html")


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield started
        started.close()


def measured(browser, path, wide, high, resized=None):
    """What a page is like in a window of this size, or in one that was made this size."""
    page = browser.new_page(viewport={"width": wide, "height": high})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("#figure .main-svg")
    if resized:
        page.set_viewport_size({"width": resized[0], "height": resized[1]})
        page.wait_for_timeout(300)
    found = page.evaluate(MEASURE)
    page.close()
    assert wrong == []
    return found


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("name", plots.names())
def test_a_picture_is_read_on_a_telephone_without_being_moved_sideways(browser, tmp_path, name):
    found = measured(browser, saved(name, tmp_path), 390, 844)
    if name in MOVED:
        assert found["needs"] < 720
    else:
        assert found["needs"] <= 390
        assert found["words"] <= 390


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("name", ["network", "roc", "densities"])
def test_a_picture_fills_its_page_and_follows_the_window(browser, tmp_path, name):
    path = saved(name, tmp_path)
    large = measured(browser, path, 1600, 1000)
    assert large["right"] - large["left"] > 0.85 * 1600 or large["high"] > 0.85 * 1000
    small = measured(browser, path, 1600, 1000, resized=(700, 500))
    assert small["right"] <= 700
    assert small["high"] < large["high"]


@pytest.mark.slow
@needs_browser
def test_fifty_six_classes_fit_in_a_window(browser, tmp_path):
    classes = [f"class number {k:02d}" for k in range(56)]
    draw = np.random.default_rng(0)
    truth = draw.integers(56, size=2000)
    numbers = ([classes[k] for k in truth], draw.dirichlet(np.full(56, 0.3), size=2000), classes)
    path = saved("confusion", tmp_path, (numbers,))
    assert measured(browser, path, 1280, 800)["needs"] <= 1280
    assert measured(browser, path, 390, 844)["needs"] <= 390
    narrow = confusion.draw(confusion.data(numbers), narrow=True)["layout"]
    assert len(narrow["xaxis"]["ticktext"]) < 25  # else names would stand on top of each other


def test_a_name_is_cut_by_its_width_and_not_by_its_letters():
    for name in (
        "a column with a very long name indeed",
        "患者入院时的收缩压和舒张压测量值",
        "收缩压 (mmHg), at rest, 第二次",
    ):
        assert 22 <= width(shorten(name)) <= 26
    assert shorten("诊断结果诊断结果诊断") == "诊断结果诊断结果诊断"


def test_boxes_are_as_wide_as_chinese_names():
    net = bf.BayesianNetwork.from_edges([("今天的天气状况", "比赛")], tables={
        "今天的天气状况": {"晴天": 0.4, "下雨的天气": 0.6},
        "比赛": {"晴天": {"举行": 0.9, "取消": 0.1}, "下雨的天气": {"举行": 0.2, "取消": 0.8}},
    })  # fmt: skip
    drawn = network.draw(network.data(net))
    words = {note["text"].replace("<b>", "").replace("</b>", ""): note for note in drawn["layout"]["annotations"]}
    boxes = [s for s in drawn["layout"]["shapes"] if s["type"] == "rect" and s["line"]["width"]]
    scale = drawn["layout"]["width"] / drawn["layout"]["xaxis"]["range"][1]
    for name in ("今天的天气状况", "比赛"):
        letters = len(name) * words[name]["font"]["size"]
        assert letters < scale * (boxes[0]["x1"] - boxes[0]["x0"])


def test_the_legend_of_many_classes_stands_below_the_title():
    y = np.array([f"{LONG} {k}" for k in np.arange(len(X)) % 6])
    numbers = densities.data(bf.NaiveBayes().fit(X, y))
    few, many = (
        densities.draw(of, narrow=True)["layout"]["margin"]["t"]
        for of in (densities.data(bf.NaiveBayes().fit(X, Y)), numbers)
    )
    assert many >= few + 3 * densities.LEGEND


@pytest.mark.slow
def test_titles_are_read_without_marks(tmp_path):
    frame = pd.DataFrame({"a<b": ["x", "y"] * 20, "c": ["u", "v", "v", "u"] * 10})
    drawn = plots.find("arc_strengths").draw(plots.find("arc_strengths").data(bf.learn_network(frame, bootstrap=5)))
    assert "<br>" in drawn["layout"]["title"]["text"]
    assert "<" not in title_of(drawn["layout"])
