#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which module includes which: the table of docs/architecture.md, applied to src/sealane.

Tests (*_test.*, fake_*), src/sealane/testing and everything outside src/sealane may include anything, and nothing
else includes them.
"""

import pathlib
import re
import sys

import source_files

SRC = pathlib.PurePosixPath("src/sealane")

# module: the modules it may include besides itself. A nested module (crypto/openssl) has a row of its own.
MAY_INCLUDE = {
    "base": "",
    "wire": "base",
    "mem": "base",
    "crypto": "base",
    "crypto/openssl": "base crypto",
    "crypto/ipsec_mb": "base crypto",
    "crypto/auto_engine": "base crypto crypto/openssl crypto/ipsec_mb",
    "ring": "base wire mem",
    "vhost_user": "base wire mem",
    "gic": "base wire",
    "device": "base wire mem ring crypto",
    "backend": "base wire mem ring crypto device vhost_user",
    "driver": "base wire mem ring",
    "driver/vhost_user": "base wire mem ring driver vhost_user",
    "driver/vfio_pci": "base wire mem ring driver",
    "loopback": "base wire mem ring crypto device driver gic",
}
TESTING = "testing"

# Another library's header (a regular expression): the modules that may include it.
LIBRARY_HEADERS = {
    r"openssl/": {"crypto/openssl"},
    r"(intel-ipsec-mb|ipsec-mb)": {"crypto/ipsec_mb"},
    r"(CLI|nlohmann|gtest|gmock|benchmark)/": set(),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def module_of(path):
    """The module that owns a path below src/sealane: the nearest folder with a row, else the folder itself."""
    for folder in path.parents:
        if folder.as_posix() in MAY_INCLUDE:
            return folder.as_posix()
    return path.parent.as_posix()


def is_test_code(path):
    return path.stem.endswith("_test") or path.name.startswith("fake_") or module_of(path) == TESTING


def check_include(module, quote, header):
    """What is wrong with this include in this module, or None."""
    if quote == "<":
        for pattern, owners in LIBRARY_HEADERS.items():
            if re.match(pattern, header) and module not in owners:
                return f"{module} may not include <{header}>"
        return None
    if not header.startswith("sealane/"):
        return f'"{header}" is not written from the include root ("sealane/...")'
    included = pathlib.PurePosixPath(header).relative_to("sealane")
    if is_test_code(included):
        return f"only tests may include {header}"
    target = module_of(included)
    if target != module and target not in MAY_INCLUDE[module].split():
        return f"{module} may not include {target} ({header})"
    return None


def check_file(root, path):
    relative = path.relative_to(SRC)
    module = module_of(relative)
    if is_test_code(relative):
        return []
    if module not in MAY_INCLUDE:
        return [f"{path}: module {module} is not in the table of tools/check_layers.py"]
    problems = []
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        problem = match and check_include(module, match[1], match[2])
        if problem:
            problems.append(f"{path}:{number}: {problem}")
    return problems


def main():
    root = source_files.parse_root(__doc__)
    files = [path for path in source_files.list_files(root, source_files.CXX_SUFFIXES)
             if path.is_relative_to(SRC)]
    return source_files.report(problem for path in files for problem in check_file(root, path))


if __name__ == "__main__":
    sys.exit(main())
