"""Products of matrices: what they do to the process and to its warnings."""

import threading
import warnings

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tacit.core.matrix_products import matrix_products


def _threads():
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


def test_the_limit_holds_until_the_last_product_is_done():
    before, is_inside, may_leave = _threads(), threading.Event(), threading.Event()

    def compute():
        with matrix_products():
            is_inside.set()
            may_leave.wait(30)

    other = threading.Thread(target=compute)
    with matrix_products():
        other.start()
        is_inside.wait(30)
    during = _threads()
    may_leave.set()
    other.join(30)
    assert set(during) == {1}
    assert _threads() == before


def test_the_limit_is_lifted_after_an_error():
    before = _threads()
    with pytest.raises(ValueError, match="matmul"), matrix_products():
        np.ones((2, 3)) @ np.ones((2, 3))
    assert _threads() == before


def test_what_a_kernel_does_beside_a_matrix_is_no_warning():
    row, column = np.array([[np.inf]]), np.array([[0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="invalid value"):
            row @ column
        with matrix_products():
            assert np.isnan(row @ column)
