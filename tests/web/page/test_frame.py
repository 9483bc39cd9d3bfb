"""The frame of the page: token, languages, themes, models that are not there, a server that is gone, its weight."""

import re

import numpy as np
from tests.web.page.browser import looking, needs_browser, serious
from tests.web.server.serving import saved

from bayesfold.explanations.explain import HALVES, PARENTS, SHARED
from bayesfold.explanations.explanation import MEANINGS
from bayesfold.plots import roc
from bayesfold.web.server import static
from bayesfold.web.server.problems import TYPES

pytestmark = needs_browser
TOKEN = "a-token-that-is-long-enough"
MOST = 1_500_000


def test_a_token_is_asked_for_and_never_stands_in_an_address():
    with looking("smoking", token=TOKEN) as (page, address, _):
        seen = []
        page.on("request", lambda request: seen.append(request.url))
        page.goto(address)
        page.wait_for_selector("dialog input")
        assert serious(page) == []
        page.fill("dialog input", TOKEN)
        page.keyboard.press("Enter")
        page.wait_for_selector(".state[data-p]")
        assert not any(TOKEN in url for url in [*seen, page.url])
        page.reload()
        page.wait_for_selector(".state[data-p]")


def test_language_and_theme_are_remembered(tmp_path):
    with looking(saved(tmp_path), scheme="dark") as (page, address, _):
        page.goto(address)
        page.wait_for_selector("#posterior")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"
        page.click("#theme")
        page.click("#language")
        page.wait_for_selector("text=决策")
        page.reload()
        page.wait_for_selector("text=决策")
        assert page.evaluate("document.documentElement.lang") == "zh-CN"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_model_that_is_not_there_and_a_server_that_is_gone():
    with looking("smoking") as (page, address, _):
        page.goto(f"{address}#model=asia")
        page.wait_for_selector(".empty")
        assert "asia" in page.inner_text(".empty")
        page.click(".empty button")
        page.wait_for_selector(".state[data-p]")
        page.route(
            "**/api/v1/**",
            lambda route: route.fulfill(status=409, json={"type": "busy", "title": "Busy", "detail": "so busy"}),
        )
        page.click("#clear")
        page.wait_for_selector(".toast:text('so busy')")
        page.unroute("**/api/v1/**")


def test_every_word_is_there_in_both_languages():
    files = static.page_files()
    keys = [
        [line.split('"')[1] for line in files[f"words/{name}.js"].body.decode().splitlines() if line.startswith('  "')]
        for name in ("en", "zh")
    ]
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == len(keys[0])


def test_every_note_of_an_explanation_is_there_in_both_languages():
    """Two of them were said in other words than the page's, and then in English to every reader."""
    notes = [*MEANINGS.values(), PARENTS, HALVES]
    parts = [*MEANINGS, SHARED.removesuffix(": ")]
    for name in ("en", "zh"):
        words = static.page_files()[f"words/{name}.js"].body.decode()
        lacking = [key for key in (f"means.{n}" for n in notes) if f'"{key}":' not in words]
        lacking += [key for key in (f"part.{p}" for p in parts) if f'"{key}":' not in words]
        assert lacking == [], name


def test_the_title_of_a_line_of_folds_is_there_in_both_languages():
    answers = list("abab") * 2, np.tile([[0.7, 0.3], [0.4, 0.6]], (4, 1)), ["a", "b"], None, np.repeat([0, 1], 4)
    title = roc.draw(roc.data(answers))["layout"]["title"]["text"]
    script = static.page_files()["js/judge/plot_words.js"].body.decode()
    patterns = re.findall(r"\[/(.*)/, (\"plot\.\w+\")\]", script)
    (key,) = [key for pattern, key in patterns if re.fullmatch(pattern.replace("(?<", "(?P<"), title)]
    for name in ("en", "zh"):
        assert f"{key}: " in static.page_files()[f"words/{name}.js"].body.decode()


def test_every_problem_is_called_by_its_name_in_both_languages():
    for name in ("en", "zh"):
        words = static.page_files()[f"words/{name}.js"].body.decode()
        for kind in TYPES:
            assert re.search(rf'"problem\.{kind}": ".*{{detail}}"', words), (name, kind)


def test_a_problem_begins_in_the_language_of_the_reader():
    with looking("smoking", locale="zh-CN") as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".state[data-p]")
        page.route(
            "**/api/v1/**",
            lambda route: route.fulfill(status=400, json={"type": "not-possible", "detail": "no column 'x'"}),
        )
        page.click("#clear")
        page.wait_for_selector(".toast:text(\"无法完成：no column 'x'\")")
        page.unroute("**/api/v1/**")


def test_the_page_is_light():
    assert sum(len(file.body) for name, file in static.page_files().items() if name) < MOST
