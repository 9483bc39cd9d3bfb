"""Dates in the classifier view: one field for the date, and every answer speaks of it."""

import pytest
from tests.web.page.browser import both_themes, looking, needs_browser
from tests.web.server.test_dates import FORMS, FRIDAY, of_dates, opened

pytestmark = needs_browser
FIELD = '[data-column="Opened"] input'


@pytest.mark.parametrize(("form", "width"), [("iso", 1360), ("german", 390)])
def test_a_date_is_entered_explained_and_changed(tmp_path, form, width):
    path, _ = of_dates(tmp_path, FORMS[form])
    with looking(path, width=width) as (page, address, _):
        page.goto(address)
        page.wait_for_selector("#next:not([aria-busy]) .bar-row")
        assert page.locator(".field").count() == 2
        assert page.inner_text("#next .bar-row >> nth=0").startswith("Opened")
        page.click("#next .bar-row button")
        assert page.evaluate("document.activeElement.type") == "date"
        page.fill(FIELD, str(FRIDAY))
        page.press(FIELD, "Tab")
        page.wait_for_selector(".fall-row:has-text('Opened (weekday) = Friday')")
        page.wait_for_selector(".nomogram .now title:text('Friday')", state="attached")
        page.wait_for_selector("#flip:not([aria-busy]) li:has-text('2024-05-03 (Friday) → 2024-05-0')")
        assert "Opened" not in page.inner_text("#next")
        assert page.inner_text("#decided") == "on time"
        page.click("#flip button")
        page.wait_for_function("() => document.querySelector('#decided').textContent === 'late'")
        assert page.input_value(FIELD) in ("2024-05-04", "2024-05-05")
        page.click('[data-column="Opened"] .field-head button')
        page.wait_for_selector('[data-column="Opened"].unknown')
        assert page.input_value(FIELD) == ""
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert both_themes(page) == []


def test_a_date_in_the_form_of_the_table_is_shown_as_it_is(tmp_path):
    """As when a row of a table is opened: a calendar would show nothing."""
    path, _ = of_dates(tmp_path, FORMS["german"])
    table, late = opened(FORMS["german"])
    rows = "\n".join(f"{day or ''},{size},{c}" for day, size, c in zip(*table.values(), late, strict=True))
    (tmp_path / "rows.csv").write_text(f"Opened,size,state\n{rows}\n")
    with looking(path) as (page, address, _):
        page.goto(f"{address}#model=dates&view=judge")
        page.set_input_files("#file", str(tmp_path / "rows.csv"))
        page.click(".mistake:has-text('on time') summary")
        shown = page.inner_text(".mistake[open] .cells")
        assert "Opened = " in shown
        assert "weekday" not in shown
        page.click(".mistake[open] button")
        page.wait_for_selector("#posterior")
        day = page.input_value(FIELD)
        assert f"Opened = {day}" in shown
        page.wait_for_selector(".fall-row:has-text('Opened (weekday) = ')")
