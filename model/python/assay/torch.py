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
from torch.utils._python_dispatch import TorchDispatchMode

from ._library import Error
from ._quantise import quantise
from ._unit import Unit, datapath, instruction


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
    x, y = _numbers(a), _numbers(b)
    missing = -x.shape[-1] % unit.k  # zeros add nothing
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, missing)])
    y = np.pad(y, [(0, 0)] * (y.ndim - 2) + [(0, missing), (0, 0)])
    qa, qb = quantise(unit, "a", x), quantise(unit, "b", y)
    every = promote_every or None
    codes = unit.matmul(qa.codes, qb.codes, scale_a=qa.scales, scale_b=qb.scales, promote_every=every, threads=threads)
    d = codes.view(np.float32).astype(np.float64) if every else unit.d.decode(codes)
    return torch.from_numpy(d * (qa.factor * qb.factor)).to(a.dtype)


@_matmul.register_fake
def _(a: Tensor, b: Tensor, source: str, threads: int, promote_every: int) -> Tensor:
    return torch.matmul(a, b)


def _setup(ctx: Any, inputs: tuple[Tensor, Tensor, str, int, int], output: Tensor) -> None:
    a, b, *ctx.how = inputs
    ctx.save_for_backward(a, b)


def _backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None, None, None]:
    a, b = ctx.saved_tensors
    of_a = of_b = None
    if ctx.needs_input_grad[0]:
        of_a = _matmul(gradient, b.mT, *ctx.how).sum_to_size(a.shape)
    if ctx.needs_input_grad[1]:
        of_b = _matmul(a.mT, gradient, *ctx.how).sum_to_size(b.shape)
    return of_a, of_b, None, None, None


_matmul.register_autograd(_backward, setup_context=_setup)


def _numbers(tensor: Tensor) -> np.ndarray[Any, Any]:
    tensor = tensor.detach()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()


def matmul(a: Tensor, b: Tensor, unit: Unit, *, threads: int = 1, promote_every: int | None = None) -> Tensor:
    """a @ b through the unit, shapes as torch.matmul has them; its gradients go through the unit as well.

    K is filled up with zeros, operands are quantised as `assay.quantise` does it. `promote_every` is that of `Unit.matmul`.
    """
    if not a.is_floating_point() or not b.is_floating_point():
        raise Error(f"a is {a.dtype} and b {b.dtype}; tensors of floats are multiplied.")
    if not a.ndim or not b.ndim:
        raise Error(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}; each needs an axis.")
    if promote_every is not None and promote_every < 1:
        raise Error(f"promote_every is {promote_every}; leave it out, or sum 1 value of k or more at a time.")
    row, column = a.ndim == 1, b.ndim == 1
    x, y = a.unsqueeze(0) if row else a, b.unsqueeze(1) if column else b
    if x.shape[-1] != y.shape[-2] or not x.numel() or not y.numel():
        raise Error(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}, which make no product.")
    d: Tensor = _matmul(x, y, json.dumps(unit._source), threads, promote_every or 0)
    d = d.squeeze(-2) if row else d
    return d.squeeze(-1) if column else d


class _Products(TorchFunctionMode):
    """Takes the functions that multiply matrices to a unit, within its `with`."""

    def __init__(self, unit: Unit, **how: Any) -> None:
        super().__init__()
        self._product = functools.partial(matmul, unit=unit, **how)
        self.skipped = 0
        self.function = ""  # that PyTorch computes itself

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        own = None if self.skipped else _OWN.get(function)
        if own is None:
            self.function = getattr(function, "__name__", "")
            return function(*args, **kwargs)
        return own(self._product, *args, **kwargs)


class _NoOtherProducts(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Refuses what multiplies matrices by whatever way PyTorch came to it: all of it goes through these operators."""

    def __init__(self, products: _Products) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._products = products
        self.refused: Error | None = None

    def __torch_dispatch__(self, operator: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = operator.overloadpacket.__name__ if operator.namespace != "assay" else ""
        if not self._products.skipped and (name in _MULTIPLY or name.startswith(_MULTIPLY_TOO)):
            self.refused = Error(
                f"This model multiplies matrices in {self._products.function or 'a script'} (PyTorch's {name}), which is not "
                "emulated; write it with matmul, linear, a convolution or scaled_dot_product_attention, or skip its module."
            )
            raise self.refused
        return operator(*args, **(kwargs or {}))


# Of ATen, with and without a trailing underscore.
_MULTIPLY = {
    name + end
    for end in ("", "_")
    for name in (
        "mm bmm mv dot vdot addmm addbmm baddbmm addmv addr linear matmul einsum convolution convolution_overrideable lstm gru "
        "_int_mm _scaled_mm _scaled_grouped_mm _grouped_mm _addmm_activation _trilinear bilinear _cdist_forward _euclidean_dist "
        "_native_multi_head_attention _transformer_encoder_layer_fwd linalg_matrix_exp _sparse_mm _weight_int8pack_mm"
    ).split()
}
_MULTIPLY_TOO = ("mkldnn_", "_scaled_dot_product_", "quantized_", "rnn_", "_thnn_", "slow_conv", "_conv", "_weight_int4pack_mm")


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


def _multi_head(
    product: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """nn.MultiheadAttention: places x batch x width, or places x width. True in a mask is what is not looked at."""
    if bias_k is not None or bias_v is not None or add_zero_attn or static_k is not None or static_v is not None:
        raise Error("MultiheadAttention with add_bias_kv, add_zero_attn or static keys is not emulated; skip its module.")
    if is_causal and attn_mask is None:
        raise Error("MultiheadAttention takes is_causal as a hint on attn_mask; give that, too.")
    single = query.ndim == 2
    given = [x.unsqueeze(1) if single else x for x in (query, key, value)]
    own: Any = q_proj_weight, k_proj_weight, v_proj_weight
    weights = own if in_proj_weight is None else in_proj_weight.chunk(3)
    biases = (None,) * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
    q, k, v = (
        _linear(product, x, weight, bias).reshape(*x.shape[:2], num_heads, -1).permute(1, 2, 0, 3)
        for x, weight, bias in zip(given, weights, biases, strict=True)
    )
    scores = product(q, k.mT) / math.sqrt(q.shape[-1])
    if attn_mask is not None:
        scores = _masked(scores, attn_mask if attn_mask.ndim == 2 else attn_mask.reshape(scores.shape))
    if key_padding_mask is not None:
        scores = _masked(scores, key_padding_mask.reshape(q.shape[0], 1, 1, -1))
    parts = F.dropout(torch.softmax(scores, -1), dropout_p, training)
    joined = product(parts, v).permute(2, 0, 1, 3).flatten(2)
    d = _linear(product, joined, out_proj_weight, out_proj_bias)
    seen = parts.mean(1) if average_attn_weights else parts
    return d.squeeze(1) if single else d, (seen.squeeze(0) if single else seen) if need_weights else None


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(mask, -math.inf) if mask.dtype == torch.bool else scores + mask


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
    F.multi_head_attention_forward: _multi_head,
}


class Emulated(nn.Module):
    """A model whose matrix products a unit computes. It shares the model's parameters; backward goes through the unit too."""

    def __init__(self, model: nn.Module, unit: Unit, skip: Sequence[str], **how: Any) -> None:
        super().__init__()
        self.model = model
        self._unit, self._how = unit, how
        modules = dict(model.named_modules())
        unknown = [name for name in skip if name not in modules]
        if unknown:
            raise Error(
                f"The model has no module '{unknown[0]}'; it has {', '.join(name for name in modules if name)}."
            )
        self._skipped = [modules[name] for name in skip]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        products = _Products(self._unit, **self._how)
        others = _NoOtherProducts(products)

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
            with products, others:
                return self.model(*args, **kwargs)
        except RuntimeError:  # into which a script turns all errors
            if others.refused is not None:
                raise others.refused from None
            raise
        finally:
            for hook in hooks:
                hook.remove()


def emulate(
    model: nn.Module, *, unit: Unit, skip: Sequence[str] = (), threads: int = 1, promote_every: int | None = None
) -> Emulated:
    """The model with its matrix products on `unit`: nn.Linear, matmul, attention and convolutions, forward and backward.

    `skip` names modules, as named_modules() does, that PyTorch computes itself. Works on CPU threads; `threads` for each
    product. `promote_every` values of k are summed on the unit, and these sums in f32.
    """
    if not isinstance(unit, Unit):
        raise Error(f"unit is {type(unit).__name__}; open one with assay.instruction or assay.datapath.")
    return Emulated(model, unit, skip, threads=threads, promote_every=promote_every)
