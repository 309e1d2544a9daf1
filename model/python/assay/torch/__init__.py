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

from ._emulate import Emulated, emulate
from ._product import matmul

__all__ = ["Emulated", "emulate", "matmul"]
