"""Nothing that autograd calls is left to PyTorch: products in backward, forward-mode derivatives, batches."""

import copy
import pickle
import threading

import numpy as np
import pytest

import assay

torch = pytest.importorskip("torch")
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from assay.torch import emulate, matmul

WIDE = "ampere:mma.m8n8k4.f64.f64.f64.f64"


def normal(*shape, seed=0):
    return torch.from_numpy(np.float32(np.random.default_rng(seed).normal(size=shape)))


@pytest.fixture(scope="module")
def coarse(wgmma):
    """With two fraction bits left PyTorch's own results are others."""
    return wgmma.with_(F=2)


def net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 16))


def results(model):
    x = normal(8, 16, seed=5).requires_grad_()
    y = model(x)
    y.sum().backward()
    return [y.detach(), x.grad, *(p.grad.clone() for p in model.parameters())]


def equal(ours, theirs):
    return all(torch.equal(x, y) for x, y in zip(ours, theirs, strict=True))


class Checkpointed(nn.Module):
    def __init__(self, inner, reentrant):
        super().__init__()
        self.inner, self.reentrant = inner, reentrant

    def forward(self, x):
        return checkpoint(self.inner, x, use_reentrant=self.reentrant)


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.parametrize("outside", [True, False])
def test_what_a_checkpoint_computes_again_goes_to_the_unit(coarse, reentrant, outside):
    expected = results(emulate(net(), unit=coarse))
    assert not equal(expected, results(net()))
    model = (
        Checkpointed(emulate(net(), unit=coarse), reentrant)
        if outside
        else emulate(Checkpointed(net(), reentrant), unit=coarse)
    )
    assert equal(results(model), expected)


@pytest.mark.parametrize("reentrant", [True, False])
def test_what_is_skipped_in_a_checkpoint_is_pytorchs_again(coarse, reentrant):
    for skip in ("0", "2"):
        expected = results(emulate(net(), unit=coarse, skip=[skip]))
        checked = emulate(Checkpointed(net(), reentrant), unit=coarse, skip=[f"inner.{skip}"])
        assert equal(results(checked), expected)


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_module_on_a_unit_of_its_own_stays_there(wgmma, coarse, reentrant):
    def mixed(inner):
        torch.manual_seed(1)
        return results(emulate(nn.Sequential(inner, nn.Linear(16, 16)), unit=wgmma))

    checked = emulate(Checkpointed(net(), reentrant), unit=coarse, skip=["inner.0"])
    found = mixed(emulate(net(), unit=coarse, skip=["0"]))
    assert equal(mixed(checked), found) and not equal(mixed(net()), found)


class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.t()

    @staticmethod
    def backward(ctx, gradient):
        x, w = ctx.saved_tensors
        return gradient @ w, gradient.t() @ x


class Refused(Own):
    @staticmethod
    def backward(ctx, gradient):
        return torch.einsum("ij,jk->ik", gradient, ctx.saved_tensors[1]), None


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function, self.inner = function, nn.Linear(16, 16, bias=False)
        self.inner.weight.data = normal(16, 16, seed=1)

    def forward(self, x):
        return self.function(x, self.inner.weight)


class Backwards(Calls):
    def forward(self, x):
        return self.function(self.inner(x), self.inner.weight)


def test_a_function_of_ones_own_multiplies_on_the_unit_in_backward(coarse):
    expected = results(emulate(Calls(F.linear), unit=coarse))
    assert equal(results(emulate(Calls(Own.apply), unit=coarse)), expected)
    assert not equal(results(Calls(Own.apply)), expected)
    # Followed by something else, and around it.
    after = [results(emulate(Calls(lambda x, w, f=f: f(x.sin(), w).cos()), unit=coarse)) for f in (Own.apply, F.linear)]
    assert equal(*after)


def test_a_function_that_was_there_before_stays_pytorchs(coarse):
    """The graph that a model's input and its parameters come from is no part of the model."""
    x, w = normal(8, 16).requires_grad_(), normal(16, 16, seed=1)
    for before in (Own.apply, F.linear):
        gradients = []
        for model in (nn.Identity(), emulate(nn.Identity(), unit=coarse)):
            gradients += torch.autograd.grad(model(before(x, w)).sin().sum(), x)
        assert torch.equal(*gradients)
    layer = emulate(nn.Linear(16, 16, bias=False), unit=coarse)
    seed = normal(16, 16, seed=2).requires_grad_()
    made = torch.func.functional_call(layer, {"model.weight": F.linear(seed, w)}, (normal(8, 16),))
    assert torch.autograd.grad(made.sum(), seed)[0].isfinite().all()


def test_what_is_not_emulated_is_refused_in_backward_too(coarse):
    y = emulate(Calls(Refused.apply), unit=coarse)(normal(8, 16).requires_grad_())
    with pytest.raises(assay.Error, match="einsum .* which is not emulated"):
        y.sum().backward()
    # A backward that failed leaves nothing behind.
    x = normal(3, 16).requires_grad_()
    assert torch.equal(torch.einsum("ij,kj->ik", x, x), torch.einsum("ij,kj->ik", x, x))


def test_a_hook_of_a_module_multiplies_on_the_unit(coarse):
    hooked, ones = net(), torch.full((16, 16), 1.01)
    hooked.register_full_backward_hook(lambda module, before, after: (before[0] @ ones,))
    expected = matmul(results(emulate(net(), unit=coarse))[1], ones, coarse)
    assert torch.equal(results(emulate(hooked, unit=coarse))[1], expected)


class InThread(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.raised = net(), None

    def forward(self, x):
        thread = threading.Thread(target=self.call, args=(x,))
        thread.start()
        thread.join()
        return x

    def call(self, x):
        try:
            self.inner(x)
        except assay.Error as error:
            self.raised = str(error)


def test_a_hook_of_a_tensor_multiplies_on_the_unit(coarse):
    ones = torch.full((16, 16), 1.01)

    def forward(x, w):
        x = x.sin()
        x.register_hook(lambda gradient: gradient @ ones)
        return F.linear(x, w)

    x, w = normal(8, 16, seed=5), normal(16, 16, seed=1)
    into = matmul(matmul(torch.ones(8, 16), w, coarse), ones, coarse)
    assert torch.allclose(results(emulate(Calls(forward), unit=coarse))[1], into * x.cos())


def test_a_gradient_within_a_model_is_the_units(coarse):
    """What a force of an energy is: the skipped layer's own backward is PyTorch's, and may be done in the forward."""

    def force(of):
        def forward(x, w):
            x = x.detach().requires_grad_()
            return torch.autograd.grad(of(x, w).square().sum(), x, create_graph=True)[0]

        return forward

    ours, own, theirs = (
        results(emulate(Calls(force(of)), unit=coarse)) if of else None for of in (F.linear, Own.apply, None)
    )
    assert theirs is None and equal(ours[:1] + ours[2:], own[:1] + own[2:])


def test_a_module_in_another_thread_is_refused(coarse):
    model = InThread()
    emulate(model, unit=coarse)(normal(8, 16))
    assert "a module of it is called in another, where PyTorch would compute it" in model.raised
    model.inner(normal(8, 16))  # by itself it is what it was


def test_two_threads_run_one_model_on_units_of_their_own(wgmma, coarse):
    model, x, found = net(), normal(64, 16), {}

    def run(unit):
        found[unit] = [emulate(model, unit=unit)(x) for _ in range(5)]

    threads = [threading.Thread(target=run, args=(unit,)) for unit in (wgmma, coarse)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for unit in (wgmma, coarse):
        assert all(torch.equal(y, emulate(model, unit=unit)(x)) for y in found[unit])


def test_a_model_is_copied_and_pickled_while_there_is_a_graph(coarse):
    model = net()
    y = emulate(model, unit=coarse, skip=["0"])(normal(8, 16))
    again = pickle.loads(pickle.dumps(model))
    assert torch.equal(again(normal(8, 16)), copy.deepcopy(model)(normal(8, 16)))
    del y
    assert not model[0]._forward_hooks and not model[0]._forward_pre_hooks


def test_tangents_are_products_on_the_unit(coarse):
    x, b, g, h = normal(8, 16), normal(16, 4, seed=1), normal(8, 16, seed=2), normal(16, 4, seed=3)
    _, by_a = torch.func.jvp(lambda x: matmul(x, b, coarse), (x,), (g,))
    assert torch.equal(by_a, matmul(g, b, coarse))
    _, by_both = torch.func.jvp(lambda x, b: matmul(x, b, coarse), (x, b), (g, h))
    assert torch.equal(by_both, matmul(g, b, coarse) + matmul(x, h, coarse))
    with torch.autograd.forward_ad.dual_level():
        d = matmul(torch.autograd.forward_ad.make_dual(x, g), b, coarse)
        assert torch.equal(torch.autograd.forward_ad.unpack_dual(d).tangent, by_a)


def test_derivatives_of_every_mode_where_the_unit_is_wide():
    unit = assay.instruction(WIDE)
    a, b = normal(2, 3, 6).double().requires_grad_(), normal(6, 2, seed=1).double().requires_grad_()
    c = normal(2, 6, 3, seed=2).double().requires_grad_()
    for x, y in ((a, b), (a, c), (b.detach().mT.requires_grad_(), c)):
        assert torch.autograd.gradcheck(lambda x, y: matmul(x, y, unit), (x, y), check_forward_ad=True)
        assert torch.autograd.gradgradcheck(lambda x, y: matmul(x, y, unit), (x, y), check_fwd_over_rev=True)
    model, x = net().double(), normal(3, 16).double()
    on_unit = emulate(model, unit=unit)
    for make in (torch.func.jacfwd, torch.func.jacrev, torch.func.hessian):
        assert torch.allclose(make(lambda x: on_unit(x).sum(0))(x), make(lambda x: model(x).sum(0))(x), atol=1e-10)
    each = torch.func.vmap(torch.func.grad(lambda x: on_unit(x).sum()))(x)
    assert torch.allclose(each, torch.func.vmap(torch.func.grad(lambda x: model(x).sum()))(x), atol=1e-10)


@pytest.mark.parametrize("shape", [(64, 16, 8), (4, 16, 16, 8), (1024, 8)])
def test_a_weights_gradient_is_one_product_over_all_batches(wgmma, shape):
    """As it is in PyTorch, whose linear multiplies (4, 1024) x (1024, 8) once, whatever the batches."""
    coarse, layer = wgmma.with_(F=6), nn.Linear(8, 4, bias=False)
    x, g = normal(*shape), normal(*shape[:-1], 4, seed=1)
    emulate(layer, unit=coarse)(x).backward(g)
    once = matmul(x.flatten(0, -2).T.contiguous(), g.flatten(0, -2), coarse).T
    assert torch.equal(layer.weight.grad, once)
    b = layer.weight.detach().T.clone().requires_grad_()
    matmul(x, b, coarse).backward(g)
    assert torch.equal(b.grad, once.T)


def test_a_matrix_before_batches_is_one_product_too(wgmma):
    coarse, a, b, g = (
        wgmma.with_(F=6),
        normal(4, 8).requires_grad_(),
        normal(64, 8, 16, seed=1),
        normal(64, 4, 16, seed=2),
    )
    d = matmul(a, b, coarse)
    assert torch.equal(d.detach(), torch.stack([matmul(a.detach(), one, coarse) for one in b]))
    d.backward(g)
    columns, gradients = (x.movedim(-2, 0).flatten(1) for x in (b, g))
    assert torch.equal(a.grad, matmul(gradients, columns.T, coarse))


def test_a_filters_gradient_is_one_product_over_batches_and_places(wgmma):
    coarse, layer = wgmma.with_(F=6), nn.Conv2d(2, 3, 3, bias=False)
    x, g = normal(5, 2, 8, 7), normal(5, 3, 6, 5, seed=1)
    d = emulate(layer, unit=coarse)(x)
    patches = F.unfold(x, 3).mT.flatten(0, 1)
    assert torch.equal(d.movedim(1, -1).flatten(0, 2), matmul(patches, layer.weight.flatten(1).T, coarse))
    d.backward(g)
    by_place = g.movedim(1, -1).flatten(0, 2)
    assert torch.equal(layer.weight.grad.flatten(1), matmul(patches.T, by_place, coarse).T)
