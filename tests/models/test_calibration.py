"""An exponent and a bias by class: of a class that was not there when they were found, the bias is none."""

import numpy as np

from bayesfold.models.calibration import NONE, Calibration


def test_a_class_without_a_bias_has_none() -> None:
    joint = np.log([[0.2, 0.3, 0.5]])
    found = Calibration(2.0, (("q", 0.75),)).of(joint, ("p", "q", "r"))
    np.testing.assert_allclose(found, 2.0 * joint + [0.0, 0.75, 0.0], rtol=1e-15)
    np.testing.assert_array_equal(NONE.of(joint, ("p", "q", "r")), joint)


def test_a_bias_goes_with_its_class() -> None:
    found = Calibration(0.5, (("p", 1.0), ("q", 2.0))).among(("q", "r"))
    assert found == Calibration(0.5, (("q", 2.0),))
    assert found.bias_of(("r", "q")).tolist() == [0.0, 2.0]
