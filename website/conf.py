"""Sphinx's settings; `python -m website` is what runs it."""

import re
from itertools import groupby

import bayesfold

project = "bayesfold"
author = copyright = "bayesfold contributors"
version = release = bayesfold.__version__
language = "en"
smartquotes = False

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["files/**"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]
default_role = "code"  # a word between single backticks in a docstring is code

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_class_signature = "mixed"
add_module_names = False
python_maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "bayesfold"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = True
pygments_style = "default"
pygments_dark_style = "monokai"
html_theme_options = {"navigation_with_keys": True}


CODE = re.compile(r"(``.*?``|`[^`]*`)")
COLUMNS = re.compile(r"\S+( \S+)*  +\S")
STAR = re.compile(r"\*(?!\w[^*]*\w\*)(?<!\w\*)")


def setup(app):
    """Pages in Chinese say that they are, for fonts and for those who listen; docstrings are read as plain text."""
    app.connect("html-page-context", speak)
    app.connect("autodoc-process-docstring", plain, priority=400)  # before napoleon, at 500
    return {"parallel_read_safe": True}


def speak(app, name, template, context, doctree):
    if name.startswith("zh/") or name.endswith(".zh"):
        context["language"] = "zh-CN"


def plain(app, what, name, thing, options, lines):
    """Bars, stars and underscores of formulas and names are no markup, and what is set in columns stays so."""
    written = []
    for blank, some in groupby(lines, key=lambda line: not line.strip()):
        paragraph = list(some)
        if blank or paragraph[0].lstrip().startswith(">>>"):
            written += paragraph
        elif sum(COLUMNS.match(line) is not None for line in paragraph) > 1:
            written += ["::", "", *(f"    {line}" for line in paragraph)]
        else:
            written += map(escaped, paragraph)
    lines[:] = written


def escaped(line):
    parts = CODE.split(line)
    parts[::2] = [re.sub(r"(\w)_(?!\w)", r"\1\\_", STAR.sub(r"\\*", part.replace("|", r"\|"))) for part in parts[::2]]
    return "".join(parts)
