"""Convolutions of one, two or three axes, as im2col makes them one product of patches and weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from .._library import Error
from ._linear import with_bias


def convolution(axes: int) -> Callable[..., Tensor]:
    """F.conv1d, F.conv2d or F.conv3d."""

    def own(
        product: Any,
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        _check(input, weight, bias, axes, groups)
        steps, apart = (_for_each_axis(value, axes) for value in (stride, dilation))
        single = input.ndim == axes + 1
        x = _padded(input.unsqueeze(0) if single else input, padding, weight.shape[2:], steps, apart)
        patches = _patches(x, weight.shape[2:], steps, apart)
        parts = zip(patches.chunk(groups, -1 - axes), weight.chunk(groups, 0), strict=True)
        d = torch.cat([product(of_x.flatten(-1 - axes), of_w.flatten(1).mT) for of_x, of_w in parts], -1)
        d = with_bias(product, d, bias).movedim(-1, 1).contiguous()
        return d.squeeze(0) if single else d

    return own


def _check(input: Tensor, weight: Tensor, bias: Tensor | None, axes: int, groups: int) -> None:
    told = (
        f"A convolution of {axes} axes has an input of shape {tuple(input.shape)} and weights of {tuple(weight.shape)}"
    )
    if input.ndim not in (axes + 1, axes + 2) or weight.ndim != axes + 2:
        raise Error(f"{told}; they have {axes + 1} or {axes + 2} axes, and {axes + 2}.")
    if groups < 1 or weight.shape[0] % groups or input.shape[-1 - axes] != weight.shape[1] * groups:
        raise Error(f"{told}, which do not go together in {groups} groups.")
    if bias is not None and bias.shape != weight.shape[:1]:
        raise Error(
            f"{told}, and a bias of {tuple(bias.shape)}; it has one number for each of {weight.shape[0]} channels."
        )


def _for_each_axis(value: Any, axes: int) -> list[int]:
    values = [value] if isinstance(value, int) else list(value)
    if len(values) not in (1, axes):
        raise Error(
            f"A convolution of {axes} axes is given {tuple(values)}; it takes one number, or one for each axis."
        )
    return [int(x) for x in values * (axes if len(values) == 1 else 1)]


def _padded(x: Tensor, padding: Any, sizes: Any, steps: list[int], apart: list[int]) -> Tensor:
    if padding == "same":
        if any(step != 1 for step in steps):
            raise Error("A convolution with padding 'same' has a stride of 1.")
        whole = [gap * (size - 1) for gap, size in zip(apart, sizes, strict=True)]
        sides = [(all_of_it // 2, all_of_it - all_of_it // 2) for all_of_it in whole]
    elif isinstance(padding, str) and padding != "valid":
        raise Error(f"A convolution has padding '{padding}'; it is 'same', 'valid', or numbers.")
    else:
        sides = [(side, side) for side in _for_each_axis(0 if padding == "valid" else padding, len(steps))]
    # F.pad begins with the last axis.
    return F.pad(x, [side for pair in reversed(sides) for side in pair]) if any(map(sum, sides)) else x


def _patches(x: Tensor, sizes: Any, steps: list[int], apart: list[int]) -> Tensor:
    """Batch x places.. x channels x window..: each window lies where PyTorch's lies over the input."""
    axes = len(steps)
    for axis, (size, step, gap) in enumerate(zip(sizes, steps, apart, strict=True), start=2):
        span = gap * (size - 1) + 1
        if x.shape[axis] < span:
            raise Error(f"A convolution's window spans {span}, and its padded input has {x.shape[axis]}.")
        x = x.unfold(axis, span, step)[..., ::gap]
    return x.movedim(1, 1 + axes)
