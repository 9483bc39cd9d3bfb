"""Words, marks, numbers and comments, each with its place."""

import pytest

from bayesfold.networks.declared import FormatError
from bayesfold.networks.scanner import Scanner, decode_text, quote, show_token


def tokens(text, **how):
    scan, found = Scanner(text, **how), []
    while token := scan.next():
        found.append(token)
    return found


def test_words_marks_quotes_and_comments():
    assert tokens('a{b "c d" /* e */ f//g\n h/i}') == ["a", "{", "b", '"c d"', "f", "h/i", "}"]
    assert tokens("a % b\nc//d", comment="%") == ["a", "c//d"]
    assert tokens("a /* b */ /* c\n */ d") == ["a", "d"]
    assert tokens(r'"a\"b" c') == [r'"a\"b"', "c"]
    assert tokens("") == tokens("  // only this") == []


def test_names_are_words_or_quoted_text_without_marks():
    scan = Scanner(r'one "t\"w\\o" {')
    assert (scan.name(), scan.name()) == ("one", 't"w\\o')
    with pytest.raises(FormatError, match=r"line 1, column 15: expected a name, found '\{'"):
        scan.name()
    with pytest.raises(FormatError, match="expected a name, found the end of the file"):
        Scanner("").name()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1 2,3 ;x", [1, 2, 3]),
        ("1 /* 2 */ , 3 // 4\n 5 ;x", [1, 3, 5]),
        (";x", []),
        ("-1e-3;x", [-0.001]),
    ],
)
def test_numbers_up_to_a_mark(text, numbers):
    scan = Scanner(text)
    assert scan.numbers(";") == numbers
    assert scan.next() == "x"


@pytest.mark.parametrize(
    ("text", "act", "said"),
    [
        ("1\n 2 x;", lambda s: s.numbers(";"), r"line 2, column 4: expected a number, found 'x'"),
        ("1 2", lambda s: s.numbers(";"), r"expected a number, found the end of the file"),
        ("a\nb", lambda s: (s.next(), s.take("c", "d")), r"line 2, column 1: expected 'c' or 'd', found 'b'"),
        ("a /* b", lambda s: (s.next(), s.next()), r"line 1, column 3: a comment is never closed"),
        ('a "b', lambda s: (s.next(), s.next()), r"line 1, column 3: a quotation mark is never closed"),
        ("a b", lambda s: s.skip_text(), "expected ';' before the end of the file"),
        ("a (b;", lambda s: s.skip_value(), "expected ';' before the end of the file"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(text, act, said):
    with pytest.raises(FormatError, match=said):
        act(Scanner(text))


def test_text_and_values_are_passed_over():
    scan = Scanner('a "b;c" d; e')
    scan.skip_text()
    assert scan.next() == "e"
    scan = Scanner('a "b; c; d')
    scan.skip_text()
    assert scan.next() == "c", "a quote that is never closed is a letter"
    scan = Scanner('(a; [b;] {c}) "d;" e; f')
    scan.skip_value()
    assert scan.next() == "f"
    scan = Scanner("a); b")
    scan.skip_value()
    assert scan.next() == "b"


def test_errors_of_meaning_get_the_place_where_they_began():
    scan = Scanner("a\n b c")
    scan.next()
    scan.peek()
    with pytest.raises(FormatError, match=r"line 2, column 2: odd"), scan.standing():
        raise ValueError(f"odd{scan.next()[:0]}")
    with pytest.raises(FormatError, match=r"line 9, column 8: odd"), scan.standing():
        raise FormatError("odd", 9, 8)
    assert scan.line() == 2
    assert scan.line(0) == 1


def test_names_are_quoted_where_they_are_not_plain_and_long_words_are_cut():
    assert quote("ab", str.isalpha) == "ab"
    assert quote(r'a "b" \c', str.isalpha) == r'"a \"b\" \\c"'
    assert Scanner(quote(r'a "b" \c', str.isalpha)).name() == r'a "b" \c'
    assert show_token("x" * 40) == repr("x" * 40)
    assert show_token("x" * 41) == repr("x" * 40 + "...")


def test_text_that_is_not_utf8_is_refused_with_its_place():
    assert decode_text(b"\xef\xbb\xbfa") == "a"
    with pytest.raises(FormatError, match=r"line 2, column 3: byte 0xff is not UTF-8"):
        decode_text(b"a\nbc\xff")
