#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds bad trees to the check scripts: a check that cannot fail checks nothing."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


class CheckScripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_check(self, script):
        command = [sys.executable, str(TOOLS / script), "--root", str(self.root)]
        result = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def assert_accepts(self, script):
        self.assertEqual(self.run_check(script), (0, ""))

    def assert_rejects(self, script, message):
        code, output = self.run_check(script)
        self.assertEqual(code, 1)
        self.assertIn(message, output)


class CheckLayers(CheckScripts):
    def include(self, file, header):
        self.write(f"src/sealane/{file}", f"{LICENCE}#include {header}\n")

    def test_layers_allowed_includes_accepted(self):
        self.include("device/worker.cc", '"sealane/ring/descriptor_chain.h"')
        self.include("device/worker.h", '"sealane/device/data_queue.h"')
        self.include("crypto/openssl/cipher.cc", "<openssl/evp.h>")
        self.include("wire/le.h", "<vector>")
        self.assert_accepts("check_layers.py")

    def test_layers_folder_without_row_belongs_to_its_module(self):
        self.include("ring/device/split_queue.cc", '"sealane/ring/descriptor_chain.h"')
        self.assert_accepts("check_layers.py")
        self.include("ring/device/split_queue.cc", '"sealane/device/worker.h"')
        self.assert_rejects("check_layers.py", "ring may not include device")

    def test_layers_upward_include_rejected(self):
        self.include("crypto/lane.cc", '"sealane/wire/virtio_crypto.h"')
        self.assert_rejects("check_layers.py", "lane.cc:2: crypto may not include wire")

    def test_layers_device_including_socket_rejected(self):
        self.include("device/worker.cc", '"sealane/vhost_user/connection.h"')
        self.assert_rejects("check_layers.py", "device may not include vhost_user")

    def test_layers_nested_module_is_not_its_parent(self):
        self.include("crypto/registry.cc", '"sealane/crypto/openssl/engine.h"')
        self.assert_rejects("check_layers.py", "crypto may not include crypto/openssl")

    def test_layers_library_header_elsewhere_rejected(self):
        self.include("device/worker.cc", "<openssl/evp.h>")
        self.assert_rejects("check_layers.py", "device may not include <openssl/evp.h>")

    def test_layers_relative_include_rejected(self):
        self.include("device/worker.cc", '"data_queue.h"')
        self.assert_rejects("check_layers.py", "include root")

    def test_layers_unknown_module_rejected(self):
        self.include("misc/utils.h", "<vector>")
        self.assert_rejects("check_layers.py", "not in the table")

    def test_layers_product_including_test_code_rejected(self):
        self.include("device/worker.cc", '"sealane/device/fake_queue.h"')
        self.assert_rejects("check_layers.py", "only tests may include")
        self.include("device/worker.cc", '"sealane/testing/guest_fixture.h"')
        self.assert_rejects("check_layers.py", "only tests may include")

    def test_layers_test_may_include_anything(self):
        self.include("crypto/lane_test.cc", '"sealane/device/worker.h"')
        self.assert_accepts("check_layers.py")


class CheckSource(CheckScripts):
    def test_source_good_files_accepted(self):
        self.write("src/a.h", f"{LICENCE}//\n// Something.\n#pragma once\n")
        self.write("tools/run.sh", "#!/bin/bash\n# SPDX-License-Identifier: Apache-2.0\nls ./tmp/x\n")
        self.assert_accepts("check_source.py")

    def test_source_missing_licence_rejected(self):
        self.write("src/a.cc", "int x;\n")
        self.assert_rejects("check_source.py", "no SPDX")

    def test_source_unfinished_marker_rejected(self):
        self.write("src/a.cc", LICENCE + "// TO" "DO: later\n")
        self.assert_rejects("check_source.py", "a.cc:2: unfinished-work")

    def test_source_machine_path_rejected(self):
        self.write("src/a.cc", LICENCE + 'auto p = "' + "/ro" + 'ot/x";\n')
        self.assert_rejects("check_source.py", "path of one machine")

    def test_source_long_file_rejected(self):
        self.write("src/a.cc", LICENCE + "\n" * 400)
        self.assert_rejects("check_source.py", "401 lines")

    def test_source_bare_header_rejected(self):
        self.write("src/a.h", LICENCE + "#pragma once\n")
        self.assert_rejects("check_source.py", "no comment")

    def test_source_unexplained_cast_rejected(self):
        self.write("src/a.cc", LICENCE + "int* p = reinterpret_cast<int*>(q);\n")
        self.assert_rejects("check_source.py", "without // SAFETY:")


if __name__ == "__main__":
    unittest.main()
