"""What multiplies matrices inside PyTorch and is not emulated, by the names of operators."""

from __future__ import annotations

import re
from typing import Any

# In any namespace: aten, quantized, mkldnn, a library of one's own. A decomposition is made of products, too.
_MULTIPLIES = re.compile(
    r"mm(?:_|\d|$) | matmul | einsum | dot | (?:^|_)(?:add)?mv(?:_|$) | ^addr | linear | conv(?!ert) | lstm | gru | rnn"
    r"| attention | attn | transformer_encoder | cdist | euclidean_dist | matrix_exp"
    r"| linalg_(?!vector_norm|_powsum|cross|check_errors|diagonal)"
    r"| cholesky | orgqr | ormqr | geqrf | (?:triangular|lu_|sp)_?solve | lu_with_info | lstsq | (?:^|_)(?:qr|svd) | ^p?inverse",
    re.VERBOSE,
)
_HARMLESS = re.compile("upsample|_convert|linear1d")  # interpolation, and conversion of weights

# Functions that make their products of sums and products of any elements, or in a library, where no operator is seen.
_UNSEEN = re.compile("^linalg_vecdot|^fbgemm_linear|^_wrapped_quantized_linear")


def multiplies(operator: Any) -> bool:
    """Whether this is an operator that multiplies matrices, or may: it is known by its name alone."""
    name = operator.overloadpacket.__name__
    return operator.namespace != "assay" and bool(_MULTIPLIES.search(name)) and not _HARMLESS.search(name)


def multiplies_unseen(function: str) -> bool:
    return bool(_UNSEEN.search(function))
