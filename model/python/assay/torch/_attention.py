"""Attention, of which a unit computes the products."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from .._library import Error
from ._linear import linear


def attention(
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
    """True in a mask is what is looked at. A place that looks at nothing gets zeros, as PyTorch gives them."""
    if is_causal and attn_mask is not None:
        raise Error("scaled_dot_product_attention has attn_mask and is_causal; one of them says what is looked at.")
    if enable_gqa:
        key, value = (_for_all_heads(x, query) for x in (key, value))
    scores = product(query, key.mT) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None:
        scores = _masked(scores, ~attn_mask if attn_mask.dtype == torch.bool else attn_mask)
    return product(F.dropout(_parts(scores), dropout_p), value)


def _for_all_heads(of_groups: Tensor, query: Tensor) -> Tensor:
    if query.ndim < 3 or of_groups.ndim < 3 or query.shape[-3] % of_groups.shape[-3]:
        raise Error(
            f"scaled_dot_product_attention has a query of shape {tuple(query.shape)} and a key or value of "
            f"{tuple(of_groups.shape)}; with enable_gqa the heads of the query are a multiple of theirs."
        )
    return of_groups.repeat_interleave(query.shape[-3] // of_groups.shape[-3], -3)


def _parts(scores: Tensor) -> Tensor:
    nothing = (scores == -math.inf).all(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(nothing, 0), -1).masked_fill(nothing, 0)


def multi_head(
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
        raise Error(
            "MultiheadAttention with add_bias_kv, add_zero_attn or static keys is not emulated; skip its module."
        )
    if is_causal and attn_mask is None:
        raise Error("MultiheadAttention takes is_causal as a hint on attn_mask; give that, too.")
    single = query.ndim == 2
    given = [x.unsqueeze(1) if single else x for x in (query, key, value)]
    own: Any = q_proj_weight, k_proj_weight, v_proj_weight
    weights = own if in_proj_weight is None else in_proj_weight.chunk(3)
    biases = (None,) * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
    q, k, v = (
        linear(product, x, weight, bias).reshape(*x.shape[:2], num_heads, -1).permute(1, 2, 0, 3)
        for x, weight, bias in zip(given, weights, biases, strict=True)
    )
    scores = product(q, k.mT) / math.sqrt(q.shape[-1])
    if attn_mask is not None:
        scores = _masked(scores, attn_mask if attn_mask.ndim == 2 else attn_mask.reshape(scores.shape))
    if key_padding_mask is not None:
        scores = _masked(scores, key_padding_mask.reshape(q.shape[0], 1, 1, -1))
    # Who wants no weights gets PyTorch's other way, by which a place that looks at nothing gets zeros, no NaN.
    seen = torch.softmax(scores, -1) if need_weights else _parts(scores)
    parts = F.dropout(seen, dropout_p, training)
    joined = product(parts, v).permute(2, 0, 1, 3).flatten(2)
    d = linear(product, joined, out_proj_weight, out_proj_bias)
    seen = parts.mean(1) if average_attn_weights else parts
    return d.squeeze(1) if single else d, (seen.squeeze(0) if single else seen) if need_weights else None


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(mask, -math.inf) if mask.dtype == torch.bool else scores + mask
