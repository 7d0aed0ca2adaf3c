// SPDX-License-Identifier: Apache-2.0
//
// QEMU's built-in virtio-crypto device as the oracle: the same requests go to it and to `sealaned`
// behind cryptodev-vhost-user, and what comes back is compared word by word. What may differ stands
// in differences.h.
//
//   qtest_oracle_test [GoogleTest options] SEALANED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases.h"
#include "crypto_vm.h"
#include "differences.h"
#include "sealane/testing/daemon_process.h"

namespace sealane::testing {
namespace {

constexpr int kSkipped = 77;

std::string& DaemonProgram() {
  static std::string path;
  return path;
}

std::vector<Case> AllCases() {
  std::vector<Case> cases = ControlCases();
  std::ranges::move(CipherCases(), std::back_inserter(cases));
  std::ranges::move(ChainCases(), std::back_inserter(cases));
  return cases;
}

// A step in which the two devices differ.
struct Found {
  std::string where;
  std::string qemu;
  std::string ours;
  auto operator<=>(const Found&) const = default;
};

std::string Where(const std::string& name, const std::string& step) { return name + "/" + step; }

const Observation* FindStep(const std::vector<Observation>& all, const std::string& step) {
  const auto it = std::ranges::find(all, step, &Observation::step);
  return it == all.end() ? nullptr : &*it;
}

bool IsBroken(const std::vector<Observation>& all) {
  return std::ranges::any_of(all, [](const Observation& o) { return o.ending != "used"; });
}

// Steps are left out at a device that an earlier one broke: that one is the difference. Otherwise
// both have the same steps, but for an "open" or "close" that failed.
void CompareOneWay(const std::string& name, const std::vector<Observation>& from,
                   const std::vector<Observation>& to, bool from_is_qemu, std::set<Found>& found) {
  for (const Observation& o : from) {
    const Observation* const other = FindStep(to, o.step);
    if (other == nullptr && IsBroken(to)) continue;
    const std::string here = o.Summary();
    const std::string there = other == nullptr ? "nothing to record" : other->Summary();
    if (here == there) continue;
    found.insert({Where(name, o.step), from_is_qemu ? here : there, from_is_qemu ? there : here});
  }
}

std::set<Found> Compare(const std::string& name, const std::vector<Observation>& qemu,
                        const std::vector<Observation>& ours) {
  std::set<Found> found;
  CompareOneWay(name, qemu, ours, true, found);
  CompareOneWay(name, ours, qemu, false, found);
  return found;
}

std::set<Found> Known(const std::string& name) {
  std::set<Found> known;
  for (const Difference& row : KnownDifferences()) {
    if (std::string(row.where).starts_with(name + "/")) {
      known.insert({row.where, row.qemu, row.ours});
    }
  }
  return known;
}

std::string AsRow(const Found& f) {
  return "{\"" + f.where + "\", \"" + f.qemu + "\", \"" + f.ours + "\", \"\"},";
}

// What holds whether the two agree or not: sealaned answers every request and goes on, its results
// are OpenSSL's, and what fails leaves the destination alone.
void ExpectRight(const std::string& name, const std::vector<Observation>& ours) {
  for (const Observation& o : ours) {
    if (!o.on_data_queue) continue;
    const std::string where = Where(name, o.step) + ": " + o.Summary();
    EXPECT_EQ(o.ending, "used") << where;
    EXPECT_THAT(o.output, ::testing::AnyOf("untouched", "openssl")) << where;
    if (o.step == "good_one") {
      EXPECT_EQ(o.output, "openssl") << where;
    }
  }
}

class QtestOracle : public ::testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    if (!QemuProcess::Installed()) return;
    daemon_ = std::make_unique<DaemonProcess>(DaemonProgram(), std::vector<std::string>{});
    ASSERT_TRUE(daemon_->ok()) << daemon_->Log();
    qemu_ = std::make_unique<CryptoVm>(std::nullopt);
    ours_ = std::make_unique<CryptoVm>(daemon_->socket_path());
  }

  static void TearDownTestSuite() {
    ours_.reset();
    qemu_.reset();
    daemon_.reset();
  }

  void SetUp() override {
    if (!QemuProcess::Installed()) GTEST_SKIP() << "qemu-system-x86_64 is not installed";
  }

  static std::vector<Observation> Run(CryptoVm& vm, const Case& one) {
    EXPECT_TRUE(vm.Prepare()) << vm.Log();
    if (HasFailure()) return {};
    Scenario scenario(vm);
    one.run(scenario);
    return scenario.TakeObservations();
  }

  static inline std::unique_ptr<DaemonProcess> daemon_;
  static inline std::unique_ptr<CryptoVm> qemu_;
  static inline std::unique_ptr<CryptoVm> ours_;
};

TEST_P(QtestOracle, Request_AsQemusOwnDevice_OrAsTheTableSays) {
  const Case& one = GetParam();
  const std::vector<Observation> qemu = Run(*qemu_, one);
  const std::vector<Observation> ours = Run(*ours_, one);
  ASSERT_FALSE(HasFailure());
  const std::set<Found> found = Compare(one.name, qemu, ours);
  const std::set<Found> known = Known(one.name);
  for (const Found& f : found) {
    if (!known.contains(f)) ADD_FAILURE() << "not in differences.cc: " << AsRow(f);
  }
  for (const Found& f : known) {
    if (!found.contains(f)) ADD_FAILURE() << "no difference any more: " << AsRow(f);
  }
  ExpectRight(one.name, ours);
  // For whoever wants to read them: --gtest_output=json:FILE.
  for (const Observation& o : qemu) RecordProperty("qemu_" + o.step, o.Summary());
  for (const Observation& o : ours) RecordProperty("sealaned_" + o.step, o.Summary());
  EXPECT_FALSE(daemon_->WaitForExit({})) << daemon_->Log();
}

INSTANTIATE_TEST_SUITE_P(Requests, QtestOracle, ::testing::ValuesIn(AllCases()),
                         [](const auto& param_info) {
                           std::string name = param_info.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(QtestDifferences, Rows_Always_NameACaseAndAReason) {
  std::set<std::string> names;
  for (const Case& one : AllCases()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
  for (const Difference& row : KnownDifferences()) {
    const std::string where = row.where;
    EXPECT_TRUE(names.contains(where.substr(0, where.find('/')))) << where;
    EXPECT_STRNE(row.reason, "") << where;
    EXPECT_STRNE(row.qemu, row.ours) << where;
  }
}

}  // namespace
}  // namespace sealane::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s [GoogleTest options] SEALANED\n", argv[0]);
    return 2;
  }
  sealane::testing::DaemonProgram() = argv[1];
  const int result = RUN_ALL_TESTS();
  const bool skipped = !sealane::testing::QemuProcess::Installed();
  return result == 0 && skipped ? sealane::testing::kSkipped : result;
}
