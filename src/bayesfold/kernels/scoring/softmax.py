"""Log-loss of logits, and the one exponent on them that makes it least."""

import cython
from cython.cimports.libc.math import exp, fabs, log

STEPS = cython.declare(cython.Py_ssize_t, 50)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def row_loss(
    logits: cython.const[cython.double][:, ::1], i: cython.Py_ssize_t, own: cython.Py_ssize_t
) -> cython.double:
    """-log softmax(logits_i)[own]."""
    c: cython.Py_ssize_t
    top: cython.double = logits[i, 0]
    sum: cython.double = 0.0
    for c in range(1, logits.shape[1]):
        top = max(top, logits[i, c])
    for c in range(logits.shape[1]):
        sum += exp(logits[i, c] - top)
    return log(sum) + top - logits[i, own]


def log_loss(
    logits: cython.const[cython.double][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
) -> cython.double:
    """sum_i v_i -log softmax(logits_i)[own_i]; no weights: every v_i is 1."""
    i: cython.Py_ssize_t
    total: cython.double = 0.0
    weighted: cython.bint = weight.shape[0] > 0
    with cython.nogil:
        for i in range(logits.shape[0]):
            total += row_loss(logits, i, own[i]) * (weight[i] if weighted else 1.0)
    return total


def log_losses(
    parts: cython.const[cython.double][:, :, ::1],
    prior: cython.const[cython.double][::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    out: cython.double[::1],
) -> None:
    """Of each part, [part, row, class], sum_i v_i -log softmax(prior + parts_i)[own_i]; no weights: every v_i is 1."""
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    top: cython.double
    sum: cython.double
    total: cython.double
    weighted: cython.bint = weight.shape[0] > 0
    with cython.nogil:
        for k in range(parts.shape[0]):
            total = 0.0
            for i in range(parts.shape[1]):
                top = prior[0] + parts[k, i, 0]
                for c in range(1, parts.shape[2]):
                    top = max(top, prior[c] + parts[k, i, c])
                sum = 0.0
                for c in range(parts.shape[2]):
                    sum += exp(prior[c] + parts[k, i, c] - top)
                sum = log(sum) + top - (prior[own[i]] + parts[k, i, own[i]])
                total += sum * weight[i] if weighted else sum
            out[k] = total


def variance_of_difference(
    new: cython.const[cython.double][:, ::1],
    old: cython.const[cython.double][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    share: cython.const[cython.double][::1],
    squares: cython.const[cython.double][::1],
    scratch: cython.double[::1],
) -> cython.double:
    """The variance of the difference between the mean losses of two sets of logits of the same rows.

    `share` is each row's share in the mean, `squares` what its squared deviation counts; `scratch` is one per row.
    """
    i: cython.Py_ssize_t
    mean: cython.double = 0.0
    total: cython.double = 0.0
    with cython.nogil:
        for i in range(new.shape[0]):
            scratch[i] = row_loss(new, i, own[i]) - row_loss(old, i, own[i])
            mean += share[i] * scratch[i]
        for i in range(new.shape[0]):
            total += squares[i] * (scratch[i] - mean) * (scratch[i] - mean)
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def derivatives(
    logits: cython.const[cython.double][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    w: cython.double,
    out: cython.double[::1],
) -> cython.void:
    """The loss under the exponent w, with 1/2 (w - 1)^2 added, and its first two derivatives."""
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    v: cython.double
    top: cython.double
    p: cython.double
    sum: cython.double
    first: cython.double
    second: cython.double
    weighted: cython.bint = weight.shape[0] > 0
    out[0] = 0.5 * (w - 1.0) * (w - 1.0)
    out[1] = w - 1.0
    out[2] = 1.0 + 1e-9
    for i in range(logits.shape[0]):
        top = logits[i, 0]
        for c in range(1, logits.shape[1]):
            top = max(top, logits[i, c])
        sum = first = second = 0.0
        for c in range(logits.shape[1]):
            v = logits[i, c] - top
            p = exp(w * v)
            sum += p
            p = p * v
            first += p
            second += p * v
        first = first / sum
        v = weight[i] if weighted else 1.0
        out[0] += v * (log(sum) - w * (logits[i, own[i]] - top))
        out[1] += v * (first - (logits[i, own[i]] - top))
        out[2] += v * max(second / sum - first * first, 0.0)


def temperature(
    logits: cython.const[cython.double][:, ::1],
    own: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.double][::1],
    scratch: cython.double[:, ::1],
) -> cython.double:
    """The exponent w >= 0 that minimises sum_i v_i -log softmax(w logits_i)[own_i] + 1/2 (w - 1)^2, by Newton's steps.

    `scratch` holds the value and derivatives here and there: [2, 3].
    """
    _step: cython.Py_ssize_t
    _half: cython.Py_ssize_t
    w: cython.double = 1.0
    nearer: cython.double
    move: cython.double
    gain: cython.double
    here: cython.double[::1] = scratch[0]
    there: cython.double[::1] = scratch[1]
    with cython.nogil:
        derivatives(logits, own, weight, w, here)
        for _step in range(STEPS):
            if w <= 0.0 and here[1] >= 0.0:
                break
            move = here[1] / here[2]
            gain = 0.0
            for _half in range(40):
                nearer = max(w - move, 0.0)
                derivatives(logits, own, weight, nearer, there)
                if there[0] <= here[0]:
                    gain = here[0] - there[0]
                    w = nearer
                    here[0] = there[0]
                    here[1] = there[1]
                    here[2] = there[2]
                    break
                move = move * 0.5
            if gain <= 1e-9 * max(1.0, fabs(here[0])):
                break
    return w
