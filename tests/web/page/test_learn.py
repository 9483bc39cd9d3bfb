"""From a file to a model in a browser: dropped, read, learned, asked, saved; and cancelled."""

import re

from tests.web.page.browser import both_themes, looking, needs_browser, tab_to

from bayesfold.cli._main import main
from bayesfold.store.file import from_bytes

pytestmark = needs_browser
READ = '[data-column="pulse"] .why:not(:has-text("…"))'


def patients(folder, rows=300):
    """A table of generated patients."""
    path = folder / "patients.csv"
    assert main(["demo", "--table", str(path), "--rows", str(rows)]) == 0
    return path


def test_a_table_becomes_a_model_that_is_asked(tmp_path):
    with looking("smoking") as (page, address, _):
        page.goto(f"{address}#view=learn")
        page.wait_for_selector(".drop")
        page.set_input_files("#file", str(patients(tmp_path)))
        page.wait_for_selector(READ)
        assert page.input_value("#target") == "place"
        assert "gaussian" in page.inner_text('[data-column="age"]')
        page.select_option('[data-column="age"] select', "-")
        page.select_option('[data-column="pain"] select', "categorical")
        page.wait_for_selector('[data-column="pain"] .why:has-text("declared")')
        page.select_option("#kind", "naive")
        told = "bayesfold fit patients.csv --target place --model naive --as pain=categorical --drop age"
        assert page.inner_text("code.line") == told
        assert both_themes(page) == []
        page.click("#fit")
        page.wait_for_selector("#done", timeout=60_000)
        with page.expect_download() as download:
            page.click("#save-model")
        assert download.value.suggested_filename == "patients.bayes"
        trained = from_bytes(download.value.path().read_bytes())[0]
        assert trained.settings.estimator == "NaiveBayes"
        assert "age" not in trained.model_.schema.sources
        page.click("#ask-it")
        page.wait_for_selector("#posterior")
        assert page.locator('[data-column="age"]').count() == 0


def test_learning_is_cancelled(tmp_path):
    with looking("smoking") as (page, address, client):
        page.goto(f"{address}#view=learn")
        page.set_input_files("#file", str(patients(tmp_path)))
        page.wait_for_selector(READ)
        page.click("#fit")
        page.click("#cancel")
        page.wait_for_selector("#cancelled")
        assert [m["name"] for m in client.get("/api/v1/models").json()["models"]] == ["smoking"]


def test_a_file_that_is_no_table_says_why(tmp_path):
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    with looking("smoking", width=390, height=844) as (page, address, _):
        page.goto(f"{address}#view=learn")
        page.set_input_files("#file", str(path))
        page.wait_for_selector(".drop p")
        assert re.search("no Parquet file", page.inner_text(".drop"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_network_is_learned_and_its_arcs_are_as_thick_as_they_are_strong(tmp_path):
    with looking("smoking") as (page, address, _):
        page.goto(f"{address}#view=learn")
        page.set_input_files("#file", str(patients(tmp_path)))
        page.wait_for_selector(READ)
        page.click("#fit-network")
        page.wait_for_selector('.node[data-node="place"] .state[data-p]')
        thick = page.eval_on_selector_all(".arc", "all => all.map(e => parseFloat(e.style.strokeWidth))")
        assert thick
        assert max(thick) == 5
        assert "Strongest arcs" in page.inner_text(".panel")


def test_from_a_file_to_an_answer_with_the_keyboard_alone(tmp_path):
    with looking("smoking") as (page, address, client):
        page.on("filechooser", lambda chooser: None)  # the browser asks us from now on, not a moment after Enter
        page.goto(f"{address}#view=learn")
        page.wait_for_selector(".drop")
        tab_to(page, ".drop button.primary")
        with page.expect_file_chooser() as chooser:
            page.keyboard.press("Enter")
        chooser.value.set_files(str(patients(tmp_path)))
        page.wait_for_selector(READ)
        tab_to(page, "#kind")
        page.keyboard.press("ArrowDown")
        assert page.input_value("#kind") == "naive"
        tab_to(page, "#fit")
        page.keyboard.press("Enter")
        page.wait_for_selector("#done", timeout=60_000)
        if not page.evaluate("document.activeElement.id === 'ask-it'"):
            tab_to(page, "#ask-it")
        page.keyboard.press("Enter")
        page.wait_for_selector("#posterior")
        tab_to(page, '[data-column="age"] input[type=number]')
        page.keyboard.type("71")
        page.wait_for_selector('[data-column="age"]:not(.unknown)')
        expected = client.post("/api/v1/models/patients/predict", json={"row": {"age": 71}}).json()["probabilities"]
        page.wait_for_function(
            "e => JSON.parse(posterior.dataset.p).every((p, k) => Math.abs(p - e[k]) < 1e-9)",
            arg=expected,
        )
        page.wait_for_selector("#next button")
        page.wait_for_load_state("networkidle")
        tab_to(page, "#next button")  # what to ask next leads to its field
        page.keyboard.press("Enter")
        page.wait_for_function("document.activeElement.closest('.field') !== null")
