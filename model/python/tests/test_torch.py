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
    torch.library.opcheck(torch.ops.assay.matmul.default, (a, b, json.dumps(wgmma._source), 1, 0))


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


CAUSAL = torch.ones(5, 5, dtype=torch.bool).triu(1)


@pytest.mark.parametrize(
    "words, call",
    [
        ({}, {}),
        ({"bias": False}, {"need_weights": False}),
        ({}, {"attn_mask": CAUSAL, "is_causal": True}),
        ({}, {"attn_mask": CAUSAL.double() * -3, "average_attn_weights": False}),
        ({}, {"attn_mask": normal(6, 5, 5, seed=3) > 0.7, "key_padding_mask": torch.arange(5) > torch.tensor([[3], [4]])}),
        ({"kdim": 6, "vdim": 9}, {"key_padding_mask": (torch.arange(5) * torch.tensor([[-0.5], [1]])).double()}),
        ({"batch_first": True}, {}),
    ],
)
def test_multi_head_attention_on_a_wide_unit_is_its_own(words, call):
    torch.manual_seed(0)
    layer = torch.nn.MultiheadAttention(12, 3, **words).double()
    sizes = 12, words.get("kdim", 12), words.get("vdim", 12)
    for shape in ((5, 2), (5,)):
        if shape == (5,) and any(getattr(mask, "ndim", 0) == 3 or name == "key_padding_mask" for name, mask in call.items()):
            continue
        if words.get("batch_first"):
            shape = shape[::-1]
        q, k, v = (normal(*shape, size, seed=i).double().requires_grad_() for i, size in enumerate(sizes))
        on_unit = emulate(layer, unit=assay.instruction(WIDE))
        ours, theirs = on_unit(q, k, v, **call), layer(q, k, v, **call)
        assert (ours[1] is None) == (theirs[1] is None)
        for x, y in zip(ours, theirs, strict=True):
            assert x is None or (x.shape == y.shape and torch.allclose(x, y, rtol=1e-11, atol=1e-12))
        gradients = [torch.autograd.grad(d[0].square().sum(), [q, k, v, *layer.parameters()]) for d in (ours, theirs)]
        assert all(torch.allclose(x, y, rtol=1e-9, atol=1e-11) for x, y in zip(*gradients, strict=True))


@pytest.mark.parametrize("learns", [True, False])
def test_a_transformers_layer_goes_to_the_unit(wgmma, learns):
    """Where it does not learn PyTorch has one kernel for the whole layer, which would pass the unit by."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True).train(learns)
    x = normal(2, 5, 16)
    with torch.set_grad_enabled(learns):
        wide = emulate(layer.double(), unit=assay.instruction(WIDE))(x.double())
        assert torch.allclose(wide, layer(x.double()), rtol=1e-9, atol=1e-11)
        layer.float()
        assert not torch.allclose(emulate(layer, unit=wgmma.with_(F=2))(x), layer(x), rtol=0.01)


def test_sums_are_promoted_as_matmul_promotes_them(wgmma):
    unit = assay.instruction("hopper:wgmma.m64nNk32.f32.e4m3.e4m3").with_(F=8)
    a, b = normal(3, 256), normal(256, 4, seed=1)
    qa, qb = assay.quantise(unit, "a", a.numpy()), assay.quantise(unit, "b", b.numpy())
    expected = unit.matmul(qa.codes, qb.codes, promote_every=64).view(np.float32) * np.float32(qa.factor * qb.factor)
    d = matmul(a, b, unit, promote_every=64)
    assert np.array_equal(d.numpy(), expected) and not torch.equal(d, matmul(a, b, unit))
    layer = torch.nn.Linear(256, 4, bias=False)
    layer.weight.data = b.T.contiguous()
    assert torch.equal(emulate(layer, unit=unit, promote_every=64)(a), d)


def test_a_linear_layer_is_its_product(wgmma):
    layer, x = torch.nn.Linear(32, 4, bias=False), normal(5, 32)
    assert np.array_equal(
        emulate(layer, unit=wgmma)(x).detach().numpy(), wgmma.matmul(x.numpy(), layer.weight.detach().numpy().T)
    )


def test_what_makes_no_sense(wgmma):
    layer = torch.nn.Linear(4, 4)
    for make, words in [
        (lambda: matmul(torch.ones(2, 16), torch.ones(15, 2), wgmma), "make no product"),
        (lambda: matmul(torch.ones(2, 16, dtype=torch.int32), torch.ones(16, 2), wgmma), "tensors of floats"),
        (lambda: matmul(torch.ones(()), torch.ones(2), wgmma), "each needs an axis"),
        (lambda: emulate(layer, unit="hopper"), "unit is str"),
        (lambda: emulate(layer, unit=wgmma, skip=["none"]), "no module 'none'"),
        (
            lambda: emulate(torch.nn.MultiheadAttention(4, 2, add_zero_attn=True), unit=wgmma)(*[torch.ones(3, 4)] * 3),
            "is not emulated",
        ),
        (
            lambda: emulate(torch.nn.MultiheadAttention(4, 2), unit=wgmma)(*[torch.ones(3, 4)] * 3, is_causal=True),
            "give that, too",
        ),
        (lambda: emulate(torch.nn.Bilinear(2, 2, 2), unit=wgmma)(*[torch.ones(3, 2)] * 2), "is not emulated"),
        (lambda: matmul(torch.ones(2, 16), torch.ones(16, 2), wgmma, promote_every=0), "promote_every is 0"),
        (
            lambda: matmul(torch.full((1, 64), torch.nan), torch.ones(64, 1), assay.instruction(SCALED)),
            "a has a NaN or an infinity",
        ),
    ]:
        with pytest.raises(assay.Error, match=words):
            make()


class Calls(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


@pytest.mark.parametrize(
    "model",
    [
        torch.nn.LSTM(8, 8),
        torch.nn.GRU(8, 8),
        torch.nn.RNN(8, 8),
        torch.nn.LSTMCell(8, 8),
        torch.nn.ConvTranspose1d(8, 8, 3),
        torch.jit.trace(torch.nn.Linear(8, 8), torch.ones(8, 8)),
        torch.jit.script(torch.nn.Linear(8, 8)),
        *map(
            Calls,
            [
                lambda x: torch.einsum("ij,jk->ik", x, x),
                lambda x: torch.linalg.matmul(x, x),
                lambda x: torch.tensordot(x, x, 1),
                lambda x: torch.inner(x, x),
                lambda x: torch.dot(x[0], x[1]),
                lambda x: torch.linalg.multi_dot([x, x, x]),
                lambda x: torch.linalg.matrix_power(x, 3),
                lambda x: torch.addmv(x[0], x, x[1]),
                lambda x: torch.convolution(x[None], x[:, :, None], None, [1], [0], [1], False, [0], 1),
                lambda x: x.addmm_(x, x),
                lambda x: torch.cdist(x.repeat(5, 1), x.repeat(5, 1)),
            ],
        ),
    ],
    ids=str,
)
def test_no_product_is_left_to_pytorch(wgmma, model):
    with torch.no_grad(), pytest.raises(assay.Error, match="which is not emulated"):
        emulate(model, unit=wgmma)(torch.ones(8, 8))


def test_what_is_skipped_is_left_to_pytorch(wgmma):
    model = torch.nn.Sequential(torch.nn.LSTM(8, 8))
    assert torch.equal(emulate(model, unit=wgmma, skip=["0"])(torch.ones(8, 8))[0], model(torch.ones(8, 8))[0])
