"""PyTorch on a unit: a custom operator, and models whose matrix products a unit computes, forward and backward.

>>> import assay, torch
>>> from assay.torch import emulate, matmul
>>> u = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
>>> matmul(torch.ones(1, 16), torch.full((16, 1), 0.5), u)
tensor([[8.]])
>>> model = torch.nn.Sequential(torch.nn.Linear(16, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
>>> emulate(model, unit=u, skip=["2"])(torch.ones(3, 16)).shape
torch.Size([3, 2])
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from ._library import Error
from ._quantise import quantise
from ._unit import Unit, datapath, instruction


@functools.lru_cache(maxsize=256)
def _unit(source: str) -> Unit:
    """An operator takes no objects: a unit goes in as the text it can be opened from."""
    kind, text = json.loads(source)
    return instruction(text) if kind == "instruction" else datapath(text)


@torch.library.custom_op("assay::matmul", mutates_args=())
def _matmul(a: Tensor, b: Tensor, source: str, threads: int) -> Tensor:
    unit = _unit(source)
    if a.device.type != "cpu" or b.device.type != "cpu":
        raise Error(f"a is on {a.device} and b on {b.device}; units compute on the CPU.")
    x, y = _numbers(a), _numbers(b)
    missing = -x.shape[-1] % unit.k  # zeros add nothing
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, missing)])
    y = np.pad(y, [(0, 0)] * (y.ndim - 2) + [(0, missing), (0, 0)])
    qa, qb = quantise(unit, "a", x), quantise(unit, "b", y)
    codes = unit.matmul(qa.codes, qb.codes, scale_a=qa.scales, scale_b=qb.scales, threads=threads)
    d = unit.d.decode(codes) if codes.dtype == unit.d.codes_dtype else np.asarray(codes, np.float64)
    return torch.from_numpy(d * (qa.factor * qb.factor)).to(a.dtype)


@_matmul.register_fake
def _(a: Tensor, b: Tensor, source: str, threads: int) -> Tensor:
    return torch.matmul(a, b)


def _setup(ctx: Any, inputs: tuple[Tensor, Tensor, str, int], output: Tensor) -> None:
    a, b, ctx.source, ctx.threads = inputs
    ctx.save_for_backward(a, b)


def _backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None, None]:
    a, b = ctx.saved_tensors
    of_a = of_b = None
    if ctx.needs_input_grad[0]:
        of_a = _matmul(gradient, b.mT, ctx.source, ctx.threads).sum_to_size(a.shape)
    if ctx.needs_input_grad[1]:
        of_b = _matmul(a.mT, gradient, ctx.source, ctx.threads).sum_to_size(b.shape)
    return of_a, of_b, None, None


_matmul.register_autograd(_backward, setup_context=_setup)


def _numbers(tensor: Tensor) -> np.ndarray[Any, Any]:
    tensor = tensor.detach()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()


def matmul(a: Tensor, b: Tensor, unit: Unit, *, threads: int = 1) -> Tensor:
    """a @ b through the unit, shapes as torch.matmul has them; its gradients go through the unit as well.

    K is filled up with zeros, operands are quantised as `assay.quantise` does it.
    """
    if not a.is_floating_point() or not b.is_floating_point():
        raise Error(f"a is {a.dtype} and b {b.dtype}; tensors of floats are multiplied.")
    if not a.ndim or not b.ndim:
        raise Error(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}; each needs an axis.")
    row, column = a.ndim == 1, b.ndim == 1
    x, y = a.unsqueeze(0) if row else a, b.unsqueeze(1) if column else b
    if x.shape[-1] != y.shape[-2] or not x.numel() or not y.numel():
        raise Error(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}, which make no product.")
    d: Tensor = _matmul(x, y, json.dumps(unit._source), threads)
    d = d.squeeze(-2) if row else d
    return d.squeeze(-1) if column else d


class _Products(TorchFunctionMode):
    """Takes the functions that multiply matrices to a unit, within its `with`."""

    def __init__(self, unit: Unit, threads: int) -> None:
        super().__init__()
        self._product = functools.partial(matmul, unit=unit, threads=threads)
        self.skipped = 0

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        own = None if self.skipped else _OWN.get(function)
        if own is None:
            return function(*args, **kwargs)
        return own(self._product, *args, **kwargs)


def _linear(product: Any, input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    d: Tensor = product(input, weight.T)
    return d if bias is None else d + bias


def _addmm(product: Any, input: Tensor, a: Tensor, b: Tensor, *, beta: float = 1, alpha: float = 1) -> Any:
    return beta * input + alpha * product(a, b)


def _attention(
    product: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    if enable_gqa:
        raise Error("scaled_dot_product_attention with enable_gqa is not emulated; repeat keys and values before.")
    scores = product(query, key.mT) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
    return product(F.dropout(torch.softmax(scores, -1), dropout_p), value)


def _conv2d(
    product: Any,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    if isinstance(padding, str):
        raise Error(f"A convolution with padding '{padding}' is not emulated; give it as numbers.")
    single = input.ndim == 3
    x = input.unsqueeze(0) if single else input
    (high, wide), (up, left), (along, across), (down, right) = map(
        _pair, (stride, padding, dilation, weight.shape[-2:])
    )
    rows = (x.shape[-2] + 2 * up - along * (down - 1) - 1) // high + 1
    columns = F.unfold(x, (down, right), dilation=(along, across), padding=(up, left), stride=(high, wide))
    parts = zip(columns.chunk(groups, 1), weight.flatten(1).chunk(groups, 0), strict=True)
    d = torch.cat([product(of_weight, of_input) for of_input, of_weight in parts], 1)
    d = d.reshape(x.shape[0], weight.shape[0], rows, -1)
    d = d if bias is None else d + bias[:, None, None]
    return d.squeeze(0) if single else d


def _pair(value: Any) -> tuple[int, int]:
    first, second = (
        (value, value) if isinstance(value, int) else (tuple(value) * 2 if len(value) == 1 else tuple(value))
    )
    return int(first), int(second)


def _conv1d(
    product: Any,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    def one(value: Any) -> int:
        return int(value if isinstance(value, int) else value[0])

    if isinstance(padding, str):
        raise Error(f"A convolution with padding '{padding}' is not emulated; give it as numbers.")
    shape = (1, one(stride)), (0, one(padding)), (1, one(dilation))
    return _conv2d(product, input.unsqueeze(-2), weight.unsqueeze(-2), bias, *shape, groups).squeeze(-2)


def _not_emulated(product: Any, *args: Any, **kwargs: Any) -> Any:
    raise Error(
        "This model multiplies matrices in a function that is not emulated: nn.MultiheadAttention, einsum, bilinear or a "
        "convolution of three dimensions or transposed. Write it with matmul or scaled_dot_product_attention, or skip its module."
    )


def _plain(product: Any, a: Tensor, b: Tensor) -> Any:
    return product(a, b)


_OWN: dict[Any, Any] = {
    **dict.fromkeys(
        [torch.matmul, torch.mm, torch.bmm, torch.mv, Tensor.matmul, Tensor.mm, Tensor.bmm, Tensor.mv], _plain
    ),
    Tensor.__matmul__: _plain,
    Tensor.__rmatmul__: lambda product, b, a: product(a, b),
    **dict.fromkeys([torch.addmm, Tensor.addmm, torch.baddbmm, Tensor.baddbmm], _addmm),
    F.linear: _linear,
    F.conv1d: _conv1d,
    F.conv2d: _conv2d,
    F.scaled_dot_product_attention: _attention,
    **dict.fromkeys(
        [F.multi_head_attention_forward, torch.einsum, F.bilinear, F.conv3d, F.conv_transpose1d, F.conv_transpose2d],
        _not_emulated,
    ),
}


class Emulated(nn.Module):
    """A model whose matrix products a unit computes. It shares the model's parameters; backward goes through the unit too."""

    def __init__(self, model: nn.Module, unit: Unit, skip: Sequence[str], threads: int) -> None:
        super().__init__()
        self.model = model
        self._unit, self._threads = unit, threads
        modules = dict(model.named_modules())
        unknown = [name for name in skip if name not in modules]
        if unknown:
            raise Error(
                f"The model has no module '{unknown[0]}'; it has {', '.join(name for name in modules if name)}."
            )
        self._skipped = [modules[name] for name in skip]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        products = _Products(self._unit, self._threads)

        def enter(*_: Any) -> None:
            products.skipped += 1

        def leave(*_: Any) -> None:
            products.skipped -= 1

        hooks = [
            hook
            for module in self._skipped
            for hook in (
                module.register_forward_pre_hook(enter),
                module.register_forward_hook(leave, always_call=True),
            )
        ]
        try:
            with products:
                return self.model(*args, **kwargs)
        finally:
            for hook in hooks:
                hook.remove()


def emulate(model: nn.Module, *, unit: Unit, skip: Sequence[str] = (), threads: int = 1) -> Emulated:
    """The model with its matrix products on `unit`: nn.Linear, matmul, attention and convolutions, forward and backward.

    `skip` names modules, as named_modules() does, that PyTorch computes itself. Works on CPU threads; `threads` for each product.
    """
    if not isinstance(unit, Unit):
        raise Error(f"unit is {type(unit).__name__}; open one with assay.instruction or assay.datapath.")
    return Emulated(model, unit, skip, threads)
