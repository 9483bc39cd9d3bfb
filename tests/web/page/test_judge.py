"""The model view in a browser: scores, pictures, mistakes, two models side by side, rows learned and forgotten."""

import numpy as np
import pytest
from tests.web.page.browser import both_themes, looking, needs_browser
from tests.web.server.api.test_judging import later, learned_rows
from tests.web.server.serving import patients, saved

from bayesfold import NaiveBayes
from bayesfold.store import load

pytestmark = needs_browser


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "later.csv"
    path.write_bytes(later()[0])
    return path


def test_scores_pictures_and_mistakes(tmp_path, table):
    with looking(saved(tmp_path), saved(tmp_path, "tan", "tan")) as (page, address, _):
        page.goto(f"{address}#model=patients&view=judge")
        page.set_input_files("#file", str(table))
        page.wait_for_selector(".main-svg")
        _, rows, place = later()
        decided = patients().classes_[patients().log_proba(rows).argmax(axis=1)]
        shown = float(page.get_attribute('[data-measure="accuracy"] .value', "data-value"))
        assert shown == pytest.approx((decided == place).mean(), abs=1e-9)
        page.wait_for_function("() => document.querySelectorAll('.figure .main-svg').length >= 3")
        page.click(".mistake summary")
        page.wait_for_selector(".mistake[open] .fall-row.sum")  # explained: the decision against the truth
        page.click(".mistake[open] button")
        page.wait_for_selector("#posterior")
        page.go_back()
        page.wait_for_selector("#scores")
        page.select_option("#other", "tan")
        page.wait_for_selector("th:has-text('Difference')")
        assert page.locator(".pictures h3").all_inner_texts() == ["patients", "tan"] * 3
        with page.expect_download() as download:
            page.click("text=Save the answers")
        assert download.value.suggested_filename == "later-answers.csv"
        page.wait_for_function("() => document.querySelectorAll('.figure .main-svg').length >= 3")
        assert both_themes(page) == []


def test_pictures_of_classes_with_long_names_have_room_on_a_phone(tmp_path):
    """Names beside a picture left it less than nothing, which plotly cannot draw."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=200).round(3)
    names = ["L" * 60, "过" * 40, "<" * 60]
    y = [names[k] for k in ((x > 0).astype(int) + (draw.random(200) < 0.2)).tolist()]
    NaiveBayes().fit({"x" * 60: x}, y).save(tmp_path / "long.bayes")
    lines = "\n".join(f"{a},{b}" for a, b in zip(x.tolist(), y, strict=True))
    (tmp_path / "long.csv").write_text(f"{'x' * 60},class\n{lines}\n")
    with looking(tmp_path / "long.bayes", width=390, height=844) as (page, address, _):
        page.goto(f"{address}#model=long&view=judge")
        page.set_input_files("#file", str(tmp_path / "long.csv"))
        page.wait_for_function("() => document.querySelectorAll('.figure .main-svg').length >= 6")
        page.wait_for_timeout(300)
        sizes = page.eval_on_selector_all(
            ".figure", "all => all.map((e) => [e._fullLayout._size.w, e._fullLayout._size.h])"
        )
        assert min(map(min, sizes)) > 80
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_rows_are_learned_when_that_is_allowed(tmp_path, table):
    path = saved(tmp_path)
    with looking(path, writable=True, width=390, height=844) as (page, address, _):
        page.goto(f"{address}#model=patients&view=judge")
        page.set_input_files("#file", str(table))
        page.click("#try-learn")
        page.wait_for_selector("#otherwise")
        assert load(path).rows == patients().rows
        page.click("#save-rows")
        page.wait_for_selector(".toast")
        assert load(path).rows == patients().rows + 120
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_learned_rows_are_held_out_on_demand(tmp_path):
    path = tmp_path / "learned.csv"
    path.write_bytes(learned_rows(400))
    with looking(saved(tmp_path)) as (page, address, _):
        page.goto(f"{address}#model=patients&view=judge")
        page.set_input_files("#file", str(path))
        page.wait_for_selector("#flattered")
        page.click("#hold-out")
        page.wait_for_selector("#held")
        assert "10 folds, everything refitted without each" in page.inner_text("#held")
        assert page.locator("#flattered").count() == 0
