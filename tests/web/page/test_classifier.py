"""The classifier view in a browser: a row that is entered is answered as by the library, explained and decided."""

import json

import numpy as np
import pytest
from tests.web.page.browser import both_themes, looking, needs_browser
from tests.web.server.serving import PERSON, patients, saved

from bayesfold import NaiveBayes
from bayesfold.data.frame import Frame
from bayesfold.learning.trained import find, train
from bayesfold.store import save

pytestmark = needs_browser


def shown(page):
    """The probabilities that the page shows."""
    return json.loads(page.get_attribute("#posterior", "data-p"))


def wait_for(page, expected):
    """Until the page shows these probabilities."""
    page.wait_for_function(
        "e => { const p = document.querySelector('#posterior')?.dataset.p;"
        " return p && JSON.parse(p).every((x, k) => Math.abs(x - e[k]) < 1e-9); }",
        arg=[float(p) for p in expected],
    )


def by_the_library(row):
    """P(class | row)."""
    return np.exp(patients().log_proba([dict.fromkeys(patients().names) | row])[0])


def test_a_row_is_entered_answered_and_explained(tmp_path):
    with looking(saved(tmp_path)) as (page, address, _):
        page.goto(address)
        wait_for(page, by_the_library({}))
        page.fill('[data-column="age"] input[type=number]', "71")
        page.fill('[data-column="pulse"] input[type=number]', "104")
        page.fill('[data-column="oxygen"] input[type=number]', "93")
        page.click('[data-column="awake"] [data-value="confused"]')
        page.click('[data-column="arrival"] [data-value="by ambulance"]')
        wait_for(page, by_the_library(PERSON))
        assert page.inner_text("#decided") == "ward"
        total = float(page.get_attribute("#waterfall", "data-total"))
        steps = page.eval_on_selector_all(".fall-row:not(.sum)", "all => all.map(e => Number(e.dataset.x))")
        assert sum(steps) == pytest.approx(total, abs=1e-9)
        p = dict(zip(patients().classes_.tolist(), shown(page), strict=True))
        assert total == pytest.approx(np.log(p["ward"] / p["intensive care"]), abs=1e-9)
        page.wait_for_selector("#next:not([aria-busy]) .bar-row")
        page.click("#flip:not([aria-busy]) button")  # what would change it does
        page.wait_for_function("() => document.querySelector('#decided').textContent === 'intensive care'")
        page.click('[data-column="awake"] .field-head button')
        page.wait_for_selector('[data-column="awake"].unknown')
        page.select_option("#against", label="home")
        page.wait_for_selector(".fall-ends:has-text('for home')")
        shared = page.url
        before = shown(page)
        page.goto("about:blank")
        page.goto(shared)
        wait_for(page, before)
        page.wait_for_selector(".fall-ends:has-text('for home')")
        assert both_themes(page) == []


def test_answers_to_rows_that_have_changed_since_are_dropped(tmp_path):
    """What would change the decision of an older row could be tried on a newer one."""
    with looking(saved(tmp_path)) as (page, address, _):
        page.goto(f"{address}#row={json.dumps(PERSON)}")
        page.wait_for_selector("#flip:not([aria-busy]) button")
        held, hold = [], [True]
        page.route("**/decide", lambda route: held.append(route) if hold[0] else route.continue_())
        page.fill('[data-column="age"] input[type=number]', "30")
        assert page.locator("#flip[aria-busy=true] button:disabled").count() == 1
        assert page.locator("#next button:not(:disabled)").count() == 0
        hold[0] = False
        page.fill('[data-column="age"] input[type=number]', "32")
        wait_for(page, by_the_library(PERSON | {"age": 32}))
        page.wait_for_selector("#flip:not([aria-busy]) button:not(:disabled)")
        assert len(held) == 1  # it was never answered, and nothing waits for it


def test_a_loss_that_is_edited_flips_the_decision(tmp_path):
    with looking(saved(tmp_path)) as (page, address, _):
        page.goto(f"{address}#row={json.dumps(PERSON)}")
        wait_for(page, by_the_library(PERSON))
        assert page.inner_text("#decided") == "ward"
        page.fill('[data-decision="ward"][data-truth="intensive care"]', "15")
        page.wait_for_function("() => document.querySelector('#decided').textContent === 'intensive care'")
        page.fill("#reject", "0.1")
        page.wait_for_function("() => document.querySelector('#decided').dataset.rejected === 'true'")


def test_a_slider_moves_the_answer_with_the_keyboard(tmp_path):
    with looking(saved(tmp_path)) as (page, address, _):
        page.goto(address)
        wait_for(page, by_the_library({}))
        page.focus('[data-column="pain"] input[type=range]')
        page.keyboard.press("ArrowRight")
        page.wait_for_selector('[data-column="pain"]:not(.unknown)')
        value = float(page.input_value('[data-column="pain"] input[type=number]'))
        wait_for(page, by_the_library({"pain": value}))
        page.focus('[data-column="arrival"] [role=radio]')
        page.keyboard.press("Space")
        wait_for(page, by_the_library({"pain": value, "arrival": "by ambulance"}))


def test_words_are_marked_by_what_they_say(tmp_path):
    texts = ["win money now", "free money win", "meet for lunch", "lunch at noon"] * 6
    trained = train(
        find("text")(model="multinomial"), Frame.of({"body": texts}), ["spam", "spam", "ham", "ham"] * 6, "folder"
    )
    save(trained, tmp_path / "mail.bayes")
    with looking(tmp_path / "mail.bayes") as (page, address, _):
        page.goto(address)
        page.fill("textarea", "Win <b>money</b> at lunch")
        page.wait_for_selector(".said span")
        marked = page.eval_on_selector_all(".said span", "all => all.map(e => [e.textContent, e.className])")
        signs = dict(marked)
        assert signs["Win"] == signs["money"] != signs["lunch"]
        assert "<b>money</b>" in page.inner_text(".said")


def test_a_pool_is_asked_and_says_why_it_has_no_nomogram(tmp_path):
    with looking(saved(tmp_path, "pool", "bayes"), width=390, height=844) as (page, address, _):
        page.goto(address)
        page.wait_for_selector("#waterfall")
        page.wait_for_selector(".nomogram p")
        assert "columns depend on each other" in page.inner_text(".nomogram")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert both_themes(page) == []


def test_many_classes_and_long_values_stay_in_their_place(tmp_path):
    y = [f"c{k}" for k in range(20)] * 3 + ["c0"] * 20
    loss = {a: {b: 0.1 if a == "c19" else 1.0 for b in set(y) if b != a} for a in set(y)}
    table = {"a": ["x" * 400, "y"] * 40}
    NaiveBayes(loss=loss).fit(table, y).save(tmp_path / "many.bayes")
    with looking(tmp_path / "many.bayes") as (page, address, _):
        page.goto(address)
        page.wait_for_selector("#posterior .bar-row")
        assert page.inner_text("#decided") == "c19"
        assert "c19" in page.inner_text("#posterior")
        assert "and 8 classes that are less probable" in page.inner_text("#posterior")
        wide = page.eval_on_selector_all(
            ".choice", "all => all.some(e => e.scrollWidth > e.closest('.field').clientWidth)"
        )
        assert not wide


def test_every_class_that_is_drawn_has_a_colour_of_its_own_and_is_named(tmp_path):
    """The legend named the first six of many classes, the curves were those of the most frequent, two in one colour."""
    draw = np.random.default_rng(0)
    often = {"c3": 40, "c9": 40, "c10": 40, "c15": 40, "c16": 40, "c21": 40}  # 3, 9, 15, 21 are alike by six
    y = [name for k in range(22) for name in [f"c{k:02}"] * often.get(f"c{k}", 5)]
    NaiveBayes(numeric="gaussian").fit({"x": draw.normal(size=len(y))}, y).save(tmp_path / "many.bayes")
    with looking(tmp_path / "many.bayes") as (page, address, _):
        page.goto(address)
        page.wait_for_selector("#posterior .bar-row")
        strokes = page.eval_on_selector_all(
            "[data-column=x] path", "all => all.map((e) => e.style.stroke).filter((c) => c.startsWith('var'))"
        )
        legend = page.eval_on_selector_all(
            ".legend-line span", "all => all.map((e) => [e.textContent, e.querySelector('i')?.style.background ?? ''])"
        )
        assert legend[:6] == [[f"c{k:02}", f"var(--c{n})"] for n, k in enumerate((3, 9, 10, 15, 16, 21))]
        assert sorted(strokes) == [f"var(--c{n})" for n in range(6)]
        assert legend[6] == ["and 16 less frequent classes, without curves", ""]


def test_names_of_classes_without_a_blank_are_broken_on_a_phone(tmp_path):
    """The ends of the waterfall stood across the edge of their card, and made the page wider than the screen."""
    table = {"a": [0.1, 1.1, 0.2, 1.3, 0.4, 1.2] * 4}
    NaiveBayes().fit(table, ["w" * 48, "x" * 48] * 12).save(tmp_path / "long.bayes")
    with looking(tmp_path / "long.bayes", width=390, height=844) as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".fall-ends")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_names_in_the_nomogram_are_cut_to_their_room_in_any_script(tmp_path):
    """By counting characters, the beginning of a long Chinese name stood outside of the picture."""
    table = {
        "这是一个没有空格的非常非常非常非常非常非常长的列名": [0.1, 1.1, 0.2, 1.3, 0.4, 1.2] * 4,
        "W" * 60: [*"xyxyxx"] * 4,
    }
    NaiveBayes(weights=None).fit(table, ["第一种非常非常非常非常长的类别", "second"] * 12).save(tmp_path / "long.bayes")
    with looking(tmp_path / "long.bayes") as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".nomogram .name:has-text('这是')")
        places = page.eval_on_selector_all(".nomogram text", "all => all.map((e) => e.getBBox().x)")
        assert min(places) >= 0
        assert page.locator(f".nomogram .name title:text('{'W' * 60}')").count() == 1


def test_long_values_in_the_nomogram_do_not_stand_on_each_other(tmp_path):
    levels = [
        "Telephone and a registered letter afterwards",
        "At the counter of the main office",
        "电子邮件和后来的电话确认",
    ]
    draw = np.random.default_rng(1)
    late = draw.random(300) < 0.5
    table = {f"{c}": draw.choice([*levels, "by post"], 300).tolist() for c in "abc"}
    table["d"] = [levels[int(draw.random() < 0.2) ^ k] for k in late.astype(int).tolist()]
    NaiveBayes(weights=None).fit(table, np.where(late, "late", "on time")).save(tmp_path / "long.bayes")
    with looking(tmp_path / "long.bayes") as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".nomogram .value")
        boxes = page.eval_on_selector_all(
            ".nomogram .value",
            "all => all.map((e) => e.getBBox()).map((b) => [b.x, b.x + b.width, b.y + 2, b.y + b.height - 2])",
        )
        for k, (left, right, top, bottom) in enumerate(boxes):
            for other in boxes[:k]:
                assert right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
        whole = page.eval_on_selector_all(".nomogram circle.tick title", "all => all.map((e) => e.textContent)")
        assert all(any(f"d = {level}:" in text for text in whole) for level in levels[:2])


LONG = [9007199254740993, 9007199254740995, 18446744073709551615]


def test_whole_numbers_beyond_doubles_keep_every_digit(tmp_path):
    """A browser's numbers are doubles: classes were shown as their neighbours, and levels could not be asked."""
    draw = np.random.default_rng(0)
    k, id_ = draw.integers(0, 3, 90), draw.integers(0, 2, 90)
    id_ = np.where(draw.random(90) < 0.6, k % 2, id_)
    X, y = {"id": np.array(LONG[:2])[id_], "n": k + draw.normal(size=90)}, np.array(LONG, np.uint64)[k]
    clf = NaiveBayes(families={"id": "categorical"}).fit(X, y)
    clf.save(tmp_path / "m.bayes")
    with looking(tmp_path / "m.bayes") as (page, address, _):
        page.goto(address)
        wait_for(page, clf.predict_proba({"n": None})[0])
        choices = page.eval_on_selector_all("[data-column=id] .choice", "all => all.map(e => e.dataset.value)")
        assert choices == [str(x) for x in LONG[:2]]
        page.click(f'[data-column="id"] [data-value="{LONG[1]}"]')
        expected = clf.predict_proba({"id": LONG[1]})[0]
        wait_for(page, expected)
        assert page.inner_text("#decided") == str(LONG[int(expected.argmax())])
        page.select_option("#of", label=str(LONG[0]))
        page.wait_for_selector(f".fall-ends:has-text('for {LONG[0]}')")
        page.fill(f'[data-decision="{LONG[0]}"][data-truth="{LONG[1]}"]', "0")
        page.fill(f'[data-decision="{LONG[0]}"][data-truth="{LONG[2]}"]', "0")
        page.wait_for_function("x => document.querySelector('#decided').textContent === x", arg=str(LONG[0]))
        shared = page.url
        page.goto("about:blank")
        page.goto(shared)
        wait_for(page, expected)
        page.wait_for_function("x => document.querySelector('#decided').textContent === x", arg=str(LONG[0]))
        assert page.get_attribute(f'[data-value="{LONG[1]}"]', "aria-checked") == "true"


def test_numbers_are_shown_with_every_digit_before_the_point(tmp_path):
    """Levels 2021 and 2024 were both 2020 in the nomogram, and a price of 52345.67 was 52350 among the reasons."""
    draw = np.random.default_rng(0)
    k = draw.integers(0, 2, 200)
    X = {
        "year": np.where(draw.random(200) < 0.7, 2021 + 3 * k, 2022),
        "price": 52_000 + 900 * k + draw.normal(0, 500, 200).round(2),
    }
    families = {"year": "categorical", "price": "gaussian"}
    NaiveBayes(families=families).fit(X, np.array(["no", "yes"])[k]).save(tmp_path / "m.bayes")
    with looking(tmp_path / "m.bayes") as (page, address, _):
        page.goto(f"{address}#row={json.dumps({'price': 52345.67, 'year': 2024})}")
        page.wait_for_selector("#waterfall")
        assert "price = 52346" in page.inner_text("#waterfall")
        assert "year = 2024" in page.inner_text("#waterfall")
        page.wait_for_selector(".nomogram text.value")
        labels = page.eval_on_selector_all(".nomogram text.value", "all => all.map(e => e.firstChild.textContent)")
        assert {"2021", "2022", "2024"} <= set(labels), labels


def test_a_nomogram_that_could_not_be_fetched_is_no_model_without_one(tmp_path):
    """The page said that columns depend on each other, and did not ask again."""
    with looking(saved(tmp_path)) as (page, address, _):
        busy = {"status": 429, "body": '{"type": "many", "detail": "too many"}'}
        page.route("**/api/**/nomogram*", lambda route: route.fulfill(**busy))
        page.goto(f"{address}#row={json.dumps(PERSON)}")
        page.wait_for_selector(".nomogram [role=status]:has-text('too many')")
        assert "depend on each other" not in page.inner_text(".nomogram")
        page.unroute("**/api/**/nomogram*")
        page.fill('[data-column="age"] input[type=number]', "70")
        page.wait_for_selector(".nomogram svg")
        assert page.locator(".nomogram [role=status]").count() == 0
