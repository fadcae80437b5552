"""Types of arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.integer[Any]]
Numbers = Floats | Integers
Flags = npt.NDArray[np.bool_]
