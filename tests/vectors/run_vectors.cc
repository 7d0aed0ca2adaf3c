// SPDX-License-Identifier: Apache-2.0
#include "run_vectors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <utility>

#include "expected_counts.h"
#include "sealane/base/hex.h"
#include "vector_sources.h"

namespace sealane::vectors {
namespace {

using testing::CipherVector;

// Enough to see what is wrong; a broken mode would print thousands.
constexpr int kMaxReports = 20;

// (source, algorithm) → how many
using Tally = std::map<std::pair<std::string, std::string>, size_t>;

bool SharesKey(const CipherVector& a, const CipherVector& b) {
  return a.algorithm == b.algorithm && a.key == b.key;
}

class VectorRun {
 public:
  explicit VectorRun(CipherRunner& runner) : runner_(runner) {}

  // Neighbours under the same key go together, as one session.
  void RunSource(const VectorSource& source) {
    const std::span<const CipherVector> all(source.content.vectors);
    for (size_t begin = 0; begin < all.size();) {
      size_t end = begin + 1;
      while (end < all.size() && SharesKey(all[begin], all[end])) ++end;
      const std::span<const CipherVector> group = all.subspan(begin, end - begin);
      RunGroup(group, true);
      RunGroup(group, false);
      ran_[{source.name, group[0].algorithm}] += group.size();
      begin = end;
    }
  }

  const Tally& ran() const { return ran_; }
  size_t num_equal_halves() const { return num_equal_halves_; }
  int num_faults() const { return num_faults_; }

 private:
  void RunGroup(std::span<const CipherVector> group, bool encrypt) {
    std::vector<CipherInput> inputs;
    for (const CipherVector& vector : group) {
      ASSERT_TRUE(vector.encrypt && vector.decrypt) << vector.origin;
      inputs.push_back({vector.iv, encrypt ? vector.plaintext : vector.ciphertext});
    }
    const std::vector<std::optional<Bytes>> answers =
        runner_.Run(group[0].algorithm, group[0].key, encrypt, inputs);
    ASSERT_EQ(answers.size(), group.size()) << group[0].origin;
    for (size_t i = 0; i < group.size(); ++i) CheckAnswer(group[i], encrypt, answers[i]);
  }

  void CheckAnswer(const CipherVector& vector, bool encrypt, const std::optional<Bytes>& answer) {
    const char* const verb = encrypt ? "encrypt " : "decrypt ";
    const bool equal_halves = testing::HasEqualXtsHalves(vector);
    if (equal_halves) ++num_equal_halves_;
    const bool refused = equal_halves && runner_.RefusesEqualXtsHalves(encrypt);
    const Bytes& expected = encrypt ? vector.ciphertext : vector.plaintext;
    if (refused ? !answer : answer == expected) return;
    if (++num_faults_ > kMaxReports) return;
    ADD_FAILURE() << verb << vector.algorithm << ", " << vector.origin << "\n  key      "
                  << HexEncode(vector.key) << "\n  expected "
                  << (refused ? "a refusal" : HexEncode(expected)) << "\n  got      "
                  << (answer ? HexEncode(*answer) : "a refusal");
  }

  CipherRunner& runner_;
  Tally ran_;
  size_t num_equal_halves_ = 0;
  int num_faults_ = 0;
};

Tally ToTally(std::span<const ExpectedCount> table) {
  Tally tally;
  for (const ExpectedCount& entry : table) tally[{entry.source, entry.what}] = entry.count;
  return tally;
}

void CheckCounts(const std::vector<VectorSource>& sources, const Tally& ran) {
  EXPECT_EQ(ran, ToTally(kExpectedVectors))
      << "the packages are those of " << VectorCache() << "/*/PACKAGE";

  std::map<std::string, size_t> num_files;
  Tally skipped;
  for (const VectorSource& source : sources) {
    num_files[source.name] = source.num_files;
    for (const auto& [reason, count] : source.content.skipped) {
      // Crypto++'s sections on other algorithms are no concern of ours; those on AES ciphers are.
      const bool is_aes = reason.starts_with("SymmetricCipher AES/");
      if (source.name == "cryptopp/TestVectors" && !is_aes) continue;
      skipped[{source.name, reason}] = count;
    }
  }
  std::map<std::string, size_t> expected_files;
  for (const ExpectedFiles& entry : kExpectedFiles) expected_files[entry.source] = entry.count;
  EXPECT_EQ(num_files, expected_files);
  EXPECT_EQ(skipped, ToTally(kExpectedSkipped));
}

}  // namespace

void RunAllVectors(CipherRunner& runner) {
  const auto sources = LoadVectorSources(VectorCache());
  ASSERT_TRUE(sources) << sources.error();
  VectorRun run(runner);
  for (const VectorSource& source : *sources) run.RunSource(source);
  CheckCounts(*sources, run.ran());
  EXPECT_EQ(run.num_equal_halves(), 2 * kExpectedEqualXtsHalves);
  EXPECT_EQ(run.num_faults(), 0);
  size_t total = 0;
  for (const auto& [key, count] : run.ran()) total += count;
  std::printf("%zu vectors, each encrypted and decrypted\n", total);
}

}  // namespace sealane::vectors
