"""The network view in a browser: what is clicked is believed, and beliefs are the library's."""

import numpy as np
import pytest
from tests.networks.published import MISSING, PATHS
from tests.web.page.browser import both_themes, looking, needs_browser
from tests.web.server.serving import ask

import bayesfold as bf

pytestmark = needs_browser
NET = bf.read_network("smoking")


def state(node, value):
    """The button of a state."""
    return f'.node[data-node="{node}"] .state[data-state="{value}"]'


def beliefs(page):
    """Every belief that the page shows, as it was sent."""
    cells = page.eval_on_selector_all(
        ".state[data-p]", "all => all.map(e => [e.closest('.node').dataset.node, e.dataset.state, Number(e.dataset.p)])"
    )
    return {(node, value): p for node, value, p in cells}


def wait_for(page, node, value, p):
    """Until the page shows this belief."""
    page.wait_for_function(
        "([s, p]) => Math.abs(Number(document.querySelector(s)?.dataset.p) - p) < 1e-9", arg=[state(node, value), p]
    )


def agree(page, net, **seen):
    """Whether all beliefs are the library's."""
    expected = net.posteriors(seen) if seen else {v: net.query(v).values[None] for v in net.nodes}
    node = next(iter(net.nodes))
    wait_for(page, node, net.states(node)[0], float(np.ravel(expected[node])[0]))
    found = beliefs(page)
    for v in net.nodes:
        for k, s in enumerate(net.states(v)):
            assert found[v, str(s)] == pytest.approx(float(np.ravel(expected[v])[k]), abs=1e-9)


def test_observing_setting_and_clearing():
    with looking("smoking") as (page, address, _):
        page.goto(address)
        agree(page, NET)
        page.click(state("dyspnoea", "yes"))
        agree(page, NET, dyspnoea="yes")
        assert "SEEN" in page.inner_text('.node[data-node="dyspnoea"]')
        assert "What changed" in page.inner_text(".panel")
        shared = page.url
        page.click("text=Do")
        page.click(state("bronchitis", "yes"))
        agree(page, NET.do(bronchitis="yes"), dyspnoea="yes")
        page.click(state("bronchitis", "yes"))
        agree(page, NET, dyspnoea="yes")
        page.click("#clear")
        agree(page, NET)
        page.goto("about:blank")
        page.goto(shared)  # what is observed stands in the address
        agree(page, NET, dyspnoea="yes")
        assert both_themes(page) == []


def test_a_dragged_bar_leans_to_where_it_was_dragged():
    with looking("smoking") as (page, address, _):
        page.goto(address)
        agree(page, NET)
        box = page.locator(f"{state('xray', 'abnormal')} .track").bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 3, middle)
        page.mouse.down()
        for share in (0.3, 0.5, 0.6):
            page.mouse.move(box["x"] + share * box["width"], middle)
            page.wait_for_timeout(150)
        page.mouse.up()
        page.wait_for_selector('.node[data-node="xray"].soft')
        page.wait_for_timeout(300)
        assert beliefs(page)["xray", "abnormal"] == pytest.approx(0.6, abs=0.02)
        likelihood = page.evaluate("JSON.parse(new URLSearchParams(location.hash.slice(1)).get('soft')).xray")
        told = dict(zip(NET.states("xray"), likelihood, strict=True))
        expected = NET.query("cancer", likelihood={"xray": told})["yes"]
        assert beliefs(page)["cancer", "yes"] == pytest.approx(expected, abs=1e-9)


def test_with_the_keyboard_alone():
    with looking("smoking") as (page, address, _):
        page.goto(address)
        agree(page, NET)
        page.keyboard.press("/")
        page.keyboard.type("dyspnoea")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        agree(page, NET, dyspnoea="yes")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        agree(page, NET, dyspnoea="no")
        page.keyboard.press("Escape")
        agree(page, NET)
        page.keyboard.press("ArrowRight")
        page.wait_for_selector('.node[data-node="dyspnoea"].soft')


def test_what_the_panel_tells():
    with looking("smoking") as (page, address, _):
        page.goto(f'{address}#see={{"dyspnoea":"yes"}}&node=cancer')
        agree(page, NET, dyspnoea="yes")
        page.click("#tab-ask")
        page.wait_for_selector("text=0.209 bit")
        page.click("#tab-likeliest")
        page.wait_for_selector("text=All of this together: 29.3%")
        page.click("#tab-sums")
        page.wait_for_selector("pre")
        assert page.inner_text("pre").strip() == str(NET.derivation("cancer | dyspnoea=yes")).strip()
        page.click("#tab-table")
        page.wait_for_selector("text=P(cancer | smoking)")
        page.click("#tab-independence")
        page.click('.node[data-node="cancer"] .node-name')
        page.click('.node[data-node="bronchitis"] .node-name')
        assert "may depend on each other" in page.inner_text("#verdict")
        page.click("#clear")
        page.click('.node[data-node="smoking"] .node-name', modifiers=["Shift"])
        page.wait_for_selector("#verdict.yes")
        assert "tail-to-tail" in page.inner_text(".path")
        assert both_themes(page) == []


def test_impossible_evidence_is_said_and_taken_back(tmp_path):
    clock = bf.BayesianNetwork.from_edges(
        [("hour", "light")],
        tables={"hour": {"noon": 0.5, "night": 0.5}, "light": {"noon": [1.0, 0.0], "night": [0.0, 1.0]}},
        states={"light": ["sun", "dark"]},
    )
    bf.write_network(clock, tmp_path / "clock.bif")
    with looking(tmp_path / "clock.bif") as (page, address, _):
        page.goto(address)
        page.click(state("hour", "noon"))
        wait_for(page, "light", "sun", 1)
        page.click(state("light", "dark"))
        page.wait_for_selector(".toast")
        assert "cannot happen" in page.inner_text(".toast")
        assert page.get_attribute(state("light", "dark"), "aria-pressed") == "false"


def test_names_that_are_markup_stay_text(tmp_path):
    name = '<img src=x onerror="document.title=1">'
    net = bf.BayesianNetwork.from_edges([], [name], {name: {"<b>yes</b>": 0.5, "no": 0.5}})
    bf.write_network(net, tmp_path / "odd.json")
    with looking(tmp_path / "odd.json") as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".state[data-p]")
        assert page.inner_text(".node-name") == name
        assert page.query_selector(".node img") is None


@pytest.mark.skipif(not PATHS, reason=MISSING)
def test_a_large_network_is_folded_and_can_be_focused():
    with looking(PATHS["hepar2"]) as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".state[data-p]")
        assert page.locator(".node").count() == 70
        assert page.locator(".state").count() == 70  # folded: the likeliest state of each
        page.fill("#search", "bilirubin")
        page.keyboard.press("Enter")
        page.click("#focus")
        page.wait_for_function("() => document.querySelectorAll('.node').length < 70")
        page.click("#focus")
        page.wait_for_function("() => document.querySelectorAll('.node').length === 70")


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_on_a_phone_nothing_is_wider_than_the_screen(locale):
    with looking("smoking", width=390, height=844, locale=locale) as (page, address, _):
        page.goto(address)
        agree(page, NET)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        words = page.inner_text("#tab-evidence")
        page.click("#language")
        page.wait_for_function(f"() => document.querySelector('#tab-evidence')?.textContent !== {words!r}")
        assert {words, page.inner_text("#tab-evidence")} == {"Evidence", "证据"}


def test_a_table_and_an_arc_are_changed_and_saved(tmp_path):
    with looking("smoking") as (page, address, _):
        page.goto(f"{address}#model=smoking&node=smoking&tab=table")
        page.fill('[data-line="0"][data-state="yes"]', "0.6")
        assert "1.3 ≠ 1" in page.inner_text(".cpt")
        assert page.is_disabled("#save-table")
        page.fill('[data-line="0"][data-state="no"]', "0.4")
        page.click("#save-table")
        wait_for(page, "smoking", "yes", 0.6)
        page.select_option("select[aria-label='Table of']", "bronchitis")
        page.wait_for_selector("text=P(bronchitis | smoking)")
        page.click("[aria-label='Remove the arc from smoking to bronchitis']")
        page.wait_for_selector("h2:text-is('P(bronchitis)')")
        with page.expect_download() as download:
            page.click("#save-bif")
        path = tmp_path / "own.bif"
        download.value.save_as(path)
        found = bf.read_network(path)
        assert found.query("smoking")["yes"] == pytest.approx(0.6, abs=1e-9)
        assert found.parents("bronchitis") == ()
        assert both_themes(page) == []


def test_what_another_window_has_changed_is_shown_before_it_is_changed_again():
    with looking("smoking") as (page, address, client):
        page.goto(f"{address}#model=smoking&node=bronchitis&tab=table")
        page.click("[aria-label='Remove the arc from smoking to bronchitis']")
        page.wait_for_selector("h2:text-is('P(bronchitis)')")
        page.fill('[data-line="0"][data-state="yes"]', "0.6")
        page.fill('[data-line="0"][data-state="no"]', "0.4")
        arc = {"action": "add", "parent": "cancer", "child": "bronchitis"}
        ask(client, "models/smoking%20(edited)/edit", {"arcs": [arc]})
        before = ask(client, "models/smoking%20(edited)/table?node=bronchitis")
        page.click("#save-table")
        page.wait_for_selector("text=has changed since it was shown")
        page.wait_for_selector("h2:text-is('P(bronchitis | cancer)')")
        assert ask(client, "models/smoking%20(edited)/table?node=bronchitis") == before
        page.fill('[data-line="0"][data-state="yes"]', "0.6")
        page.fill('[data-line="0"][data-state="no"]', "0.4")
        page.click("#save-table")
        page.wait_for_function("() => document.querySelector('#save-table')?.disabled")
        assert ask(client, "models/smoking%20(edited)/table?node=bronchitis")["lines"][0] == [0.6, 0.4]


def test_an_arc_is_drawn_by_hand():
    with looking("smoking") as (page, address, _):
        page.goto(f"{address}#model=smoking&node=xray&tab=table")
        before = ", ".join(NET.parents("xray"))
        page.wait_for_selector(f"h2:text-is('P(xray | {before})')")
        from_ = page.locator('.node[data-node="bronchitis"] .handle').bounding_box()
        to = page.locator('.node[data-node="xray"]').bounding_box()
        page.mouse.move(from_["x"] + 5, from_["y"] + 5)
        page.mouse.down()
        page.mouse.move(to["x"] + 40, to["y"] + 20, steps=5)
        assert page.locator(".arc.drawn").count() == 1
        page.mouse.up()
        page.wait_for_selector(f"h2:text-is('P(xray | {before}, bronchitis)')")
        agree(page, NET)  # the table says the same for either state of the new parent
        page.click("#tab-evidence")
        assert page.locator(".handle:visible").count() == 0


@pytest.mark.skipif(not PATHS, reason=MISSING)
def test_from_afar_names_stay_readable():
    with looking(PATHS["alarm"]) as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".state[data-p]")
        high = "document.querySelector('.node-name').getBoundingClientRect().height"
        letters = "parseFloat(getComputedStyle(document.querySelector('.node-name')).fontSize)"
        card = "document.querySelector('.node')"
        shown = page.evaluate(f"{letters} * {card}.getBoundingClientRect().width / {card}.offsetWidth")
        assert shown > 9
        assert page.evaluate(high) > 9
        page.keyboard.press("0")
        for _ in range(5):
            page.keyboard.press("+")
        page.wait_for_selector(".world:not(.far)", state="attached")
