// SPDX-License-Identifier: Apache-2.0
#include "device_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>

#include "engine_by_name.h"
#include "sealane/driver/vhost_user/vhost_user_transport.h"
#include "sealane/loopback/loopback_transport.h"

namespace sealane::cli {
namespace {

using TransportPtr = std::unique_ptr<driver::Transport>;

constexpr std::string_view kLoopback = "loopback";
constexpr std::string_view kVhostUser = "vhost-user:";
constexpr std::string_view kVfioPci = "vfio-pci:";

// What is wrong with the text, or nothing, as CLI11 wants it.
std::string CheckDevice(const std::string& device) {
  if (device == kLoopback) return "";
  if (device.starts_with(kVhostUser)) {
    return device.size() > kVhostUser.size() ? "" : "vhost-user: needs the path of a socket";
  }
  if (device.starts_with(kVfioPci)) {
    return device + " is not available: this version has no vfio-pci transport";
  }
  return "no such device: " + device + " (loopback or vhost-user:PATH)";
}

CommandError CannotOpen(const DeviceOption& option, const Error& error) {
  return Failed(fmt::format("cannot open {}: {}", option.device, ToString(error)));
}

Result<TransportPtr> StartLoopback(const DeviceOption& option) {
  SL_ASSIGN_OR_RETURN(auto engine, apps::CreateEngine(option.engine));
  SL_ASSIGN_OR_RETURN(auto transport, loopback::LoopbackTransport::Create(std::move(engine),
                                                                          {.poll = option.poll}));
  return TransportPtr(std::move(transport));
}

Result<TransportPtr> ConnectVhostUser(const DeviceOption& option) {
  driver::VhostUserOptions options;
  if (option.mode == "cryptodev") options.mode = driver::VhostUserMode::kCryptodev;
  const std::string path = option.device.substr(kVhostUser.size());
  SL_ASSIGN_OR_RETURN(auto transport, driver::VhostUserTransport::Connect(path, options));
  return TransportPtr(std::move(transport));
}

}  // namespace

void AddDeviceOptions(CLI::App& command, DeviceOption& option) {
  command
      .add_option("--device", option.device,
                  "loopback (driver and device in this process) or vhost-user:PATH (a back-end "
                  "behind a socket)")
      ->check(CheckDevice)
      ->type_name("DEVICE")
      ->capture_default_str();
  command
      .add_option("--mode", option.mode,
                  "for vhost-user: device (the back-end is the whole device) or cryptodev (it "
                  "serves QEMU's cryptodev-vhost-user)")
      ->check(CLI::IsMember({"device", "cryptodev"}).description(""))
      ->type_name("MODE")
      ->capture_default_str();
  command
      .add_option("--engine", option.engine,
                  "for loopback, what does the work: auto, openssl, ipsec-mb (AES-CBC and AES-CTR, "
                  "many requests at once) or serial (openssl, one request at a time)")
      ->check(CLI::IsMember(apps::EngineNames()).description(""))
      ->type_name("ENGINE")
      ->capture_default_str();
}

CommandResult<TransportPtr> OpenTransport(const DeviceOption& option) {
  const bool loopback = option.device == kLoopback;
  if (loopback && option.mode != "device") {
    return WrongUsage("--mode " + option.mode + " is for vhost-user devices only");
  }
  if (!loopback && option.engine != "auto") {
    return WrongUsage("--engine " + option.engine + " is for the loopback device only");
  }
  Result<TransportPtr> transport = loopback ? StartLoopback(option) : ConnectVhostUser(option);
  if (!transport) return CannotOpen(option, transport.error());
  return std::move(*transport);
}

CommandResult<std::unique_ptr<driver::CryptoDriver>> OpenDriver(const DeviceOption& option,
                                                                const driver::Options& options) {
  SL_ASSIGN_OR_RETURN(TransportPtr transport, OpenTransport(option));
  auto crypto = driver::CryptoDriver::Create(std::move(transport), options);
  if (!crypto) return CannotOpen(option, crypto.error());
  return std::move(*crypto);
}

}  // namespace sealane::cli
