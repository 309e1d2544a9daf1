"""PyTorch through a unit: the bits of u.matmul, forward and backward."""

import numpy as np
import pytest
from conftest import SCALED

import assay

torch = pytest.importorskip("torch")
import torch.nn.functional as F

from assay.torch import emulate, matmul

WIDE = "ampere:mma.m8n8k4.f64.f64.f64.f64"


def normal(*shape, seed=0):
    return torch.from_numpy(np.float32(np.random.default_rng(seed).normal(size=shape)))


@pytest.mark.parametrize(
    "shapes", [((5, 32), (32, 7)), ((2, 1, 3, 16), (4, 16, 2)), ((16,), (16, 3)), ((3, 16), (16,)), ((16,), (16,))]
)
def test_bits_are_those_of_matmul(wgmma, shapes):
    a, b = normal(*shapes[0]), normal(*shapes[1], seed=1)
    d = matmul(a, b, wgmma)
    expected = wgmma.matmul(a.numpy(), b.numpy())
    assert d.dtype == torch.float32 and np.array_equal(d.numpy(), expected)


def test_k_is_filled_up(wgmma):
    a, b = normal(3, 21), normal(21, 4, seed=1)
    padded = wgmma.matmul(np.pad(a.numpy(), [(0, 0), (0, 11)]), np.pad(b.numpy(), [(0, 11), (0, 0)]))
    assert np.array_equal(matmul(a, b, wgmma).numpy(), padded)


def test_gradients_go_through_the_unit(wgmma):
    narrow = wgmma.with_(F=8)
    a, b, g = normal(4, 32).requires_grad_(), normal(32, 16, seed=1).requires_grad_(), normal(4, 16, seed=2)
    matmul(a, b, narrow).backward(g)
    assert np.array_equal(a.grad.numpy(), narrow.matmul(g.numpy(), b.detach().numpy().T))
    of_b = narrow.matmul(np.pad(a.detach().numpy().T, [(0, 0), (0, 12)]), np.pad(g.numpy(), [(0, 12), (0, 0)]))
    assert np.array_equal(b.grad.numpy(), of_b)


def test_gradcheck_where_the_unit_is_wide():
    unit = assay.instruction(WIDE)
    a, b = normal(2, 3, 6).double().requires_grad_(), normal(6, 2, seed=1).double().requires_grad_()
    assert torch.autograd.gradcheck(lambda x, y: matmul(x, y, unit), (a, b))


def test_the_operator_is_a_good_one(wgmma):
    import json

    a, b = normal(2, 16).requires_grad_(), normal(16, 2, seed=1)
    torch.library.opcheck(torch.ops.assay.matmul.default, (a, b, json.dumps(wgmma._source), 1))


@pytest.mark.parametrize(
    "name",
    ["hopper:wgmma.m64nNk32.f32.e4m3.e4m3", SCALED, "rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"],
)
def test_narrow_formats_are_scaled_as_the_unit_demands(name):
    unit = assay.instruction(name)
    a, b = normal(4, 128) * 1e5, normal(128, 4, seed=1) * 1e-5
    qa, qb = assay.quantise(unit, "a", a.numpy()), assay.quantise(unit, "b", b.numpy())
    scales = {} if unit.scale is None else {"scale_a": qa.scales, "scale_b": qb.scales}
    expected = unit.matmul(qa.codes, qb.codes, **scales).view(np.float32) * np.float32(qa.factor * qb.factor)
    d = matmul(a, b, unit)
    assert np.array_equal(d.numpy(), expected)
    error = (d - a @ b).norm() / (a @ b).norm()
    assert error < (0.05 if unit.a.name == "e4m3" else 0.25)
    # What codes, scales and factor stand for is near what went in.
    values = unit.a.decode(qa.codes) * qa.factor
    if unit.scale is not None:
        values = values * np.repeat(unit.scale.decode(qa.scales), unit.k // unit.scales, axis=-1)
    assert np.linalg.norm(values - a.numpy()) / np.linalg.norm(a.numpy()) < (0.04 if unit.a.name == "e4m3" else 0.2)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(2, 4, 3, stride=2, padding=1, groups=2)
        self.line = torch.nn.Conv1d(4, 6, 3, dilation=2)
        self.linear = torch.nn.Linear(6, 8)

    def forward(self, x):
        x = self.line(self.conv(x).flatten(2))
        q = self.linear(x.mT)
        x = F.scaled_dot_product_attention(q, q, q, is_causal=True)
        return x @ x.mT + torch.bmm(x, x.mT)


def test_a_model_on_a_wide_unit_is_the_model():
    torch.manual_seed(0)
    net, x = Net().double(), normal(3, 2, 9, 7).double()
    on_unit = emulate(net, unit=assay.instruction(WIDE))
    assert torch.allclose(on_unit(x), net(x), rtol=1e-12, atol=1e-12)
    gradients = [torch.autograd.grad(which(x).square().sum(), list(net.parameters())) for which in (net, on_unit)]
    for ours, theirs in zip(*gradients, strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-10, atol=1e-10)


def test_every_product_of_a_model_is_the_units(wgmma):
    """With one fraction bit left nothing stays as it was; what is skipped does."""
    torch.manual_seed(0)
    net, x = Net(), normal(3, 2, 9, 7)
    coarse = wgmma.with_(F=1)
    assert not torch.allclose(emulate(net, unit=coarse)(x), net(x), rtol=0.01)
    conv = emulate(net.conv, unit=coarse, skip=[""])
    assert torch.equal(conv(x), net.conv(x))
    y = emulate(net, unit=coarse, skip=["conv", "line", "linear"])(x)
    attention_alone = net.linear(net.line(net.conv(x).flatten(2)).mT)
    held = F.softmax(
        (matmul(attention_alone, attention_alone.mT, coarse) / 8**0.5).masked_fill(
            ~torch.ones(*([attention_alone.shape[1]] * 2), dtype=torch.bool).tril(), -torch.inf
        ),
        -1,
    )
    z = matmul(held, attention_alone, coarse)
    assert torch.equal(y, matmul(z, z.mT, coarse) + matmul(z, z.mT, coarse))
    y.sum().backward()


def test_a_linear_layer_is_its_product(wgmma):
    layer, x = torch.nn.Linear(32, 4, bias=False), normal(5, 32)
    assert np.array_equal(
        emulate(layer, unit=wgmma)(x).detach().numpy(), wgmma.matmul(x.numpy(), layer.weight.detach().numpy().T)
    )


def test_what_makes_no_sense(wgmma):
    layer = torch.nn.Linear(4, 4)
    for make, words in [
        (lambda: matmul(torch.ones(2, 16), torch.ones(15, 2), wgmma), "make no product"),
        (lambda: matmul(torch.ones(2, 0), torch.ones(0, 2), wgmma), "make no product"),
        (lambda: matmul(torch.ones(2, 16, dtype=torch.int32), torch.ones(16, 2), wgmma), "tensors of floats"),
        (lambda: matmul(torch.ones(()), torch.ones(2), wgmma), "each needs an axis"),
        (lambda: emulate(layer, unit="hopper"), "unit is str"),
        (lambda: emulate(layer, unit=wgmma, skip=["none"]), "no module 'none'"),
        (lambda: emulate(torch.nn.MultiheadAttention(4, 2), unit=wgmma)(*[torch.ones(3, 4)] * 3), "is not emulated"),
        (
            lambda: matmul(torch.full((1, 64), torch.nan), torch.ones(64, 1), assay.instruction(SCALED)),
            "a has a NaN or an infinity",
        ),
    ]:
        with pytest.raises(assay.Error, match=words):
            make()
