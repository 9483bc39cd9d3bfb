"""Small spreadsheets, written with nothing but the standard library."""

import datetime as dt
import zipfile
from xml.sax.saxutils import escape

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def cell(value, at):
    """One cell: text, a truth value, a date or a number."""
    if isinstance(value, bool):
        return f'<c r="{at}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str) and value.startswith("#"):
        return f'<c r="{at}" t="e"><v>{value}</v></c>'
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    if isinstance(value, dt.datetime):
        return f'<c r="{at}" s="1"><v>{(value - dt.datetime(1899, 12, 30)) / dt.timedelta(days=1)!r}</v></c>'
    if isinstance(value, dt.date):
        return f'<c r="{at}" s="1"><v>{(value - dt.date(1899, 12, 30)).days}</v></c>'
    return f'<c r="{at}"><v>{value!r}</v></c>'


def sheet(lines, merged=()):
    """A sheet; None is an empty cell, and `merged` are ranges such as B2:B4."""
    rows = "".join(
        f'<row r="{i}">' + "".join(cell(v, f"{chr(65 + j)}{i}") for j, v in enumerate(line) if v is not None) + "</row>"
        for i, line in enumerate(lines, 1)
    )
    ranges = "".join(f'<mergeCell ref="{cells}"/>' for cells in merged)
    joined = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
    return f"<worksheet {MAIN}><sheetData>{rows}</sheetData>{joined}</worksheet>"


def write_workbook(path, *sheets, merged=(), hidden=()):
    """A workbook of sheets, each of lines of cells; `hidden` are the numbers of those that nobody sees."""
    many = range(1, len(sheets) + 1)
    states = [' state="hidden"' if i in hidden else "" for i in many]
    listed = "".join(f'<sheet name="S{i}" sheetId="{i}"{states[i - 1]} r:id="r{i}"/>' for i in many)
    links = "".join(
        f'<Relationship Id="r{i}" Type="{RELATIONS}/worksheet" Target="worksheets/s{i}.xml"/>' for i in many
    )
    links += f'<Relationship Id="s" Type="{RELATIONS}/styles" Target="styles.xml"/>'
    style = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'
    root = f'<Relationship Id="r1" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/>'
    kinds = '<Default Extension="xml" ContentType="application/xml"/>'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{kinds}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{root}</Relationships>',
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{RELATIONS}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>',
        "xl/styles.xml": f"<styleSheet {MAIN}>{style}</styleSheet>",
    } | {f"xl/worksheets/s{i}.xml": sheet(lines, merged) for i, lines in enumerate(sheets, 1)}
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)
    return path
