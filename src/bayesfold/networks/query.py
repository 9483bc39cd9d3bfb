"""Questions as people write them: "lung | smoke=yes, xray=no", "P(a, b | c=1)", "P(y=1 | do(x=1), z=0)".

>>> axes = {"lung": ("yes", "no"), "smoke": ("yes", "no"), "dose": (1, 2)}
>>> read_query("P(lung | smoke=yes, dose=2)", axes)
Query(targets=('lung',), events={}, evidence={'smoke': 'yes', 'dose': 2}, do={}, likelihood={})
>>> read_query("lung | smok=yes", axes)
Traceback (most recent call last):
ValueError: in 'lung | smok=yes': there is no variable 'smok'; did you mean 'smoke'?
"""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, NamedTuple

from bayesfold.data.frame import Level
from bayesfold.networks.factor_states import States, check_name, find_state, name_of, write_pairs

QUOTED = r'"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\''
"""Text in quotation marks; a mark inside is written twice."""
QUOTED_NAME = re.compile(rf"({QUOTED})\s*(?:(=)(.*))?", re.DOTALL)
SPECIAL = re.compile(r"[\"'()]")
WHOLE = re.compile(r"^\s*P\s*\((.*)\)\s*$", re.DOTALL)
DO = re.compile(r"^do\s*\((.*)\)$", re.DOTALL)


class Query(NamedTuple):
    """P(targets, events | evidence, do): events are targets asked about in one state.

    likelihood: soft evidence, P(what was seen | state) by variable and state, which is given beside a question's text.
    """

    targets: tuple[str, ...]
    events: dict[str, Level]
    evidence: dict[str, Level]
    do: dict[str, Level]
    likelihood: Mapping[str, Mapping[Level, float]] = {}

    @property
    def given(self) -> dict[str, Any]:
        """What stands behind the bar: a variable that is set is called do(variable), soft evidence likelihood of it."""
        if not self.do and not self.likelihood:
            return self.evidence
        set_to = {f"do({v})": state for v, state in self.do.items()}
        return {**self.evidence, **set_to, **{f"likelihood of {v}": by for v, by in self.likelihood.items()}}

    @property
    def label(self) -> str:
        """How a question about states is written, whose answer is over no or few of its variables.

        >>> Query(("xray",), {"lung": "yes"}, {"smoke": "no"}, {"dose": 2}).label
        'P(xray, lung=yes | smoke=no, do(dose=2))'
        """
        given = write_pairs(self.given)
        asked = [*self.targets, *(f"{v}={state}" for v, state in self.events.items())]
        return f"P({', '.join(asked)}{' | ' if given else ''}{given})"


def read_query(text: str, axes: Mapping[str, States], more: Mapping[str, Any] | None = None) -> Query:
    """A question with its names and states found in `axes`; `more` is evidence given beside the text."""
    try:
        if not isinstance(text, str):
            text = name_of(text)
        ask = Query((text,), {}, {}, {}) if text in axes else read_text(text, axes)  # most questions are a name
        evidence = ask.evidence
        for name, state in more.items() if more else ():
            if name not in axes:
                name = check_name("variable", name, axes)
            if name in ask.targets or name in evidence or name in ask.events or name in ask.do:
                raise ValueError(f"{name!r} is named twice; name each variable once")
            states = axes[name]
            evidence[name] = state if type(state) is str and state in states else read_state(name, states, state)
    except ValueError as error:
        raise ValueError(f"in {text!r}: {error}") from None
    return ask


def read_text(text: str, axes: Mapping[str, States]) -> Query:
    """The question as it is written."""
    inner = WHOLE.match(text)
    parts = list(split_outside(inner.group(1) if inner else text, "|"))
    if len(parts) > 2:
        raise ValueError("there is more than one '|'; write P(targets | evidence)")
    targets: list[str] = []
    ask = Query((), {}, {}, {})
    named: set[str] = set()
    for item in split_items(parts[0]):
        name, state = read_pair(item, axes, named)
        if state is None:
            targets.append(name)
        else:
            ask.events[name] = state
    for item in split_items(parts[1]) if len(parts) == 2 else ():
        set_to = DO.match(item)
        for inside in split_items(set_to.group(1)) if set_to else (item,):
            name, state = read_pair(inside, axes, named)
            if state is None:
                raise ValueError(f"{name!r} stands behind '|' without a state: write {name}={(*axes[name], 1.5)[0]}")
            (ask.do if set_to else ask.evidence)[name] = state
    return ask._replace(targets=tuple(targets))


def split_items(text: str) -> list[str]:
    """What stands between commas, commas in brackets aside."""
    return [part for part in map(str.strip, split_outside(text, ",")) if part]


def split_outside(text: str, mark: str) -> Iterator[str]:
    """Pieces between marks that are neither quoted nor in brackets."""
    if not SPECIAL.search(text):
        yield from text.split(mark)
        return
    depth, start = 0, 0
    for token in re.finditer(rf"{QUOTED}|.", text, re.DOTALL):
        depth += (token.group() == "(") - (token.group() == ")")
        if token.group() == mark and depth <= 0:
            yield text[start : token.start()]
            start = token.end()
    yield text[start:]


def read_pair(item: str, axes: Mapping[str, States], named: set[str]) -> tuple[str, Level | None]:
    """'name' or 'name=state', in names and states that there are; each name once."""
    left, equals, right = item.partition("=")
    name = unquote(left)
    if item in axes:
        name, equals = item, ""
    elif quoted := QUOTED_NAME.fullmatch(item):  # signs inside the marks are the name's own
        name, equals, right = unquote(quoted[1]), quoted[2] or "", quoted[3] or ""
    elif name not in axes:
        for sign in re.finditer("=", item):  # a name may itself hold a sign
            if (longer := unquote(item[: sign.start()])) in axes:
                name, right = longer, item[sign.end() :]
                break
    refuse_repeated(check_name("variable", name, axes), named)
    return name, read_state(name, axes[name], unquote(right)) if equals else None


def read_state(name: str, states: States, given: Any) -> Level:
    """The state that was meant; of a node without states, which is a number, the number.

    >>> read_state("dose", (1, 2), "2"), read_state("height", (), "180"), read_state("height", (), "1.8e2")
    (2, 180, 180.0)
    """
    if states:
        return states[find_state(name, states, given)]
    try:
        value = float(given)
        if not isfinite(value):
            raise ValueError
    except (TypeError, ValueError):
        raise ValueError(f"{name!r} is a number, not {given!r}") from None
    return int(value) if value.is_integer() and "." not in str(given) else value


def unquote(text: str) -> str:
    """Without the spaces and the quotation marks around it; a mark that is written twice inside stands for one.

    >>> unquote("'it''s'"), unquote('"6"" nails"'), unquote("it's")
    ("it's", '6" nails', "it's")
    """
    bare, mark = text.strip(), text.strip()[:1]
    return bare[1:-1].replace(2 * mark, mark) if mark in {'"', "'"} and re.fullmatch(QUOTED, bare) else bare


def quote(text: str) -> str:
    """A name or a state so that a question reads it as it is, whatever is in it.

    >>> quote('6" nails, it is')
    '"6"" nails, it is"'
    """
    return '"' + text.replace('"', '""') + '"'


def refuse_repeated(name: str, named: set[str]) -> None:
    """Refuse a variable that the question has named before."""
    if name in named:
        raise ValueError(f"{name!r} is named twice; name each variable once")
    named.add(name)
