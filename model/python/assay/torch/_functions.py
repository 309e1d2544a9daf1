"""The functions of PyTorch that are emulated, and by what."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from ._attention import attention, multi_head
from ._convolution import convolution
from ._linear import added, linear, multiplied

_MATMUL = multiplied("matmul", "other")

EMULATED: dict[Any, Any] = {
    **dict.fromkeys([torch.matmul, Tensor.matmul, Tensor.__matmul__], _MATMUL),
    Tensor.__rmatmul__: lambda product, b, a: product(a, b),
    **dict.fromkeys([torch.mm, Tensor.mm], multiplied("mm", "mat2", (2, 2))),
    **dict.fromkeys([torch.bmm, Tensor.bmm], multiplied("bmm", "mat2", (3, 3))),
    **dict.fromkeys([torch.mv, Tensor.mv], multiplied("mv", "vec", (2, 1))),
    **dict.fromkeys([torch.addmm, Tensor.addmm], added("addmm", "mat1", "mat2", (2, 2))),
    **dict.fromkeys([torch.baddbmm, Tensor.baddbmm], added("baddbmm", "batch1", "batch2", (3, 3))),
    F.linear: linear,
    F.conv1d: convolution(1),
    F.conv2d: convolution(2),
    F.conv3d: convolution(3),
    F.scaled_dot_product_attention: attention,
    F.multi_head_attention_forward: multi_head,
}
