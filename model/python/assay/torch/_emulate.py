"""Models whose matrix products a unit computes."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from .._library import Error
from .._unit import Unit
from ._product import matmul
from ._watch import Graph, Products, current, hooks, skipping


class _ProductOn:
    """What a function of PyTorch's does where it multiplies: on a unit, of the dtypes that PyTorch's own would have."""

    def __init__(self, unit: Unit, **how: Any) -> None:
        self._unit, self._how = unit, how

    def __call__(self, a: Tensor, b: Tensor) -> Tensor:
        return matmul(_as_autocast(a), _as_autocast(b), self._unit, **self._how)

    def cast(self, c: Tensor, dtype: torch.dtype) -> Tensor:
        """What is added to a product of `dtype`."""
        if c.dtype == dtype:
            return c
        if _autocasts(c):
            return c.to(dtype)
        raise Error(f"A product of {dtype} is added to {c.dtype}; tensors of one dtype are added.")


def _autocasts(x: Tensor) -> bool:
    return torch.is_autocast_enabled("cpu") and x.is_floating_point() and x.dtype != torch.float64


def _as_autocast(x: Tensor) -> Tensor:
    return x.to(torch.get_autocast_dtype("cpu")) if _autocasts(x) else x


class Emulated(nn.Module):
    """A model whose matrix products a unit computes. It shares the model's parameters; backward goes through the unit too."""

    def __init__(self, model: nn.Module, unit: Unit, skip: Sequence[str], **how: Any) -> None:
        super().__init__()
        self.model = model
        self._product = _ProductOn(unit, **how)
        modules = dict(model.named_modules())
        unknown = [name for name in skip if name not in modules]
        if unknown:
            raise Error(
                f"The model has no module '{unknown[0]}'; it has {', '.join(name for name in modules if name)}."
            )
        self._skipped = list(skip)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        skipped = frozenset(self.model.get_submodule(name) for name in self._skipped)
        graph = Graph(self._product, skipped)
        graph.before((args, kwargs))
        # As long as there is a graph its backward may run a module once more.
        weakref.finalize(graph, _remove, [hook for module in skipped for hook in skipping(module)])
        products, others = graph.watch()
        watching = hooks(self.model)
        try:
            with _resting(current()), products, others:
                result = self.model(*args, **kwargs)
            graph.meet(result)
            return result
        except RuntimeError:  # into which a script turns all errors
            if others.refused is not None:
                raise others.refused from None
            raise
        finally:
            _remove(watching)


def _resting(around: Products | None) -> AbstractContextManager[None]:
    return nullcontext() if around is None else around.resting()


def _remove(hooks: list[Any]) -> None:
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
