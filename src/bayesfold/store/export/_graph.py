"""A graph of ONNX operators under construction, and the only import of onnx.

Every value is called by a name; an operator takes names and arrays, and gives the name of what it makes.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

OPSET, ML_OPSET, IR = 18, 4, 9
Value: TypeAlias = tuple[str, str, list[Any]]
"""The name, the type and the shape of an input or an output."""


def library() -> Any:
    """The package onnx."""
    try:
        import onnx
    except ImportError:
        raise ImportError("ONNX files are written by the package onnx: pip install 'bayesfold[onnx]'") from None
    return onnx


class OnnxGraph:
    """Operators in the order in which they are asked for; no name that it makes is one of the inputs'."""

    def __init__(self, inputs: Sequence[str] = (), outer: "OnnxGraph | None" = None) -> None:
        self.onnx: Any = library() if outer is None else outer.onnx
        self.constants: dict[Any, tuple[str, Any]] = {} if outer is None else outer.constants  # of the whole file
        self.made: list[int] = [0] if outer is None else outer.made
        self.prefix: str = "bf/" if outer is None else outer.prefix
        while any(name.startswith(self.prefix) for name in inputs):
            self.prefix = f"_{self.prefix}"
        self.nodes: list[Any] = []

    def inner(self) -> "OnnxGraph":
        """The body of a loop, which sees all values of this graph."""
        return OnnxGraph(outer=self)

    def fresh(self) -> str:
        """A name that is not taken."""
        self.made[0] += 1
        return f"{self.prefix}{self.made[0]}"

    def constant(self, value: Any) -> str:
        """The name of a constant array; equal ones are held once."""
        array = np.asarray(value)
        content = tuple(array.tolist()) if array.dtype == object else array.tobytes()
        return self.constants.setdefault((array.dtype.str, array.shape, content), (self.fresh(), array))[0]

    def op(self, kind: str, *inputs: Any, **attributes: Any) -> str:
        """The name of what an operator makes of names and arrays."""
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(self, kind: str, outputs: int, *inputs: Any, **attributes: Any) -> list[str]:
        """As `op`, for an operator with several results."""
        names = [x if isinstance(x, str) else self.constant(x) for x in inputs]
        results = [self.fresh() for _ in range(outputs)]
        self.nodes.append(self.onnx.helper.make_node(kind, names, results, **attributes))
        return results

    # operators that are used often

    def total(self, parts: Sequence[Any]) -> str:
        """The name of the sum of these parts."""
        added = parts[0] if isinstance(parts[0], str) else self.constant(parts[0])
        for part in parts[1:]:
            added = self.op("Add", added, part)
        return str(added)

    def where(self, condition: str, yes: Any, no: Any) -> str:
        """The name of `yes` where the condition holds, else of `no`."""
        return self.op("Where", condition, yes, no)

    def column(self, x: str) -> str:
        """[row] as [row, 1]."""
        return self.op("Unsqueeze", x, np.array([1]))

    def cast(self, x: str, kind: str) -> str:
        """x as another type: DOUBLE, INT64 or BOOL."""
        return self.op("Cast", x, to=getattr(self.onnx.TensorProto, kind))

    def clipped(self, x: str, limit: float) -> str:
        """x within +-limit."""
        return self.op("Min", self.op("Max", x, np.float64(-limit)), np.float64(limit))

    def reduced(self, kind: str, x: str, axis: int, keep: bool = True) -> str:
        """A sum, a maximum or a minimum along an axis."""
        return self.op(f"Reduce{kind}", x, np.array([axis]), keepdims=int(keep))

    def any_of(self, conditions: Sequence[str], rows: str) -> str:
        """Whether some condition holds, [row]."""
        any_holds = self.op("Expand", np.array(False), rows)
        for condition in conditions:
            any_holds = self.op("Or", any_holds, condition)
        return any_holds

    def all_of(self, conditions: Sequence[str]) -> str:
        """Whether every condition holds."""
        all_hold = conditions[0]
        for condition in conditions[1:]:
            all_hold = self.op("And", all_hold, condition)
        return all_hold

    def encoded_text(self, x: str, keys: dict[str, int], otherwise: int) -> str:
        """keys[x], or `otherwise`."""
        values = {"keys_strings": list(keys), "values_int64s": list(keys.values()), "default_int64": otherwise}
        return self.op("LabelEncoder", x, domain="ai.onnx.ml", **values)

    def encoded_number(self, x: str, keys: dict[float, int], otherwise: int) -> str:
        """keys[x], or `otherwise`."""
        if not keys:
            return self.op("Expand", np.array(otherwise), self.op("Shape", x))
        held = self.onnx.numpy_helper.from_array
        return self.op(
            "LabelEncoder",
            x,
            domain="ai.onnx.ml",
            keys_tensor=held(np.array([*keys], np.float64), "keys"),
            values_tensor=held(np.array([*keys.values()], np.int64), "values"),
            default_tensor=held(np.array([otherwise], np.int64), "default"),
        )

    # whole graphs

    def body(self, inputs: Sequence[Value], outputs: Sequence[Value]) -> Any:
        """This graph as the body of a loop."""
        return self.onnx.helper.make_graph(self.nodes, "body", self._infos(inputs), self._infos(outputs))

    def model(self, inputs: Sequence[Value], outputs: Sequence[Value]) -> bytes:
        """This graph as a file."""
        onnx = self.onnx
        held = [onnx.numpy_helper.from_array(array, name) for name, array in self.constants.values()]
        graph = onnx.helper.make_graph(self.nodes, "bayesfold", self._infos(inputs), self._infos(outputs), held)
        opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR, producer_name="bayesfold")
        onnx.checker.check_model(model)
        return bytes(model.SerializeToString())

    def _infos(self, values: Sequence[Value]) -> list[Any]:
        helper, types = self.onnx.helper, self.onnx.TensorProto
        return [helper.make_tensor_value_info(name, getattr(types, kind), shape) for name, kind, shape in values]
