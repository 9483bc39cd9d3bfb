"""The examples, run: `python -m website.examples` writes what they print beside them, and the site shows it.

A script's output stands in examples/outputs/, a notebook's in the notebook. The tests run both and compare.
"""

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from website.contents import ROOT

FOLDER = ROOT / "examples"


def scripts() -> list[Path]:
    return sorted(FOLDER.glob("*.py"))


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def output_of(script: Path) -> Path:
    return FOLDER / "outputs" / f"{script.stem}.txt"


def run_script(script: Path) -> str:
    """What a script prints."""
    said = io.StringIO()
    with redirect_stdout(said):
        exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": "__main__"})
    return said.getvalue()


def run_notebook(notebook: Path) -> dict[str, Any]:
    """The notebook with what its cells print and what their last lines are, as text."""
    content: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = run_cell("".join(cell["source"]), names, number)
    return content


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """The outputs of one cell, in the form that notebooks have."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    value = None
    with redirect_stdout(said):
        exec(compile(tree, f"<cell {number}>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if said.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(said.getvalue())})
    if value is not None:
        shown = {"text/plain": lines(repr(value))}
        outputs.append({"output_type": "execute_result", "data": shown, "metadata": {}, "execution_count": number})
    return outputs


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def pages() -> list[str]:
    """The pages of the examples in the site, as paths without endings."""
    return [f"examples/{file.stem}" for file in (*scripts(), *notebooks())]


def write(into: Path) -> None:
    """Write a page for each example: a script with what it printed, a notebook cell by cell."""
    folder = into / "examples"
    folder.mkdir(parents=True, exist_ok=True)
    for script in scripts():
        source = script.read_text(encoding="utf-8")
        about = str(ast.get_docstring(ast.parse(source)))
        title, _, rest = about.partition(": ")
        code = source.split('"""', 2)[2].strip()
        said = output_of(script).read_text(encoding="utf-8")
        parts = [
            f"# {title}",
            f"{rest[:1].upper()}{rest[1:]}",
            fenced("python", code),
            "It prints",
            fenced("text", said),
        ]
        text = "\n\n".join(parts) + "\n"
        (folder / f"{script.stem}.md").write_text(text, encoding="utf-8")
    for notebook in notebooks():
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join(part for cell in cells for part in shown_cell(cell))
        (folder / f"{notebook.stem}.md").write_text(text + "\n", encoding="utf-8")


def shown_cell(cell: dict[str, Any]) -> list[str]:
    """A cell as Markdown: its text, or its code and what came of it."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    said = [output.get("text") or output["data"]["text/plain"] for output in cell["outputs"]]
    return [fenced("python", source), *(fenced("text", "".join(text)) for text in said)]


def fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER))
    for script in scripts():
        output_of(script).parent.mkdir(exist_ok=True)
        output_of(script).write_text(run_script(script), encoding="utf-8")
    for notebook in notebooks():
        notebook.write_text(written(run_notebook(notebook)), encoding="utf-8")
