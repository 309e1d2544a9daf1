"""Functions of PyTorch that are one product, with their arguments by its names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from .._library import Error


def linear(product: Any, input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if weight.ndim > 2:
        raise Error(f"linear has weights of shape {tuple(weight.shape)}; they have an axis or two.")
    return with_bias(product, product(input, weight.mT if weight.ndim == 2 else weight), bias)


def with_bias(product: Any, d: Tensor, bias: Tensor | None) -> Tensor:
    """D, of whose dtype the bias is, or becomes under autocast."""
    return d if bias is None else plus(d, product.cast(bias, d.dtype))


def plus(d: Tensor, c: Tensor) -> Tensor:
    total = d + c
    if total.shape != d.shape:
        raise Error(f"A product of shape {tuple(d.shape)} is added to {tuple(c.shape)}, which is not of its shape.")
    return total


def multiplied(name: str, second: str, axes: tuple[int, int] | None = None) -> Callable[..., Tensor]:
    """matmul and its like: what the second operand is called, and how many axes they have where that is fixed."""

    def own(product: Any, *operands: Tensor, out: Tensor | None = None, **named: Tensor) -> Tensor:
        a, b = _operands(name, operands, named, ("input", second))
        _check_axes(name, (a, b), axes)
        return into(out, product(a, b))

    return own


def added(name: str, first: str, second: str, axes: tuple[int, int]) -> Callable[..., Tensor]:
    """addmm and its like: beta * input + alpha * (a @ b)."""

    def own(
        product: Any, *operands: Tensor, beta: float = 1, alpha: float = 1, out: Tensor | None = None, **named: Tensor
    ) -> Tensor:
        c, a, b = _operands(name, operands, named, ("input", first, second))
        _check_axes(name, (a, b), axes)
        d = product(a, b)
        d = d if alpha == 1 else alpha * d
        if beta == 0:  # then a NaN in the input does not count
            return into(out, d)
        c = product.cast(c, d.dtype)
        return into(out, plus(d, c if beta == 1 else beta * c))

    return own


def into(out: Tensor | None, d: Tensor) -> Tensor:
    if out is None:
        return d
    if out.dtype != d.dtype or (d.requires_grad or out.requires_grad):
        raise Error(f"out is {out.dtype} and the product {d.dtype}; both are of one dtype, and neither has a gradient.")
    return out.resize_(d.shape).copy_(d)


def _operands(
    name: str, given: tuple[Tensor, ...], named: dict[str, Tensor], wanted: tuple[str, ...]
) -> tuple[Tensor, ...]:
    """What was given by its place and what by its name, in order."""
    by_name = {("input" if word == "self" else word): value for word, value in named.items()}
    missing = wanted[len(given) :]
    if len(given) > len(wanted) or set(missing) != set(by_name):
        told = [f"{len(given)} operands", *named]
        raise Error(f"torch.{name} is called with {' and '.join(told)}; it is emulated with {', '.join(wanted)}.")
    return *given, *(by_name[word] for word in missing)


def _check_axes(name: str, operands: tuple[Tensor, Tensor], axes: tuple[int, int] | None) -> None:
    if axes is not None and tuple(x.ndim for x in operands) != axes:
        a, b = (tuple(x.shape) for x in operands)
        raise Error(f"torch.{name} has operands of shapes {a} and {b}; they have {axes[0]} axes and {axes[1]}.")
