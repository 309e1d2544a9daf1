"""Sees to it that no product of a model is PyTorch's own: in its forward, and in what its backward calls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn, overrides
from torch.overrides import TorchFunctionMode, handle_torch_function, has_torch_function
from torch.utils import _python_dispatch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from .._library import Error
from ._functions import EMULATED
from ._refused import multiplies, multiplies_unseen

_HOW = "write it with matmul, linear, a convolution or scaled_dot_product_attention, or skip its module."
_BACKWARD = {torch.autograd.backward, torch.autograd.grad, Tensor.backward}
_SEEN = "assay"  # in a node's metadata: somebody decided what it is


class Products(TorchFunctionMode):
    """Takes the functions that multiply matrices to a unit, within its `with`, in one thread."""

    def __init__(self, product: Any, skip: frozenset[nn.Module], graph: Graph) -> None:
        super().__init__()
        self._product, self._graph = product, graph
        self.skip, self.skipped = skip, 0
        self.rests = 0  # while a module runs on a unit of its own, which sees to all of it
        self.function = ""  # that PyTorch computes itself

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function is current:
            return self
        if self.rests:
            return function(*args, **kwargs)
        name = getattr(function, "__name__", "")
        if name != "__get__":  # for t.grad_fn.register_hook(..): the first hook runs first, and ours are to be the last
            self._graph.meet((args, kwargs))
        if function is Tensor.register_hook and not self.skipped:
            return self._hooked(*args, **kwargs)
        with self._passing(function in _BACKWARD):
            result = self._called(function, name, args, kwargs)
            self._graph.take(result, by_pytorch=bool(self.skipped))
            return result

    @contextmanager
    def resting(self) -> Iterator[None]:
        self.rests += 1
        try:
            yield
        finally:
            self.rests -= 1

    def _hooked(self, tensor: Tensor, hook: Callable[[Tensor], Any]) -> Any:
        def watched(gradient: Tensor) -> Any:
            products, others = self._graph.watch()
            with products, others:
                return hook(gradient)

        return tensor.register_hook(watched)  # type: ignore[no-untyped-call]

    @contextmanager
    def _passing(self, passes: bool) -> Iterator[None]:
        """Within a backward each node has a watch of its own, or has none."""
        self.skipped += passes
        try:
            yield
        finally:
            self.skipped -= passes

    def _called(self, function: Any, name: str, args: Any, kwargs: Any) -> Any:
        own = None if self.skipped else EMULATED.get(function)
        if own is not None:
            return own(self._product, *args, **kwargs)
        if multiplies_unseen(name) and not self.skipped:
            raise Error(f"This model multiplies matrices in {name}, which is not emulated; {_HOW}")
        self.function = name
        return function(*args, **kwargs)


class NoOtherProducts(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Refuses what multiplies matrices by whatever way PyTorch came to it: all of it goes through these operators."""

    def __init__(self, products: Products) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._products = products
        self.refused: Error | None = None

    def __torch_dispatch__(self, operator: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        passes = self._products.skipped or self._products.rests
        if not passes and multiplies(operator):
            self.refused = Error(
                f"This model multiplies matrices in {self._products.function or 'a script'} (PyTorch's "
                f"{operator.overloadpacket.__name__}), which is not emulated; {_HOW}"
            )
            raise self.refused
        return operator(*args, **(kwargs or {}))


def current() -> Products | None:
    """What watches this thread, if anything does."""
    found: Products | None = handle_torch_function(current, (None,)) if has_torch_function((None,)) else None
    return found


class Graph:
    """The part of autograd's graph that a model made: its nodes run under watch.

    Products are nodes that go to the unit by themselves. What else multiplies in backward is Python that a node calls: an own
    autograd.Function, or the forward that a checkpoint runs once more as soon as any node asks for what it had saved.
    """

    def __init__(self, product: Any, skip: frozenset[nn.Module]) -> None:
        self._product, self._skip = product, skip

    def watch(self) -> tuple[Products, NoOtherProducts]:
        products = Products(self._product, self._skip, self)
        return products, NoOtherProducts(products)

    def before(self, values: Any) -> None:
        """What a model is given was made by others."""
        for node in _nodes(values):
            node.metadata[_SEEN] = True

    def meet(self, values: Any) -> None:
        """What no function returned: of an own autograd.Function, else of others."""
        for node in _nodes(values):
            if _is_new(node):
                self._decide(node, watched=_is_python(node), by_pytorch=False)

    def take(self, values: Any, by_pytorch: bool) -> None:
        """What a function returned, back to what it was given; a module that is skipped computes its own backward, too."""
        new = list(_nodes(values))
        while new:
            node = new.pop()
            if _is_new(node):
                self._decide(node, watched=not (by_pytorch and _is_python(node)), by_pytorch=by_pytorch)
                new += [before for before, _ in node.next_functions if before is not None]

    def _decide(self, node: Any, watched: bool, by_pytorch: bool) -> None:
        node.metadata[_SEEN] = True
        if watched:
            node.register_prehook(self._enter_functions if by_pytorch else self._enter)
            node.register_hook(self._leave_functions if by_pytorch else self._leave)

    # A node that fails is left without its second hook; autograd itself takes the modes away then, and they are nowhere else.

    def _enter(self, *_: Any) -> None:
        products, others = self.watch()
        overrides._push_mode(products)  # type: ignore[no-untyped-call]
        _python_dispatch._push_mode(others)

    def _leave(self, *_: Any) -> None:
        _python_dispatch._pop_mode()
        overrides._pop_mode()  # type: ignore[no-untyped-call]

    def _enter_functions(self, *_: Any) -> None:
        overrides._push_mode(self.watch()[0])  # type: ignore[no-untyped-call]

    def _leave_functions(self, *_: Any) -> None:
        overrides._pop_mode()  # type: ignore[no-untyped-call]


def _nodes(values: Any) -> Iterator[Any]:
    for value in pytree.tree_leaves(values):
        node = value.grad_fn if isinstance(value, Tensor) else None
        if node is not None:
            yield node


def _is_new(node: Any) -> bool:
    return hasattr(node, "metadata") and _SEEN not in node.metadata and type(node).__name__ != "AccumulateGrad"


def _is_python(node: Any) -> bool:
    return isinstance(node, torch.autograd.function.BackwardCFunction)


def hooks(model: nn.Module) -> list[Any]:
    """For the time of a forward: the model's modules are called in one thread."""
    thread = threading.get_ident()

    def in_thread(*_: Any) -> None:
        if threading.get_ident() != thread and current() is None:
            raise Error(
                "This model runs on a unit in one thread, and a module of it is called in another, where PyTorch would compute it; "
                "call it in the thread of the model, or a copy of it (copy.deepcopy)."
            )

    # A script takes no hooks; it is refused, unless it multiplies nothing.
    own = [module for module in model.modules() if not isinstance(module, torch.jit.ScriptModule)]
    return [module.register_forward_pre_hook(in_thread) for module in own]


def skipping(module: nn.Module) -> list[Any]:
    """Hooks by which a module computes itself where the watch says so. They are no closures: models are pickled with them."""
    before: Callable[..., None] = _enter_skipped
    return [
        module.register_forward_pre_hook(before, with_kwargs=True),
        module.register_forward_hook(_leave_skipped, always_call=True),
    ]


def _enter_skipped(module: nn.Module, args: Any, kwargs: Any) -> None:
    watch = current()
    if watch is not None and module in watch.skip:
        watch.skipped += 1


def _leave_skipped(module: nn.Module, args: Any, output: Any) -> None:
    watch = current()
    if watch is not None and module in watch.skip:
        watch.skipped -= 1
