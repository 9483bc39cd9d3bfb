"""Which observations contradict each other: a part of impossible evidence that is possible again without any member."""

from collections.abc import Callable, Mapping

from bayesfold.networks.inference.problem import TooLarge


def find_contradiction(possible: Callable[[Mapping[int, int]], bool], evidence: Mapping[int, int]) -> tuple[int, ...]:
    """Drop observations while the rest stays impossible: halves first, then quarters, down to single ones.

    >>> find_contradiction(lambda evidence: not {2, 7} <= set(evidence), dict.fromkeys(range(10), 0))
    (2, 7)
    """
    kept = sorted(evidence)
    size = max(len(kept) // 2, 1)
    while True:
        begin = 0
        while begin < len(kept):
            rest = kept[:begin] + kept[begin + size :]
            if is_still_impossible(possible, {v: evidence[v] for v in rest}):
                kept = rest
            else:
                begin += size
        if size == 1:
            return tuple(kept)
        size //= 2


def is_still_impossible(possible: Callable[[Mapping[int, int]], bool], evidence: Mapping[int, int]) -> bool:
    """False also where it would take too much to tell: then the observations stay."""
    try:
        return not possible(evidence)
    except TooLarge:
        return False
