"""The examples run, and print what stands beside them; after a change: python -m website.examples."""

import pytest
from website.contents import ROOT
from website.examples import notebooks, output_of, run_notebook, run_script, scripts, written


@pytest.mark.slow
@pytest.mark.parametrize("script", scripts(), ids=lambda path: path.name)
def test_a_script_prints_what_stands_beside_it(script):
    assert run_script(script) == output_of(script).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.name)
def test_a_notebook_shows_what_it_computes(notebook):
    assert written(run_notebook(notebook)) == notebook.read_text(encoding="utf-8")


def test_there_are_five_scripts_and_three_notebooks_and_the_list_names_them():
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert len(scripts()) >= 5
    assert len(notebooks()) >= 3
    assert [file.name for file in (*scripts(), *notebooks()) if f"]({file.name})" not in listed] == []
