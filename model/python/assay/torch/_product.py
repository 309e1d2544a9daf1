"""A product of tensors on a unit, with its derivatives, which are products on the unit as well."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._library import Error
from .._quantise import quantise
from .._unit import Unit, datapath, instruction


@functools.lru_cache(maxsize=256)
def _unit(source: str) -> Unit:
    """An operator takes no objects: a unit goes in as the text it can be opened from."""
    kind, text = json.loads(source)
    return instruction(text) if kind == "instruction" else datapath(text)


@torch.library.custom_op("assay::matmul", mutates_args=())
def _matmul(a: Tensor, b: Tensor, source: str, threads: int, promote_every: int) -> Tensor:
    unit = _unit(source)
    if a.device.type != "cpu" or b.device.type != "cpu":
        raise Error(f"a is on {a.device} and b on {b.device}; units compute on the CPU.")
    if not a.numel() or not b.numel():  # a sum of nothing is 0
        return torch.zeros(_shape(a, b), dtype=_dtype_of_d(a))
    x, y = _numbers(a), _numbers(b)
    missing = -x.shape[-1] % unit.k  # zeros add nothing
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, missing)])
    y = np.pad(y, [(0, 0)] * (y.ndim - 2) + [(0, missing), (0, 0)])
    qa, qb = quantise(unit, "a", x), quantise(unit, "b", y)
    every = promote_every or None
    codes = unit.matmul(qa.codes, qb.codes, scale_a=qa.scales, scale_b=qb.scales, promote_every=every, threads=threads)
    d = codes.view(np.float32).astype(np.float64) if every else unit.d.decode(codes)
    return torch.from_numpy(d * qa.factor * qb.factor).to(_dtype_of_d(a))


@_matmul.register_fake
def _(a: Tensor, b: Tensor, source: str, threads: int, promote_every: int) -> Tensor:
    return a.new_empty(_shape(a, b), dtype=_dtype_of_d(a))


def _shape(a: Tensor, b: Tensor) -> tuple[int, ...]:
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])  # type: ignore[no-untyped-call]
    return *batch, a.shape[-2], b.shape[-1]


def _is_float8(dtype: torch.dtype) -> bool:
    return dtype.is_floating_point and dtype.itemsize == 1


def _dtype_of_d(a: Tensor) -> torch.dtype:
    """PyTorch multiplies no tensors of 8 bits itself; where it scales them its D is wider, too."""
    return torch.float32 if _is_float8(a.dtype) else a.dtype


def _numbers(tensor: Tensor) -> np.ndarray[Any, Any]:
    tensor = tensor.detach()
    known = tensor.dtype in (torch.float16, torch.float32, torch.float64)
    return (tensor if known else tensor.float()).numpy()


class _Product(torch.autograd.Function):
    """The operator, as autograd sees it: matrices a and b with as many axes before as broadcast."""

    @staticmethod
    def forward(a: Tensor, b: Tensor, source: str, threads: int, promote_every: int) -> Tensor:
        d: Tensor = _matmul(a, b, source, threads, promote_every)
        return d

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, str, int, int], output: Tensor) -> None:
        a, b, *ctx.how = inputs
        ctx.save_for_backward(a, b)
        ctx.save_for_forward(a, b)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor | None) -> Any:
        if gradient is None:
            return (None,) * 5
        a, b = ctx.saved_tensors
        of_a = of_b = None
        if ctx.needs_input_grad[0]:
            of_a = _product(gradient, b.mT, *ctx.how).sum_to_size(a.shape)
        if ctx.needs_input_grad[1]:
            of_b = _product(a.mT, gradient, *ctx.how).sum_to_size(b.shape)
        return of_a, of_b, None, None, None

    @staticmethod
    def jvp(ctx: Any, of_a: Tensor | None, of_b: Tensor | None, *_: None) -> Any:
        a, b = ctx.saved_tensors
        parts = [] if of_a is None else [_product(of_a, b, *ctx.how)]
        parts += [] if of_b is None else [_product(a, of_b, *ctx.how)]
        return sum(parts[1:], parts[0])

    @staticmethod
    def vmap(info: Any, axes: tuple[int | None, ...], a: Tensor, b: Tensor, *how: Any) -> tuple[Tensor, int]:
        """One product after the other: each has a factor of its own, as it has where it is called alone."""
        each = [
            _product(
                *(x if axis is None else x.select(axis, i) for x, axis in zip((a, b), axes[:2], strict=True)), *how
            )
            for i in range(info.batch_size)
        ]
        return torch.stack(each), 0


# For who calls the operator itself: of its derivatives of the forward mode PyTorch lets nobody say anything.
_matmul.register_autograd(_Product.backward, setup_context=_Product.setup_context)


def _product(a: Tensor, b: Tensor, *how: Any) -> Tensor:
    d: Tensor = _Product.apply(a, b, *how)  # type: ignore[no-untyped-call]
    return d


def matmul(a: Tensor, b: Tensor, unit: Unit, *, threads: int = 1, promote_every: int | None = None) -> Tensor:
    """a @ b through the unit, shapes as torch.matmul has them; its derivatives go through the unit as well.

    K is filled up with zeros, operands are quantised as `assay.quantise` does it. `promote_every` is that of `Unit.matmul`.
    Where one operand is a single matrix, all batches of the other are one product, as they are for PyTorch, and so is the
    gradient of that matrix.
    """
    _check(a, b)
    if promote_every is not None and promote_every < 1:
        raise Error(f"promote_every is {promote_every}; leave it out, or sum 1 value of k or more at a time.")
    row, column = a.ndim == 1, b.ndim == 1
    x, y = a.unsqueeze(0) if row else a, b.unsqueeze(1) if column else b
    if x.shape[-1] != y.shape[-2] or not _broadcast(x.shape[:-2], y.shape[:-2]):
        raise Error(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}, which make no product.")
    d = _folded(x, y, json.dumps(unit._source), threads, promote_every or 0)
    d = d.squeeze(-2) if row else d
    return d.squeeze(-1) if column else d


def _check(a: Tensor, b: Tensor) -> None:
    if not a.is_floating_point() or not b.is_floating_point():
        raise Error(f"a is {a.dtype} and b {b.dtype}; tensors of floats are multiplied.")
    if a.dtype != b.dtype and not (_is_float8(a.dtype) and _is_float8(b.dtype)):
        raise Error(f"a is {a.dtype} and b {b.dtype}; tensors of one dtype are multiplied.")
    if a.layout != torch.strided or b.layout != torch.strided:
        raise Error(f"a is {a.layout} and b {b.layout}; dense tensors are multiplied, as `to_dense` makes them.")
    if not a.ndim or not b.ndim:
        raise Error(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}; each needs an axis.")


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(x == y or 1 in (x, y) for x, y in zip(reversed(a), reversed(b), strict=False))


def _folded(a: Tensor, b: Tensor, *how: Any) -> Tensor:
    if a.ndim > 2 and b.ndim == 2:
        return _product(a.flatten(0, -2), b, *how).reshape(*a.shape[:-1], b.shape[-1])
    if a.ndim == 2 and b.ndim > 2:
        columns = b.movedim(-2, 0)
        d = _product(a, columns.flatten(1), *how)
        return d.reshape(a.shape[0], *columns.shape[1:]).movedim(0, -2).contiguous()
    return _product(a, b, *how)
