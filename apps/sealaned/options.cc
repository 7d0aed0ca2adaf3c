// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "engine_by_name.h"
#include "sealane/device/crypto_device.h"
#include "sealane/device/session_table.h"

namespace sealaned {
namespace {

using sealane::LogLevel;
using sealane::backend::Mode;

constexpr int kUsageError = 2;

template <class T>
struct Word {
  const char* text;
  T value;
};

constexpr std::array<Word<std::optional<Mode>>, 3> kModes = {
    {{"auto", std::nullopt}, {"cryptodev", Mode::kCryptodev}, {"device", Mode::kDevice}}};
constexpr std::array<Word<LogLevel>, 4> kLogLevels = {{{"error", LogLevel::kError},
                                                       {"warning", LogLevel::kWarning},
                                                       {"info", LogLevel::kInfo},
                                                       {"debug", LogLevel::kDebug}}};

template <class Words>
std::vector<std::string> Texts(const Words& words) {
  std::vector<std::string> texts;
  texts.reserve(words.size());
  for (const auto& word : words) texts.emplace_back(word.text);
  return texts;
}

// The value of a word that CLI11 has found in the list.
template <class Words>
auto ValueOf(const Words& words, const std::string& text) {
  return std::ranges::find(words, text, &Words::value_type::text)->value;
}

// The vhost-user conventions: print, ignore every other option, exit 0.
bool AsksForCapabilities(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--print-capabilities") return true;
  }
  return false;
}

struct Names {
  std::string mode = "auto";
  std::string log_level = "info";
  bool print_capabilities = false;  // for --help only: AsksForCapabilities came first
};

void AddOptions(CLI::App& app, Options& options, Names& names) {
  auto* where = app.add_option_group("where to listen");
  where->add_option("--socket-path", options.socket_path, "UNIX socket to create and listen on");
  where->add_option("--fd", options.fd, "Inherited socket, listening or connected")
      ->check(CLI::NonNegativeNumber);
  where->require_option(1);
  app.add_flag("--once", options.once, "Exit when the first front-end leaves");
  app.add_option("--mode", names.mode, "How the front-end uses us: auto, cryptodev or device")
      ->check(CLI::IsMember(Texts(kModes)))
      ->capture_default_str();
  app.add_option("--queues", options.num_queues, "Data queues")
      ->check(CLI::Range(1U, sealane::device::CryptoDevice::kMaxDataQueues))
      ->capture_default_str();
  app.add_option(
         "--engine", options.engine,
         "What does the work: auto, openssl, ipsec-mb (AES-CBC and AES-CTR, many requests at once) "
         "or serial (openssl, one request at a time)")
      ->check(CLI::IsMember(sealane::apps::EngineNames()))
      ->capture_default_str();
  app.add_flag("--enable-legacy", options.enable_legacy,
               "Also offer weak ciphers: DES and ARC4, by OpenSSL's legacy provider");
  app.add_flag("--linux-ecdsa", options.linux_ecdsa,
               "Also take ECDSA by the number of Linux's header, 3");
  app.add_option("--max-sessions", options.max_sessions, "Sessions that may be open at once")
      ->check(CLI::Range(1U, sealane::device::SessionTable::kMaxSessions))
      ->capture_default_str();
  app.add_option("--poll-us", options.poll_us,
                 "Microseconds to poll an idle queue before sleeping; 0 never polls")
      ->check(CLI::Range(0U, 1000000U))
      ->capture_default_str();
  app.add_option("--log-level", names.log_level, "error, warning, info or debug")
      ->check(CLI::IsMember(Texts(kLogLevels)))
      ->capture_default_str();
  app.add_flag("--print-capabilities", names.print_capabilities,
               "Print what this program can do as JSON, and exit");
}

}  // namespace

std::expected<Options, int> ParseOptions(int argc, char** argv) {
  if (AsksForCapabilities(argc, argv)) {
    fmt::print("{{\n  \"type\": \"crypto\"\n}}\n");
    return std::unexpected(0);
  }
  CLI::App app("A virtio-crypto device behind a vhost-user socket", "sealaned");
  app.set_version_flag("--version", "sealaned " SEALANE_VERSION);
  Options options;
  Names names;
  AddOptions(app, options, names);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return std::unexpected(app.exit(error) == 0 ? 0 : kUsageError);
  }
  options.mode = ValueOf(kModes, names.mode);
  options.log_level = ValueOf(kLogLevels, names.log_level);
  return options;
}

}  // namespace sealaned
