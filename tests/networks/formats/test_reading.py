"""What each format may hold, and errors that say where: line, column and what was expected."""

import gzip
from itertools import pairwise

import numpy as np
import pytest

from bayesfold.networks import formats
from bayesfold.networks.declared import FormatError, FormatWarning
from bayesfold.networks.files import examples, read_network, write_network
from bayesfold.networks.learning.structure import learn_network
from bayesfold.networks.network import BayesianNetwork

A = b"variable a { type discrete [ 2 ] { x y }; }\n"

RAIN = {
    "rain": {"yes": 0.2, "no": 0.8},
    "wet": {"yes": {"a": 0.5, "b": 0.3, "c": 0.2}, "no": {"a": 0.1, "b": 0.6, "c": 0.3}},
}

WRITTEN = {
    "bif": b"""
        // rows by name, in any order, with comments, quotes, properties and a default
        network "two nodes" { property author "me; or you"; }
        variable rain { type discrete [2] { "yes", no }; property position = (1, 2); }
        variable wet { type discrete [ 3 ] { a b c }; }
        /* several
           lines */
        probability ( rain ) { table 0.2 0.8; }
        probability ( wet | rain ) { default 0.1, 0.6, 0.3; ("yes") 0.5, 0.3, 0.2; }
    """,
    "net": b"""
        net { node_size = (80 40); name = "two nodes"; }
        node rain { label = "will it; rain"; states = ("yes" "no"); position = (1 2); }
        discrete node wet { states = ("a" "b" "c"); }
        potential (rain) { data = (0.2 0.8); }  % a comment
        potential (wet | rain) { data = ((0.5 0.3 0.2)   % rain = yes
                                         (0.1 0.6 0.3)); }
    """,
    "xmlbif": b"""<?xml version="1.0" encoding="US-ASCII"?>
        <!DOCTYPE BIF [ <!ELEMENT BIF (NETWORK)*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
        <BIF VERSION="0.3"><NETWORK><NAME>two nodes</NAME>
        <VARIABLE TYPE="nature"><NAME>rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
        <VARIABLE TYPE="nature"><NAME>wet</NAME>
          <OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME><OUTCOME>c</OUTCOME></VARIABLE>
        <DEFINITION><FOR>rain</FOR><TABLE>0.2 <!-- yes --> 0.8</TABLE></DEFINITION>
        <DEFINITION><FOR>wet</FOR><GIVEN>rain</GIVEN><TABLE>0.5 0.3 0.2 0.1 0.6 0.3</TABLE></DEFINITION>
        </NETWORK></BIF>""",
    "xdsl": b"""<?xml version="1.0" encoding="ISO-8859-1"?>
        <smile version="1.0" id="two nodes" numsamples="1000"><nodes>
        <cpt id="rain"><state id="yes"/><state id="no"/><probabilities>0.2 0.8</probabilities></cpt>
        <cpt id="wet"><state id="a"/><state id="b"/><state id="c"/><parents>rain</parents>
          <probabilities>0.5 0.3 0.2 0.1 0.6 0.3</probabilities></cpt>
        </nodes><extensions><genie version="1.0"/></extensions></smile>""",
    "json": b"""{"format": "bayesfold network", "version": 1, "name": "two nodes", "variables": [
        {"name": "wet", "states": ["a", "b", "c"], "parents": ["rain"], "table": [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]},
        {"name": "rain", "states": ["yes", "no"], "parents": [], "table": [0.2, 0.8]}]}""",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_files_that_people_wrote_are_read(name):
    network = formats.find(name).read(WRITTEN[name])
    assert network.name == "two nodes"
    assert {v: network.table(v).to_dict() for v in network.nodes} == RAIN


@pytest.mark.parametrize("rows", ["(y) 0.25 0.75; default 0.5 0.5;", "default 0.5 0.5; (y) 0.25 0.75;"])
def test_a_default_of_bif_fills_the_rows_that_are_not_given_wherever_it_stands(rows):
    """A row that was given stays what it was, and each of the others is the default."""
    both = A.replace(b"variable a", b"variable b") + A + b"probability ( a ) { table 0.5 0.5; }\n"
    network = formats.find("bif").read(both + b"probability ( b | a ) { " + rows.encode() + b" }")
    assert network.table("b").to_dict() == {"x": {"x": 0.5, "y": 0.5}, "y": {"x": 0.25, "y": 0.75}}


@pytest.mark.parametrize("parents", [0, 1, 2, 3])
def test_a_default_of_bif_has_a_number_for_each_state_of_the_child_whatever_stands_above_it(parents):
    states = b"variable %s { type discrete [ %d ] { %s }; }\n"
    text = states % (b"child", 3, b"x, y, z")
    for i in range(parents):
        text += states % (b"p%d" % i, 2, b"x, y") + b"probability ( p%d ) { table 0.5 0.5; }\n" % i
    above = b" | " + b", ".join(b"p%d" % i for i in range(parents)) if parents else b""
    network = formats.find("bif").read(text + b"probability ( child%s ) { default 0.2 0.3 0.5; }" % above)
    assert network.table("child").values.reshape(-1, 3).tolist() == [[0.2, 0.3, 0.5]] * 2**parents


def test_a_row_of_bif_that_is_given_twice_has_one_meaning_or_is_refused():
    both = A.replace(b"variable a", b"variable b") + A + b"probability ( a ) { table 0.5 0.5; }\n"
    once, again, other = "(y) 0.25 0.75;", "(x) 0.5 0.5; (y) 0.25, 0.75;", "(x) 0.5 0.5; (y) 0.75, 0.25;"
    network = formats.find("bif").read(both + f"probability ( b | a ) {{ {once} {again} }}".encode())
    assert network.table("b").to_dict() == {"x": {"x": 0.5, "y": 0.5}, "y": {"x": 0.25, "y": 0.75}}
    with pytest.raises(ValueError, match="the row for y is given twice"):
        formats.find("bif").read(both + f"probability ( b | a ) {{ {once} {other} }}".encode())


@pytest.mark.parametrize(
    "rows",
    [
        "table 0.9 0.2 0.1 0.8; (x) 0.5 0.5;",
        "(x) 0.5 0.5; table 0.9 0.2 0.1 0.8;",
        "table 0.9 0.2 0.1 0.8; table 0.5 0.5 0.5 0.5;",
        "default 0.5 0.5; default 0.9 0.1;",
    ],
)
def test_a_table_of_bif_that_contradicts_itself_is_refused(rows):
    both = A.replace(b"variable a", b"variable b") + A + b"probability ( a ) { table 0.5 0.5; }\n"
    with pytest.raises(ValueError, match=r"line 4, .*keep one of them"):
        formats.find("bif").read(both + f"probability ( b | a ) {{ {rows} }}".encode())


def test_a_table_of_bif_may_repeat_itself():
    both = A.replace(b"variable a", b"variable b") + A + b"probability ( a ) { table 0.5 0.5; }\n"
    rows = b"(x) 0.9 0.1; table 0.9 0.2 0.1 0.8; (y) 0.2 0.8; default 0.5 0.5; default 0.5 0.5;"
    network = formats.find("bif").read(both + b"probability ( b | a ) { " + rows + b" }")
    assert network.tables["b"].tolist() == [[0.9, 0.1], [0.2, 0.8]]


def test_a_quotation_mark_inside_a_word_of_a_property_opens_nothing():
    """It would pass over everything up to the next one: here the rows, and the default would stand for them."""
    both = A.replace(b"variable a", b"variable b") + A + b"probability ( a ) { table 0.5 0.5; }\n"
    rows = b'property 5" wide; (x) 0.9 0.1; (y) 0.2 0.8; property 6" high; default 0.5 0.5;'
    network = formats.find("bif").read(both + b"probability ( b | a ) { " + rows + b" }")
    assert network.tables["b"].tolist() == [[0.9, 0.1], [0.2, 0.8]]


@pytest.mark.parametrize(
    "text",
    [
        b'node a { states = ("x" "y"); states = ("u" "v"); }\npotential (a) { data = (0.2 0.8); }',
        b'node a { states = ("x" "y"); }\npotential (a) { data = (0.2 0.8); data = (0.5 0.5); }',
    ],
)
def test_a_hugin_block_that_says_a_thing_twice_is_refused(text):
    with pytest.raises(ValueError, match="given twice; keep one"):
        formats.find("net").read(text)


def test_commas_may_stand_between_the_states_of_a_hugin_node():
    network = formats.find("net").read(b'node a { states = ("x", "y"); }\npotential (a) { data = (0.2, 0.8); }')
    assert network.table("a").to_dict() == {"x": 0.2, "y": 0.8}


def test_of_a_dynamic_network_the_first_slice_is_read_with_a_note():
    node = b'<cpt id="a" dynamic="plate"><state id="x"/><state id="y"/><probabilities>0.2 0.8</probabilities></cpt>'
    slices = b'<dynamic numslices="3"><cpt id="a" order="1"><probabilities>1 0 0 1</probabilities></cpt></dynamic>'
    text = b'<smile id="s"><nodes>' + node + b"</nodes>\n" + slices + b"</smile>"
    with pytest.warns(FormatWarning, match=r"weather.xdsl, line 2: this is a dynamic network; only .* first slice"):
        network = formats.find("xdsl").read(text, "weather.xdsl")
    assert network.nodes == ("a",)


def test_half_of_a_character_is_neither_read_nor_written(tmp_path):
    half = b'{"format": "bayesfold network", "version": 1, "name": "", "variables": [{"name": "\\ud800", "states": '
    with pytest.raises(ValueError, match=r"\\ud800 is half of a character and no text"):
        formats.find("json").read(half + b'["x"], "parents": [], "table": [1.0]}]}')
    network = BayesianNetwork.from_edges([], ["a"], {"a": {"x\ud800": 0.5, "y": 0.5}})
    for name in ("bif", "net", "json"):
        with pytest.raises(ValueError, match="half of a character stands in a name"):
            write_network(network, tmp_path / f"n.{name}")
    assert not list(tmp_path.iterdir())


def test_comments_may_begin_directly_behind_a_word_and_stand_among_numbers():
    """As in aGrUM's diabetes, link, mildew, munin1, pigs and water."""
    text = b"""network x//by a program; of somebody
        { property source http://a.b/c//d; property "5 wide; or so"; property half" of it; }
        variable a// 2 values { or so
        { type discrete[2] {yes//the first
          no/* the second */}; }//end
        variable b { type discrete[2] { on off }; }
        probability ( a ) { table 0.25, //yes; of course
            0.75//no
            /* all; */ ; }
        probability ( b | a ) { (yes) 0.5 0.5;//even
          (no)//odd
          0.125 0.875; }"""
    network = formats.find("bif").read(text)
    assert network.name == "x"
    assert network.axes == {"a": ("yes", "no"), "b": ("on", "off")}
    assert network.tables["a"].tolist() == [0.25, 0.75]
    assert network.tables["b"].tolist() == [[0.5, 0.5], [0.125, 0.875]]
    net = formats.find("net").read(b"node a%x\n{ states = (x%y\n y); } potential (a%)\n) { data = (0.5%,\n, 0.5); }")
    assert net.tables["a"].tolist() == [0.5, 0.5]
    uai = formats.find("uai").read(b"BAYES# a\n1 2 1 1 0#b\n2#c\n0.25, 0.75#d")
    assert uai.tables["x0"].tolist() == [0.25, 0.75]


def test_javabayes_writes_parents_without_a_bar():
    head = b'variable "f out" { type discrete[2] { "true" "false" }; }' + A
    network = formats.find("bif").read(
        head + b'probability ( "a" "f out" ) { table 0.6 0.05 0.4 0.95; } probability ("f out") { table 0.15 0.85; }'
    )
    assert network.parents("a") == ("f out",)
    assert network.tables["a"].tolist() == [[0.6, 0.4], [0.05, 0.95]]


HUGIN = b"node a { states = (x y); }\nnode b { states = (x y z); }\npotential (a) { data = (0.5 0.5); }\n"


def test_hugin_tables_are_divided_by_their_sums_with_a_note():
    with pytest.warns(FormatWarning, match=r"^line 4: P\(b \| a=x\) sums to 10, not to 1; rows were divided") as said:
        network = formats.find("net").read(HUGIN + b"potential (b | a) { data = ((2 3 5) (1, 1, 2)); }")
    assert network.tables["b"].tolist() == [[0.2, 0.3, 0.5], [0.25, 0.25, 0.5]]
    assert len(said) == 1


def test_a_hugin_potential_without_data_has_equal_rows():
    with pytest.warns(FormatWarning, match="line 4: the potential of 'b' has no data; such tables are taken"):
        network = formats.find("net").read(HUGIN + b"potential (b | a) { }")
    assert network.tables["b"] == pytest.approx(np.full((2, 3), 1 / 3))


def test_a_hugin_table_with_its_model_has_data_and_without_data_is_refused():
    model = b'model_nodes = (a); model_data = ("Distribution (1, 2, 1)"); samples_per_interval = (5);'
    network = formats.find("net").read(HUGIN + b"potential (b | a) {" + model + b"data = (1 0 0 0 0 1); }")
    assert network.tables["b"].tolist() == [[1, 0, 0], [0, 0, 1]]
    with pytest.raises(FormatError, match="given by a model is not read") as error:
        formats.find("net").read(HUGIN + b"potential (b | a)\n{" + model + b"}")
    assert error.value.line == 5


def test_a_hugin_class_is_its_nodes():
    network = formats.find("net").read(
        b'class rain_model { inputs = (); outputs = (a b); node_size = (10 20); label = "a; b";\n'
        + HUGIN + b"potential (b | a) { data = (1 0 0 0 0 1); } }"
    )  # fmt: skip
    assert network.name == "rain_model"
    assert network.nodes == ("a", "b")
    with pytest.raises(FormatError, match="an instance is not read") as error:
        formats.find("net").read(b"class c {\n instance i : other (x) { }\n}")
    assert error.value.line == 2
    with pytest.raises(FormatError, match="several classes"):
        formats.find("net").read(b"class c {" + HUGIN + b"potential (b) { data = (1 0 0); } }\nclass d { }")


ZEROS = {
    "bif": A
    + A.replace(b" a ", b" c ")
    + b"probability (c | a) { (x) .5 .5; (y) 0 0; } probability (a) { table 1 0; }",
    "net": b"node a { states = (x y); } node c { states = (x y); } potential (a) { data = (1 0); }\n\n"
    b"potential (c | a) { data = (.5 .5 0 0); }",
    "xmlbif": b"<BIF><NETWORK><VARIABLE><NAME>a</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>"
    b"<VARIABLE><NAME>c</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>"
    b"<DEFINITION><FOR>a</FOR><TABLE>1 0</TABLE></DEFINITION>\n\n"
    b"<DEFINITION><FOR>c</FOR><GIVEN>a</GIVEN><TABLE>.5, .5, 0, 0</TABLE></DEFINITION></NETWORK></BIF>",
}


@pytest.mark.parametrize("name", ZEROS)
def test_a_row_of_zeros_is_for_parents_that_never_meet(name, tmp_path):
    path = tmp_path / f"pedigree.{name}"
    path.write_bytes(ZEROS[name])
    says = rf"^pedigree.{name}, line 3: P\(c \| a=y\) sums to 0, not to 1; these parents are taken to be impossible"
    with pytest.warns(FormatWarning, match=says):
        network = read_network(path)
    assert network.tables["c"].tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_many_notes_of_a_kind_are_one_warning():
    rows = "".join(f"potential (v{i}) {{ data = (2 3); }}\n" for i in range(30))
    nodes = "".join(f"node v{i} {{ states = (x y); }}\n" for i in range(30))
    with pytest.warns(FormatWarning, match=r"^line 31: P\(v0\) .* \(and so on, 29 times more\)$") as said:
        formats.find("net").read((nodes + rows).encode())
    assert len(said) == 1


@pytest.mark.parametrize("name", ["xmlbif", "xdsl"])
def test_blanks_may_stand_before_the_xml_declaration_and_places_stay_right(name):
    network = formats.find(name).read(b" \n\t\n" + WRITTEN[name])
    assert {v: network.table(v).to_dict() for v in network.nodes} == RAIN
    with pytest.raises(FormatError) as error:
        formats.find("xmlbif").read(b"\n  <bayes/>")
    assert (error.value.line, error.value.column) == (2, 3)
    with pytest.raises(FormatError) as error:
        formats.find("xmlbif").read(b"\n  <BIF>\n</BAF>")
    assert error.value.line == 3


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "rain.bif"
    write_network(read_network("sprinkler"), path)
    before = path.read_bytes()

    def broken(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="full"):
        write_network(read_network("smoking"), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_bif_table_lists_the_child_outermost_and_uai_has_numbers_for_names():
    head = A + A.replace(b" a ", b" c ") + b"probability (a) { table .3 .7; }"
    network = formats.find("bif").read(head + b"probability (c | a) { table 0.6 0.05 0.4 0.95; }")
    assert network.tables["c"].tolist() == [[0.6, 0.4], [0.05, 0.95]]
    uai = formats.find("uai").read(b"BAYES 2  2 3  2  1 0  2 0 1 # a comment\n 2 0.2 0.8\n 6 0.5 0.3 0.2 0.1 0.6 0.3")
    assert uai.tables["x1"].tolist() == [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]
    assert uai.states("x1") == ("0", "1", "2")


def test_the_last_parent_of_an_xdsl_table_changes_fastest_and_deterministic_nodes_are_tables_of_ones():
    network = formats.find("xdsl").read(
        b"""<smile id="x"><nodes>
        <cpt id="p"><state id="0"/><state id="1"/><probabilities>0.5 0.5</probabilities></cpt>
        <cpt id="q"><state id="0"/><state id="1"/><state id="2"/><probabilities>0.2 0.3 0.5</probabilities></cpt>
        <deterministic id="r"><state id="no"/><state id="yes"/><parents>p q</parents>
          <resultingstates>no no yes no yes yes</resultingstates></deterministic></nodes></smile>"""
    )
    assert network.tables["r"][..., 1].tolist() == [[0, 0, 1], [0, 1, 1]]


XDSL_ROW = b'<cpt id="a"><state id="x"/><state id="y"/><probabilities>0.5 0.4</probabilities></cpt>'
XMLBIF_ROW = b"""<VARIABLE><NAME>a</NAME><OUTCOME>x</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>
<DEFINITION><FOR>a</FOR><TABLE>0.5 0.4</TABLE></DEFINITION>"""

BROKEN = [
    ("bif", b"variable a { type discrete [ 2 ] { x, y }; ", 1, 44, "expected '}', found the end of the file"),
    ("bif", b"network x { }\nvariable a {\n  type discreet [ 2 ] { x };\n}", 3, 8, "expected 'discrete', found"),
    ("bif", b"variable a { type discrete [ 3 ] { x, y }; }", 1, 9, "said to have 3 states, but 2 are listed"),
    ("bif", b"variable a { type discrete [ 2 ] { x, x }; }", 1, 9, "'a' needs at least one state"),
    ("bif", b"variable a { type discrete [ 1 ] { x }; }\nprobability ( b ) { table 1; }", 2, 12, "no variable 'b'"),
    ("bif", A + b"probability (a) {\n table 0.5, half;}", 3, 13, "expected a number, found 'half'"),
    ("bif", A + b"probability (a) { table 0.5 0.4; }", 2, 12, r"P\(a\) sums to 0.9, not to 1"),
    ("bif", A + b"probability (a) { table 1.5 -0.5; }", 2, 12, r"P\(a\) has the probability -0.5 below 0"),
    ("bif", A + b"probability (a) { table nan 0.5; }", 2, 12, r"P\(a\) is not given for a=x"),
    ("bif", b"variable a { type discrete [ 1 ] { x }; }", 1, 42, "the variable 'a' has no table"),
    ("bif", b"variable a { type discrete [ 1 ] { x }; } /* open", 1, 43, "a comment is never closed"),
    ("bif", b'variable "a', 1, 10, "a quotation mark is never closed"),
    ("bif", b"network \xff", 1, 9, "byte 0xff is not UTF-8"),
    ("net", b"node a { states = (x y); }\npotential (a) { data = (0.5 0.5)", 2, 33, "expected a number, found the end"),
    ("net", b"decision d { }", 1, 1, "a decision is not read"),
    ("net", b"node a { states = (x y); }\npotential (a) { model_nodes = (); }", 2, 30, "given by a model is not read"),
    ("uai", b"MARKOV 1 2", 1, 1, "a Markov network has no parents; expected BAYES"),
    ("uai", b"BAYES\n1\n2\n1\n1 0\n2 0.5", 6, 6, "expected a number, found the end of the file"),
    ("uai", b"BAYES\n999999999999", 2, 1, "expected variables"),
    ("xmlbif", b"<BIF><NETWORK></BIF>", 1, 17, "mismatched tag"),
    ("xmlbif", b"<bayes/>", 1, 1, "begins with <BIF>, not <bayes>"),
    ("xmlbif", b'<BIF><NETWORK>\n <VARIABLE TYPE="utility"/></NETWORK></BIF>', 2, 2, "a utility node is no"),
    ("xdsl", b'<smile><nodes>\n<cpt><state id="x"/></cpt></nodes></smile>', 2, 1, "<cpt> has no id="),
    ("xdsl", b'<smile><nodes>\n<noisymax id="a"/></nodes></smile>', 2, 1, "<noisymax> is not read"),
    ("xdsl", b"<smile><nodes>\n" + XDSL_ROW + b"</nodes></smile>", 2, 1, r"P\(a\) sums to 0.9, not to 1"),
    ("xmlbif", b"<BIF><NETWORK>" + XMLBIF_ROW + b"</NETWORK></BIF>", 2, 1, r"P\(a\) sums to 0.9, not to 1"),
    ("json", b'{"format": "bayesfold network",\n "version": 1, }', 2, 16, "property name|double quotes"),
    ("json", b'{"format": "x"}', 1, 1, "expected .*bayesfold network"),
    ("json", b'{"format": "bayesfold network", "version": 1, "name": "", "variables": [3]}', 1, 1, r"variables\[0\]: "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "line", "column", "message"), BROKEN)
def test_an_error_says_where(name, data, line, column, message):
    with pytest.raises(FormatError, match=message) as raised:
        formats.find(name).read(data)
    assert (raised.value.line, raised.value.column) == (line, column)


def test_the_message_begins_with_the_file(tmp_path):
    (tmp_path / "broken.bif").write_text("what")
    with pytest.raises(FormatError, match=r"^broken.bif, line 1, column 1: expected 'network' or"):
        read_network(tmp_path / "broken.bif")


def test_a_circle_and_a_bad_row_are_named_with_states():
    head = "".join(f"variable {v} {{ type discrete [2] {{y, n}}; }}" for v in "ab")
    circle = "probability (a | b) { (y) 0.5 0.5; (n) 0.5 0.5; } probability (b | a) { default 0.5 0.5; }"
    with pytest.raises(FormatError, match=r"form a cycle: (a -> b -> a|b -> a -> b)"):
        formats.find("bif").read((head + circle).encode())
    row = "probability (a) { table 1 0; } probability (b | a) { (y) 0.5 0.5; (n) 0.5 0.6; }"
    with pytest.raises(FormatError, match=r"P\(b \| a=n\) sums to 1.1, not to 1: 0.5, 0.6"):
        formats.find("bif").read((head + row).encode())
    gap = "probability (a) { table 1 0; } probability (b | a) { (y) 0.5 0.5; }"
    with pytest.raises(FormatError, match=r"P\(b \| a=n\) is not given for b=y"):
        formats.find("bif").read((head + gap).encode())


def test_what_is_declared_is_weighed_before_it_is_made():
    many = "".join(f"variable v{i} {{ type discrete [2] {{y, n}}; }}" for i in range(31))
    giant = f"probability (v0 | {', '.join(f'v{i}' for i in range(1, 31))}) {{ default 0.5 0.5; }}"
    with pytest.raises(FormatError, match="2147483648 cells over 31 variables"):
        formats.find("bif").read((many + giant).encode())
    with pytest.raises(FormatError, match="expected states"):
        formats.find("uai").read(b"BAYES 2 1000000 1000000")
    deep = b'{"a":' * 100_000
    with pytest.raises(FormatError):
        formats.find("json").read(deep)
    with pytest.raises(FormatError, match="more than 64 deep"):
        formats.find("xmlbif").read(b"<a>" * 1000)
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><BIF>&b;</BIF>'
    with pytest.raises(FormatError, match="declares the entity 'a'; entities are refused"):
        formats.find("xmlbif").read(laughs)
    with pytest.raises(FormatError):
        formats.find("xdsl").read(b'<!DOCTYPE smile SYSTEM "file:///etc/hostname"><smile>&x;</smile>')


def test_a_bomb_in_gzip_and_half_a_gzip_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesfold.networks.files.MOST_BYTES", 1000)
    (tmp_path / "bomb.bif.gz").write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(FormatError, match="the file is longer than"):
        read_network(tmp_path / "bomb.bif.gz")
    (tmp_path / "half.bif.gz").write_bytes(gzip.compress(b"network")[:-4])
    with pytest.raises(FormatError, match="not a complete gzip file"):
        read_network(tmp_path / "half.bif.gz")
    (tmp_path / "none.bif.gz").write_bytes(b"network")
    with pytest.raises(FormatError, match="not a complete gzip file"):
        read_network(tmp_path / "none.bif.gz")


def test_names_that_a_format_cannot_hold_are_refused_and_nothing_is_written(tmp_path):
    network = BayesianNetwork.from_edges([], ["two words"], {"two words": {"a": 1.0}})
    with pytest.raises(ValueError, match="'two words' cannot be written to XDSL"):
        write_network(network, tmp_path / "x.xdsl")
    odd = BayesianNetwork.from_edges([], ["a\nb"], {"a\nb": {"a": 1.0}})
    with pytest.raises(ValueError, match="cannot be written to XML"):
        write_network(odd, tmp_path / "x.xml")
    with pytest.raises(ValueError, match=r"the endings are .bif, .json, .net, .hugin, .uai, .xdsl, .xmlbif"):
        write_network(network, tmp_path / "x.txt")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="needs every table"):
        write_network(BayesianNetwork.from_edges([("a", "b")]), tmp_path / "x.bif")


def test_examples_are_read_by_name():
    assert examples() == ["alarm-bell", "seven-nodes", "smoking", "sprinkler"]
    for name in examples():
        network = read_network(name)
        assert network.name == name
        assert np.isclose(network.joint().total, 1.0)
    with pytest.raises(ValueError, match="no network 'smokin'; did you mean 'smoking'"):
        read_network("smokin")
    with pytest.raises(ValueError, match="there is no network format 'bfi'"):
        formats.find("bfi")


@pytest.mark.parametrize("name", ["bif", "net", "json", "xmlbif"])
def test_names_may_look_like_comments_marks_and_keywords(name):
    names = [
        "a/*b",
        "a//b",
        "//",
        "/",
        "%x",
        "table",
        "a|b",
        'say "hi"',
        "back\\slash",
        "x;y",
        "(z)",
        "1e5",
        "=",
        "a=b",
        "variable",
    ]
    axes = dict.fromkeys(names, ("p/*q", "//r"))
    tables = {v: [[0.25, 0.75], [0.5, 0.5]] for v in names[1:]}
    network = BayesianNetwork.from_edges(pairwise(names), names, {names[0]: [0.5, 0.5], **tables}, axes)
    again = formats.find(name).read(formats.find(name).write(network).encode())
    assert again.edges == network.edges
    assert again.axes == network.axes


def test_states_keep_their_kind_in_json():
    network = BayesianNetwork.from_edges([], ["a"], {"a": [0.25, 0.75]}, {"a": (True, 3)})
    again = formats.find("json").read(formats.find("json").write(network).encode())
    assert again.states("a") == (True, 3)


@pytest.mark.parametrize("ending", ["bif", "net", "uai", "xmlbif", "xdsl", "json"])
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_no_network(tmp_path, ending, text):
    (tmp_path / f"n.{ending}").write_text(text)
    with pytest.raises(ValueError, match=rf"n\.{ending}.*the file is empty"):
        read_network(tmp_path / f"n.{ending}")


def test_only_a_network_is_written(tmp_path):
    found = learn_network({"a": list("xyxy"), "b": list("uvvu")})
    with pytest.raises(TypeError, match="not a LearnedNetwork"):
        write_network(found, tmp_path / "net.bif")
    write_network(found.network, tmp_path / "net.bif")
    assert read_network(tmp_path / "net.bif").nodes == ("a", "b")


def test_a_file_without_names_tells_who_writes_and_who_reads_it(tmp_path):
    path = tmp_path / "net.uai"
    with pytest.warns(
        FormatWarning, match=r"the names of 'smoking', 'cancer', 'bronchitis' and 2 more are lost: "
    ) as said:
        write_network(read_network("smoking"), path)
    assert said[0].filename == __file__
    with pytest.warns(
        FormatWarning, match=r"^net.uai: names stand in comments \('smoking', .*; variables are read as x0"
    ):
        again = read_network(path)
    write_network(again, tmp_path / "again.uai")  # nothing is lost any more, so that nothing is said
    assert read_network(tmp_path / "again.uai").nodes == again.nodes
    named = BayesianNetwork.from_edges([], ["x0"], {"x0": [0.25, 0.75]}, {"x0": ("no", "yes")})
    with pytest.warns(FormatWarning, match="the states of 'x0' are lost"):
        write_network(named, path)
