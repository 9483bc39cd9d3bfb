"""XML with places: what stands where, how deep, and what is refused."""

import pytest

from bayesfold.networks.declared import FormatError
from bayesfold.networks.markup import DEEPEST, parse, write_attribute, write_text


def test_elements_know_their_place_their_text_and_their_children():
    root = parse(b"\n\n  <a>\n <b x='1'> one <i>skip</i> two </b><C>3, 4 5e-1</C>\n<b/></a>")
    assert (root.tag, root.line, root.column) == ("a", 3, 3)
    first, second = root.all("B")
    assert (first.line, first.column, second.line, second.column) == (4, 2, 5, 1)
    assert first.text == "one  two"
    assert first.attribute("x") == "1"
    assert [child.tag for child in root.children] == ["b", "C", "b"]
    assert root.child("c").numbers() == [3.0, 4.0, 0.5]
    assert first.child("i").children == []


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda root: root.child("b"), r"line 1, column 1: <a> must hold one <b>, and holds 2"),
        (lambda root: root.child("z"), r"<a> must hold one <z>, and holds 0"),
        (lambda root: root.children[0].attribute("y"), r"line 1, column 4: <b> has no y="),
        (lambda root: root.children[1].numbers(), r"line 1, column 15: expected numbers in <b>, found 'two'"),
    ],
)
def test_what_lacks_is_said_with_its_place(act, said):
    with pytest.raises(FormatError, match=said):
        act(parse(b"<a><b x='1'/> <b>1 two</b></a>"))


def test_errors_of_meaning_get_the_place_of_the_element_and_others_keep_theirs():
    element = parse(b"<a>\n  <b/></a>").children[0]
    with pytest.raises(FormatError, match=r"line 2, column 3: odd"), element.standing():
        raise ValueError("odd")
    with pytest.raises(FormatError, match=r"line 7, column 8: odd"), element.standing():
        raise FormatError("odd", 7, 8)


@pytest.mark.parametrize("deep", [DEEPEST, DEEPEST + 1])
def test_elements_stand_in_each_other_up_to_a_depth(deep):
    data = b"<a>" * deep + b"</a>" * deep
    if deep == DEEPEST:
        root, found = parse(data), 1
        while root.children:
            root, found = root.children[0], found + 1
        assert found == deep
    else:
        with pytest.raises(FormatError, match=rf"column {3 * DEEPEST + 1}: elements stand more than {DEEPEST} deep"):
            parse(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<a>\n<b></a>", r"line 2, column \d+: mismatched tag"),
        (b" <a", r"line 1, column 2: unclosed token"),
        (b"\n <a>&lt;&nope;</a>", r"line 2, column \d+: undefined entity"),
        (b"<?xml version='1.0' encoding='no-such'?><a/>", "line 1"),
        (b'<!DOCTYPE a SYSTEM "other.dtd"><a/>', ""),
    ],
)
def test_what_is_no_xml_is_refused_with_its_place(data, said):
    if not said:
        assert parse(data).tag == "a", "another file is named and not read"
        return
    with pytest.raises(FormatError, match=said):
        parse(data)


def test_what_is_written_is_read_again_and_what_cannot_be_is_refused():
    text = "a < b & \"c\" 'd' é"
    root = parse(f"<a x={write_attribute(text)}>{write_text(text)}</a>".encode())
    assert (root.text, root.attribute("x")) == (text, text)
    for bad in ("a\nb", " a", "a ", "\x00"):
        with pytest.raises(ValueError, match="cannot be written to XML"):
            write_text(bad)
