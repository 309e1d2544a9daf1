"""PyTorch's functions on a unit: called as it lets them be called, refused where it refuses them."""

import math
import warnings

import numpy as np
import pytest

import assay

torch = pytest.importorskip("torch")
import torch.nn.functional as F
from torch import nn

from assay.torch import emulate, matmul

WIDE = "ampere:mma.m8n8k4.f64.f64.f64.f64"


def normal(*shape, seed=0):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape))


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self):
        return self.function()


A, B, V = normal(6, 6), normal(6, 6, seed=1), normal(6, seed=2)
QUERY, KEY = normal(2, 6, 5, 4), normal(2, 3, 5, 4, seed=1)
NOTHING = torch.tensor([[True] * 5, [False] * 5, *[[True] * 5] * 3])
IMAGE, FILTERS = normal(2, 4, 7, 6), normal(6, 2, 3, 2, seed=1)


def case(words, call):
    return pytest.param(call, id=words)


@pytest.mark.parametrize(
    "call",
    [
        case("matmul(input=, other=)", lambda: torch.matmul(input=A, other=B)),
        case("mm(mat2=)", lambda: torch.mm(A, mat2=B)),
        case("bmm(mat2=)", lambda: torch.bmm(A[None], mat2=B[None])),
        case("mv(vec=)", lambda: torch.mv(A, vec=V)),
        case("mm(out=)", lambda: torch.mm(A, B, out=torch.empty(0, dtype=torch.float64))),
        case("addmm(mat1=, mat2=)", lambda: torch.addmm(A, mat1=A, mat2=B, beta=2, alpha=0.5)),
        case("baddbmm(batch1=, batch2=)", lambda: torch.baddbmm(A[None], batch1=A[None], batch2=B[None])),
        case("addmm, beta=0", lambda: torch.addmm(torch.full((6, 6), math.nan).double(), A, B, beta=0)),
        case("baddbmm, beta=0", lambda: torch.baddbmm(A[None] * math.nan, A[None], B[None], beta=0)),
        case("no batch", lambda: torch.bmm(A[None][:0], B[None][:0])),
        case("no row", lambda: torch.mm(A[:0], B)),
        case("no k", lambda: torch.mm(A[:, :0], B[:0])),
        case("linear without a batch", lambda: F.linear(A[None][:0], B, V)),
        case("convolution without a batch", lambda: F.conv2d(IMAGE[:0], FILTERS, groups=2)),
        case("linear of a vector", lambda: F.linear(A, V)),
        case("conv2d", lambda: F.conv2d(IMAGE, FILTERS, V, (2, 1), (1, 2), (1, 2), 2)),
        case("conv2d, same", lambda: F.conv2d(IMAGE, FILTERS, V, padding="same", dilation=(1, 3), groups=2)),
        case("conv2d, valid", lambda: F.conv2d(IMAGE, FILTERS, V, padding="valid", stride=2, groups=2)),
        case("conv2d of one image", lambda: F.conv2d(IMAGE[0], FILTERS, groups=2)),
        case("conv1d, same", lambda: F.conv1d(IMAGE[:, :, 0], FILTERS[:, :, 0], V, padding="same", groups=2)),
        case("conv3d", lambda: F.conv3d(IMAGE[None], normal(3, 2, 2, 3, 2), None, (1, 2, 1), (1, 0, 2), (1, 2, 1))),
        case("conv3d, same", lambda: F.conv3d(IMAGE[None], normal(3, 2, 2, 3, 2), padding="same")),
        case("enable_gqa", lambda: F.scaled_dot_product_attention(QUERY, KEY, KEY, enable_gqa=True)),
        case("nothing to look at", lambda: F.scaled_dot_product_attention(KEY, KEY, KEY, NOTHING)),
        case("-inf alone", lambda: F.scaled_dot_product_attention(KEY, KEY, KEY, NOTHING.double().log())),
    ],
)
def test_a_valid_call_is_what_it_is_in_pytorch(call):
    with warnings.catch_warnings(action="ignore"):
        ours, theirs = emulate(Calls(call), unit=assay.instruction(WIDE))(), call()
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    assert ours.is_contiguous() and torch.allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda: F.conv1d(torch.ones(1, 4, 5), torch.ones(3, 2, 3), groups=2), "do not go together in 2 groups"),
        (lambda: F.conv1d(torch.ones(1, 4, 5), torch.ones(3, 2, 3)), "do not go together in 1 groups"),
        (lambda: F.conv2d(torch.ones(5, 5), torch.ones(3, 1, 3, 3)), "they have 3 or 4 axes, and 4"),
        (lambda: F.conv1d(torch.ones(1, 2, 2), torch.ones(3, 2, 3)), "window spans 3"),
        (lambda: F.conv1d(torch.ones(1, 2, 5), torch.ones(3, 2, 3), torch.ones(1)), "a bias of"),
        (lambda: F.conv1d(torch.ones(1, 2, 5), torch.ones(3, 2, 3), padding="same", stride=2), "a stride of 1"),
        (lambda: F.conv1d(torch.ones(1, 2, 5), torch.ones(3, 2, 3), padding="full"), "padding 'full'"),
        (lambda: torch.bmm(A, B), "they have 3 axes and 3"),
        (lambda: torch.mm(A[None], B), "they have 2 axes and 2"),
        (lambda: torch.mm(A, B.float()), "tensors of one dtype are multiplied"),
        (lambda: F.linear(A, B, V.float()), "tensors of one dtype are added"),
        (lambda: torch.addmm(A.expand(2, 6, 6), A, B), "not of its shape"),
        (lambda: torch.mm(A, B, out=torch.empty(0)), "both are of one dtype"),
        (lambda: torch.mm(A, B, out_dtype=torch.float32), "emulated with input, mat2"),
        (lambda: A.to_sparse() @ B, "dense tensors are multiplied"),
        (lambda: F.scaled_dot_product_attention(A, A, A, A > 0, is_causal=True), "one of them says"),
        (
            lambda: F.scaled_dot_product_attention(QUERY, QUERY[:, :4], QUERY[:, :4], enable_gqa=True),
            "a multiple of theirs",
        ),
    ],
)
def test_what_pytorch_refuses_is_refused(call, told):
    with pytest.raises(assay.Error, match=told):
        emulate(Calls(call), unit=assay.instruction(WIDE))()


def test_a_place_that_looks_at_nothing_has_no_gradient():
    for unit in (None, assay.instruction(WIDE)):
        q = KEY.clone().requires_grad_()
        model = Calls(lambda q=q: F.scaled_dot_product_attention(q, q, q, NOTHING))
        (emulate(model, unit=unit) if unit else model)().sum().backward()
        assert q.grad.isfinite().all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.sparse.mm(A.to_sparse(), B),
        lambda: torch.sparse.mm(A.to_sparse(), B.to_sparse()),
        lambda: torch.sparse.addmm(A, A.to_sparse(), B),
        lambda: torch.sparse.sampled_addmm(A.to_sparse_csr(), A, B),
        lambda: torch.hspmm(A.to_sparse(), B),
        lambda: torch.smm(A.to_sparse(), B),
        lambda: torch.sspaddmm(A.to_sparse(), A.to_sparse(), B),
        lambda: torch.conv_tbc(B.reshape(6, 1, 6), A.reshape(1, 6, 6), V),
        lambda: torch._C._nn.thnn_conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2), (2, 2)),
        lambda: torch.fbgemm_linear_fp16_weight(A.float(), torch.fbgemm_pack_gemm_matrix_fp16(B.float()), V.float()),
        lambda: torch.linalg.inv(A),
        lambda: torch.linalg.solve(A, B),
        lambda: torch.linalg.pinv(A),
        lambda: torch.linalg.householder_product(A, V),
        lambda: torch.linalg.vecdot(A, B),
        lambda: torch.linalg.qr(A),
        lambda: torch.linalg.svdvals(A),
        lambda: torch.ormqr(A, V, B),
    ],
)
def test_no_product_is_left_to_pytorch(call):
    with pytest.raises(assay.Error, match="multiplies matrices in .* which is not emulated"):
        emulate(Calls(call), unit=assay.instruction(WIDE))()


def test_a_quantised_model_is_refused(wgmma):
    with warnings.catch_warnings(action="ignore"):
        model = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(6, 6)), {nn.Linear}, torch.qint8)
    with pytest.raises(assay.Error, match="linear_dynamic, which is not emulated|linear_dynamic.* is not emulated"):
        emulate(model, unit=wgmma)(A.float())


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.linalg.norm(A),
        lambda: torch.linalg.cross(A[:, :3], B[:, :3]),
        lambda: F.normalize(A),
        lambda: F.interpolate(A[None], scale_factor=2, mode="linear"),
        lambda: F.cosine_similarity(A, B),
        lambda: torch.outer(V, V),
    ],
)
def test_what_multiplies_no_matrices_is_pytorchs(call):
    assert torch.equal(emulate(Calls(call), unit=assay.instruction(WIDE))(), call())


def test_activations_are_a_and_weights_b():
    """In linear layers and convolutions alike: on a unit of f16 and e2m1, weights of e2m1 lose nothing."""
    unit = assay.datapath(
        {
            "name": "activations of f16, weights of e2m1",
            "like": "fused_f25",
            "k": 16,
            "operands": {"a": "f16", "b": "e2m1", "c": "f32", "d": "f32"},
        }
    )
    drawn = torch.randint(8, (3, 8, 3, 3), generator=torch.manual_seed(0))
    weights, image = torch.tensor([0.0, 0.5, 1, 1.5, 2, 3, 4, -6])[drawn], normal(2, 8, 6, 6).half().float()
    for function, x, w in (
        (F.conv2d, image, weights),
        (F.linear, image.flatten(2), weights.flatten()[:108].reshape(3, 36)),
        (torch.matmul, image.flatten(2).mT, weights[0, :, 0]),
    ):
        d, exact = emulate(Calls(lambda f=function, x=x, w=w: f(x, w)), unit=unit)(), function(x.double(), w.double())
        assert (d - exact).norm() / exact.norm() < 1e-5


@pytest.mark.parametrize("call", [lambda x, w, b: F.linear(x, w, b), lambda x, w, b: torch.addmm(b, x, w)])
def test_autocast_rounds_as_it_does_in_pytorch(wgmma, call):
    x, w, b = A.float().requires_grad_(), B.float(), V.float()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        ours, theirs = emulate(Calls(lambda: call(x, w, b)), unit=wgmma)(), call(x, w, b)
        attention = emulate(Calls(lambda: F.scaled_dot_product_attention(x, x, x)), unit=wgmma)()
        layer = nn.MultiheadAttention(6, 2)
        heads = emulate(layer, unit=wgmma)(x, x, x)[0], layer(x, x, x)[0]
    assert ours.dtype == theirs.dtype == attention.dtype == torch.bfloat16
    assert heads[0].dtype == heads[1].dtype
    assert torch.allclose(ours, theirs, rtol=2**-7, atol=2**-6)
    gradients = [torch.autograd.grad(d.sum(), x)[0] for d in (ours, theirs)]
    assert gradients[0].dtype == torch.float32 and torch.allclose(*gradients, rtol=2**-6, atol=0.02)
    # Outside of autocast, and for f64, nothing changes.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert emulate(Calls(lambda: A @ B), unit=assay.instruction(WIDE))().dtype == torch.float64


def test_tensors_of_8_bits_are_multiplied():
    unit = assay.instruction("hopper:wgmma.m64nNk32.f32.e4m3.e4m3")
    a, b = A.to(torch.float8_e4m3fn), B.to(torch.float8_e4m3fn)
    d = matmul(a, b, unit)
    assert d.dtype == torch.float32 and torch.allclose(d, a.float() @ b.float(), atol=1e-2)
    mixed = assay.instruction("hopper:wgmma.m64nNk32.f32.e4m3.e5m2")
    assert matmul(a, B.to(torch.float8_e5m2), mixed).dtype == torch.float32
