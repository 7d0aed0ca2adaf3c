// SPDX-License-Identifier: Apache-2.0
#include "engine_report.h"

#include <gmock/gmock.h>

namespace sealane::cli {
namespace {

using ::testing::HasSubstr;

EngineResult Example() {
  return {
      .cell = {.algorithm = &kBenchAlgorithms[2],
               .chunk = 65536,
               .num_submitters = 8,
               .in_flight = 4},
      .rows = {kNumEngineVariants,
               {.enc_mib_s = 2251.44, .dec_mib_s = 95.06, .cpu_pct = 143.2, .ratio_enc = 1.444}},
      .num_rounds = 9,
      .num_dropped = 1};
}

// Typed by hand from the format strings of cryptsetup 2.6.1.
TEST(EngineText, LayoutOfCryptsetup) {
  const EngineResult result = Example();
  EXPECT_THAT(
      EngineText({&result, 1}),
      HasSubstr("# spinlock+inline\n"
                "#     Algorithm |       Key |      Encryption |      Decryption\n"
                "        aes-xts        256b      2251.4 MiB/s        95.1 MiB/s\n"
                "#       aes-xts        256b        1.44 ratio         N/A ratio    143 % CPU\n"
                "# spinlock+worker\n"));
}

TEST(EngineText, Cell_IsNamedOnce) {
  const EngineResult result = Example();
  EXPECT_THAT(EngineText({&result, 1}),
              HasSubstr("\n# 8 submitters, 4 in flight each, chunks of 65536 bytes\n"
                        "#   aes-xts 256b: 1 round disturbed by other programs and dropped\n"));
}

TEST(EngineHeader, FirstLineIsCryptsetups) {
  EXPECT_TRUE(
      EngineHeader().starts_with("# Tests are approximate using memory only (no storage IO).\n"));
}

}  // namespace
}  // namespace sealane::cli
