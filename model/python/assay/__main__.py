"""`python3 -m assay ..` and the program `assay` of the wheel: the command that lies beside the library."""

from __future__ import annotations

import os
import sys

from ._bench import _command


def main() -> None:
    command = _command()
    os.execv(command, [command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
